/**
 * Refused rows of tables, unchanged, after columns with their position and the reasons. Users correct them in their
 * spreadsheet program. If the columns change, another header row is written.
 */
import { BYTE_ORDER_MARK, type CsvDialect, csvLine } from '../../answer/files/csv.ts'
import type { TableCell } from '../../answer/files/table.ts'
import { xlsxBytes } from '../../answer/files/xlsx.ts'
import { problemText } from './causes.ts'
import type { ImportProblem } from './problem-report.ts'
import { ADDED_COLUMNS, INVALID, KINDS_JOINED, REJECTED } from './reject-marks.ts'
import type { RejectsFile } from './rejects-file.ts'
import type { RejectsWriter, RejectsWriterOptions } from './rejects-writer.ts'

type Cells = readonly TableCell[]

/** Where rows are written. */
interface Sink {
  write(cells: Cells): Promise<void>
  end?(): Promise<void>
}

/**
 * A record may be made from several rows, and is refused after its last one has been read. Its rows are written
 * together in the order of their file, unless more refused rows than these come between them.
 */
const HELD_MAX = 2000

/** A refused row with all its problems. */
interface Held {
  /** its file and sheet */
  readonly place: string
  readonly number: number
  readonly table: string
  readonly header: readonly string[]
  readonly cells: Cells
  /** the kinds of its records that were refused; its other records were accepted */
  readonly kinds: Set<string>
  readonly reasons: Set<string>
}

interface RejectedRowsOptions extends RejectsWriterOptions {
  readonly form: 'csv' | 'xlsx'
}

export class RejectedRows implements RejectsWriter {
  readonly #options: RejectedRowsOptions
  readonly #file: RejectsFile
  #sink: Sink | undefined
  readonly #held = new Map<string, Held>()
  #header = ''
  /** Problems of the same row, which are reported together. */
  #last: ImportProblem[] = []

  constructor(options: RejectedRowsOptions, file: RejectsFile) {
    this.#options = options
    this.#file = file
  }

  async add(problem: ImportProblem): Promise<void> {
    const [last] = this.#last
    const isSame = last?.line === problem.line && last.file === problem.file && last.sheet === problem.sheet
    if (!isSame) await this.#endRow()
    this.#last.push(problem)
  }

  async keep(): Promise<void> {
    await this.#endRow()
    await this.#writeHeld(this.#held.size)
    await this.#sink?.end?.()
    await this.#file.keep()
  }

  discard(): Promise<void> {
    return this.#file.discard()
  }

  async #endRow(): Promise<void> {
    const problems = this.#last
    this.#last = []
    const [first] = problems
    if (first === undefined) return
    const { file = '', sheet = '', terms, kind } = first
    const rows = problems.flatMap((problem) => problem.rows ?? [])
    const numbers = [...new Set(rows.map(({ number }) => number))]
    const together = numbers.length > 1 ? `${kind} of the rows ${numbers[0]} to ${numbers.at(-1)}: ` : ''
    for (const { number, cells } of rows) {
      const place = `${file}\n${sheet}`
      const held = this.#held.get(`${place}\n${number}`) ?? {
        place,
        number,
        table: terms?.table ?? '',
        header: terms?.header ?? [],
        cells,
        kinds: new Set(),
        reasons: new Set(),
      }
      this.#held.set(`${place}\n${number}`, held)
      for (const problem of problems) {
        if (problem.kind !== undefined) held.kinds.add(problem.kind)
        // If there are several rows, the first one gets the reason.
        if (number === numbers[0]) held.reasons.add(`${together}${problemText(problem)}`)
      }
    }
    if (this.#held.size > HELD_MAX) await this.#writeHeld(HELD_MAX / 2)
  }

  /** Writes the first of the rows that are held, in the order of their files. */
  async #writeHeld(count: number): Promise<void> {
    const places = new Map([...this.#held.values()].map(({ place }, at) => [place, at]))
    const rows = [...this.#held].sort(
      ([, a], [, b]) => (places.get(a.place) ?? 0) - (places.get(b.place) ?? 0) || a.number - b.number,
    )
    for (const [key, { number, table, header, cells, kinds, reasons }] of rows.slice(0, count)) {
      this.#held.delete(key)
      await this.#writeHeader(header)
      await this.#write([number, table, [...kinds].join(KINDS_JOINED), [...reasons].join('; '), ...cells])
    }
  }

  async #writeHeader(header: readonly string[]): Promise<void> {
    const key = JSON.stringify(header)
    if (key === this.#header) return
    this.#header = key
    await this.#write([this.#options.othersGoIn ? REJECTED : INVALID, ...ADDED_COLUMNS, ...header])
  }

  async #write(cells: Cells): Promise<void> {
    this.#sink ??= this.#newSink()
    await this.#sink.write(cells)
  }

  #newSink(): Sink {
    const { form, delimiter } = this.#options
    switch (form) {
      case 'xlsx':
        return workbookSink(this.#file)
      case 'csv':
        return csvSink(this.#file, delimiter())
    }
  }
}

function csvSink(file: RejectsFile, delimiter: CsvDialect['delimiter']): Sink {
  const dialect = { delimiter, decimal: '.', bom: true } as const
  let mark = BYTE_ORDER_MARK
  return {
    write(cells) {
      const line = `${mark}${csvLine(cells, dialect)}`
      mark = ''
      return file.addText(line)
    },
  }
}

/** A workbook was in memory when it was read, and its refused rows take less. */
function workbookSink(file: RejectsFile): Sink {
  const rows: Cells[] = []
  let first: readonly string[] | undefined
  return {
    async write(cells) {
      if (first === undefined) first = cells.map(String)
      else rows.push(cells)
    },
    async end() {
      async function* all() {
        yield* rows
      }
      for await (const bytes of xlsxBytes({ name: 'Rejected', headings: first ?? [] }, all()))
        await file.addBytes(bytes)
    },
  }
}
