/**
 * What a table of a file has that no record is made of: rows that meet no condition of the mapping, columns that it does
 * not use, and sheets that are not read. None of it is refused, so an import reports it.
 */
import { type Cell, cellText, type Row } from '../spreadsheets/tables/table.ts'

export interface LeftOut {
  /** The tables that were read, in their order. */
  readonly tables: readonly LeftOutOfTable[]
  readonly sheets: readonly UnreadSheet[]
}

export interface LeftOutOfTable {
  /** The sheet's name; undefined for a CSV file. */
  readonly sheet?: string
  /** Rows with values that became no record, and the numbers of the first. */
  readonly rows: { readonly count: number; readonly first: readonly number[] }
  /** Columns with values that no field uses; the first thousand. */
  readonly columns: readonly string[]
}

export interface UnreadSheet {
  readonly sheet: string
  readonly reason: string
}

export const HIDDEN = 'it is hidden; name it as sheet in the mapping if it has guests'
export const NOT_NAMED = 'the mapping does not name it'

const ROWS_NAMED_MAX = 20
const COLUMNS_NAMED_MAX = 1000

/** What is used of one table. Several parts of a mapping may read it. */
export class TableUse {
  readonly #sheet: string | undefined
  readonly #readers: number
  #names: readonly string[] = []
  readonly #used = new Set<number>()
  readonly #filled = new Set<number>()
  #count = 0
  readonly #first: number[] = []
  /** How many readers left a row out, by its number; empty for a table with one reader. */
  readonly #times = new Map<number, number>()

  /** @param readers number of parts of the mapping that read the table */
  constructor(sheet: string | undefined, readers: number) {
    this.#sheet = sheet
    this.#readers = readers
  }

  /** Begins a reading. @returns takes the rows one by one, and whether each became a record */
  begin(names: readonly string[], used: Iterable<number>): (row: Row, isTaken: boolean) => void {
    if (this.#names.length === 0) this.#names = names
    for (const column of used) this.#used.add(column)
    let empty = [...names.keys()].filter((column) => !this.#used.has(column) && !this.#filled.has(column))
    return ({ number, cells }, isTaken) => {
      if (empty.some((column) => isFilled(cells[column]))) {
        for (const column of empty) if (isFilled(cells[column])) this.#filled.add(column)
        empty = empty.filter((column) => !this.#filled.has(column))
      }
      if (!isTaken && cells.some(isFilled)) this.#leaveOut(number)
    }
  }

  #leaveOut(row: number): void {
    if (this.#readers > 1) {
      const times = (this.#times.get(row) ?? 0) + 1
      this.#times.set(row, times)
      if (times < this.#readers) return
    }
    this.#count += 1
    if (this.#first.length < ROWS_NAMED_MAX) this.#first.push(row)
  }

  get leftOut(): LeftOutOfTable {
    const columns = this.#names.filter((_, column) => this.#filled.has(column) && !this.#used.has(column))
    return {
      ...(this.#sheet === undefined ? {} : { sheet: this.#sheet }),
      rows: { count: this.#count, first: this.#first },
      columns: columns.slice(0, COLUMNS_NAMED_MAX),
    }
  }
}

const isFilled = (cell: Cell | undefined) => cell !== undefined && cell !== '' && cellText(cell) !== ''
