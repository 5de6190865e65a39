/** Reads the rows of a CSV file in any encoding and dialect. */
import { pipeline, Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { InputError } from '../../input-error.ts'
import { LINE_BYTES_MAX } from '../../lines/read-ndjson.ts'
import { cellsWithQuotes, type Dialect, dialectOf, mayBeUnescaped, unwrapped } from './dialect.ts'
import { decodeText, type Encoding } from './encodings.ts'
import type { Row } from './table.ts'

/** What is known of a file. Missing options are detected. */
export interface CsvOptions {
  readonly encoding?: string | undefined
  readonly delimiter?: string | undefined
  /** Whether a text that reads in two encodings is read in the likelier one, to ask about it. */
  readonly acceptsRival?: boolean
}

/** The form that was detected or given. */
export interface CsvForm {
  readonly encoding: Encoding
  readonly delimiter: string
}

export interface CsvRow extends Row {
  readonly cells: readonly string[]
}

/** A record of `csv-parse` with the option `info`. */
interface ParsedRow {
  readonly record: string[]
  readonly raw: string
  readonly info: { readonly lines: number }
}

/** Length of the text by which a dialect is detected. */
const HEAD_CHARACTERS = 64 * 1024

/**
 * The rows that have at least one cell that is not empty, each with the line on which it begins.
 * @param name the file's name, for messages
 * @param found called before the first row and again at the end, because an encoding may be detected late
 * @throws {InputError}
 */
export async function* readCsvRows(
  bytes: AsyncIterable<Buffer>,
  name: string,
  options: CsvOptions = {},
  found: (form: CsvForm) => void = () => {},
): AsyncGenerator<CsvRow> {
  let encoding: Encoding = { name: 'utf-8', isDetected: true }
  const text = decodeText(
    bytes,
    name,
    options.encoding,
    (known) => {
      encoding = known
    },
    options.acceptsRival,
  )
  const [head, all] = await peek(text)
  const dialect = dialectOf(head)
  const delimiter = options.delimiter ?? dialect.delimiter
  // The cells of a wrapped row are within its only cell.
  const outer = dialect.isWrapped ? '\u001f' : delimiter
  found({ encoding, delimiter })
  // The parser counts a CR LF within a cell as two lines.
  let countedTwice = 0
  let width: number | undefined
  try {
    for await (const { record, raw, info } of parseRows(all, name, { ...dialect, delimiter: outer })) {
      const breaks = record.some(hasBreak) ? record.reduce((sum, cell) => sum + breaksIn(cell), 0) : 0
      if (breaks > 0) countedTwice += record.reduce((sum, cell) => sum + count(cell, '\r\n'), 0)
      const number = info.lines - countedTwice - breaks
      width ??= record.length
      const cells = dialect.isWrapped
        ? unwrapped(record.join(''), delimiter)
        : record.some(mayBeUnescaped)
          ? cellsWithQuotes(raw, delimiter, width)
          : record
      if (cells === undefined)
        throw new InputError(`${name} is not valid CSV: broken quotes near line ${number}`)
      if (cells.some((cell) => cell.trim() !== '')) yield { number, cells: cells.map((cell) => cell.trim()) }
    }
  } finally {
    found({ encoding, delimiter })
  }
}

async function* parseRows(
  text: AsyncIterable<string>,
  name: string,
  { delimiter, skipped, lineEnds }: Dialect,
): AsyncGenerator<ParsedRow> {
  const parser = parse({
    bom: true,
    delimiter,
    from_line: skipped + 1,
    record_delimiter: lineEnds,
    relax_column_count: true,
    // A quotation mark that does not open a cell is a character, as in Excel: 5'4" tall.
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    raw: true,
    max_record_size: LINE_BYTES_MAX,
  })
  pipeline(Readable.from(withBreaks(text)), parser, () => {})
  try {
    yield* parser as AsyncIterable<ParsedRow>
  } catch (error) {
    if (error instanceof InputError) throw error
    // The parser's message quotes the text; the code is enough.
    const { code, lines } = error as { code?: string; lines?: number }
    const what =
      code === 'CSV_MAX_RECORD_SIZE' ? `a record longer than ${LINE_BYTES_MAX} bytes` : 'broken quotes'
    const where = lines === undefined ? '' : ` near line ${lines}`
    throw new InputError(`${name} is not valid CSV: ${what}${where}`)
  }
}

/** The parser takes a piece after the other without a break, and a cell may be as long as many of them. */
async function* withBreaks(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    yield piece
    await letOthersRun()
  }
}

/** The beginning of a text, and the whole text including it. */
async function peek(text: AsyncGenerator<string>): Promise<[string, AsyncGenerator<string>]> {
  let head = ''
  while (head.length < HEAD_CHARACTERS) {
    const { done, value } = await text.next()
    if (done) break
    head += value
  }
  return [
    head,
    (async function* () {
      yield head
      yield* text
    })(),
  ]
}

const hasBreak = (cell: string) => cell.includes('\n') || cell.includes('\r')
const breaksIn = (cell: string) => cell.match(/\r\n|\r|\n/g)?.length ?? 0
const count = (text: string, part: string) => text.split(part).length - 1
