/**
 * Refused rows of tables as they were, behind columns that say where they stood and what is wrong with them: to be mended
 * in the program that their user has for tables. Where the columns change, another header stands in between.
 */
import { BYTE_ORDER_MARK, type CsvDialect, csvLine } from '../files/csv.ts'
import type { TableCell } from '../files/table.ts'
import { xlsxBytes } from '../files/xlsx.ts'
import { problemText } from '../intake/causes.ts'
import type { NewFile } from '../intake/files.ts'
import type { ImportProblem } from '../intake/problem-report.ts'
import { BESIDE, INVALID, REJECTED } from '../intake/read-rejects.ts'
import { RowSet } from '../intake/row-set.ts'
import type { RejectsWriter, RejectsWriterOptions } from './import-rejects.ts'

type Cells = readonly TableCell[]

/** What rows are written to, one after the other. */
interface Sink {
  write(cells: Cells): Promise<void>
  end(): Promise<void>
}

export class RejectedRows implements RejectsWriter {
  readonly #options: RejectsWriterOptions
  readonly #open: () => Promise<NewFile>
  #file: NewFile | undefined
  #sink: Sink | undefined
  readonly #written = new RowSet()
  #header = ''
  /** Problems of the same row, which come together. */
  #last: ImportProblem[] = []

  constructor(options: RejectsWriterOptions, open: () => Promise<NewFile>) {
    this.#options = options
    this.#open = open
  }

  async add(problem: ImportProblem): Promise<void> {
    const [last] = this.#last
    const isSame = last?.line === problem.line && last.file === problem.file && last.sheet === problem.sheet
    if (!isSame) await this.#endRow()
    this.#last.push(problem)
  }

  async keep(): Promise<void> {
    await this.#endRow()
    await this.#sink?.end()
    await this.#file?.keep()
    this.#file = undefined
  }

  async discard(): Promise<void> {
    await this.#file?.discard()
    this.#file = undefined
  }

  async #endRow(): Promise<void> {
    const problems = this.#last
    this.#last = []
    const [first] = problems
    if (first === undefined) return
    const { file = '', sheet = '', terms } = first
    const table = terms?.table ?? ''
    const rows = problems.flatMap((problem) => problem.rows ?? [])
    const reasons = [...new Set(problems.map(problemText))].join('; ')
    let isFirst = true
    for (const { number, cells } of rows) {
      // Several records may have been made from it.
      if (!this.#written.add(`${file}\n${sheet}`, number)) continue
      await this.#writeHeader(terms?.header ?? [])
      await this.#write([number, table, isFirst ? reasons : '', ...cells])
      isFirst = false
    }
  }

  async #writeHeader(header: readonly string[]): Promise<void> {
    const key = JSON.stringify(header)
    if (key === this.#header) return
    this.#header = key
    await this.#write([this.#options.othersGoIn ? REJECTED : INVALID, ...BESIDE, ...header])
  }

  async #write(cells: Cells): Promise<void> {
    this.#file ??= await this.#open()
    this.#sink ??=
      this.#options.form === 'xlsx'
        ? workbookSink(this.#file)
        : csvSink(this.#file, this.#options.delimiter())
    await this.#sink.write(cells)
  }
}

const BUFFER_CHARACTERS = 64 * 1024

function csvSink(file: NewFile, delimiter: CsvDialect['delimiter']): Sink {
  const dialect = { delimiter, decimal: '.', bom: true } as const
  let text = BYTE_ORDER_MARK
  const flush = async () => {
    const written = text
    text = ''
    await file.write(written)
  }
  return {
    async write(cells) {
      text += csvLine(cells, dialect)
      if (text.length >= BUFFER_CHARACTERS) await flush()
    },
    end: flush,
  }
}

/** A workbook was in memory when it was read, and fewer rows of it are now. */
function workbookSink(file: NewFile): Sink {
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
        await file.write(bytes)
    },
  }
}
