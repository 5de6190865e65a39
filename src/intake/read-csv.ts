/**
 * CSV of one kind as records. The header names fields; nested ones with dots (`acc.roomId`), the values of a
 * list separated by `|`. An empty cell leaves its field out, `\N` clears it (null). A list of objects
 * (`items`) is written as JSON. Cells are separated by commas, semicolons or tabs, whichever the header uses.
 */
import { isUtf8 } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { type CsvColumn, columnsOf, readCell } from './csv-columns.ts'
import { InputError } from './input-error.ts'
import type { Json, JsonObject, KindName } from './kinds/kind.ts'
import { LINE_BYTES_MAX } from './read-ndjson.ts'
import type { RecordLine } from './record-line.ts'

/** What `csv-parse` gives for a record with the options `info` and `raw`. */
interface ParsedRow {
  readonly record: string[]
  readonly raw: string
  readonly info: { readonly lines: number }
}

/** `name` is the file's, for messages; `file` is what the lines carry. */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  kind: KindName,
  name: string,
  file?: string,
): AsyncGenerator<RecordLine> {
  const origin = file === undefined ? {} : { file }
  let columns: CsvColumn[] | undefined
  // The parser counts a line break within a cell twice when it is CR LF.
  let countedTwice = 0
  for await (const { record: cells, raw, info } of parseRows(bytes, name)) {
    const breaks = cells.reduce((sum, cell) => sum + count(cell, '\n'), 0)
    countedTwice += cells.reduce((sum, cell) => sum + count(cell, '\r\n'), 0)
    const line = info.lines - countedTwice - breaks
    if (columns === undefined) {
      columns = columnsOf(kind, cells, name)
    } else if (cells.length !== columns.length) {
      const problem = `has ${cells.length} cells; the header has ${columns.length}`
      yield { ...origin, line, problem, text: raw.trim() }
    } else if (cells.some((cell) => cell !== '')) {
      yield { ...origin, line, value: toRecord(kind, columns, cells), loose: true }
    }
  }
}

async function* parseRows(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<ParsedRow> {
  const [delimiter, all] = await findDelimiter(checkUtf8(bytes, name))
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    raw: true,
    max_record_size: LINE_BYTES_MAX,
  })
  pipeline(Readable.from(all), parser, () => {})
  try {
    yield* parser as AsyncIterable<ParsedRow>
  } catch (error) {
    if (error instanceof InputError) throw error
    // Its message quotes the text; the code says as much.
    const { code, lines } = error as { code?: string; lines?: number }
    const what =
      code === 'CSV_MAX_RECORD_SIZE' ? `a record longer than ${LINE_BYTES_MAX} bytes` : 'broken quotes'
    const where = lines === undefined ? '' : ` near line ${lines}`
    throw new InputError(`${name} is not valid CSV: ${what}${where}`)
  }
}

async function* checkUtf8(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  const check = (chunk?: Buffer) => {
    try {
      line += count(decoder.decode(chunk, { stream: chunk !== undefined }), '\n')
    } catch {
      throw new InputError(`${name} is not UTF-8 (near line ${line + brokenLine(chunk)})`)
    }
  }
  for await (const chunk of bytes) {
    check(chunk)
    yield chunk
  }
  check()
}

/** How many whole lines of a chunk come before the first that is not UTF-8. */
function brokenLine(chunk: Buffer = Buffer.alloc(0)): number {
  let lines = 0
  let start = 0
  for (
    let end = chunk.indexOf(10);
    end >= 0 && isUtf8(chunk.subarray(start, end));
    end = chunk.indexOf(10, start)
  ) {
    lines += 1
    start = end + 1
  }
  return lines
}

const DELIMITERS = [',', ';', '\t']

/** The separator that stands most often in the header, and all the bytes again. */
async function findDelimiter(bytes: AsyncGenerator<Buffer>): Promise<[string, AsyncGenerator<Buffer>]> {
  let head = Buffer.alloc(0)
  let isEnd = false
  while (!head.includes(10) && head.length < LINE_BYTES_MAX && !isEnd) {
    const { done, value } = await bytes.next()
    if (done) isEnd = true
    else head = Buffer.concat([head, value])
  }
  const header = head.toString('utf8').split('\n', 1)[0]!
  const delimiter = DELIMITERS.toSorted((a, b) => count(header, b) - count(header, a))[0]!
  return [
    delimiter,
    (async function* () {
      yield head
      yield* bytes
    })(),
  ]
}

function toRecord(kind: KindName, columns: readonly CsvColumn[], cells: readonly string[]): JsonObject {
  const record: JsonObject = { kind }
  for (const [index, { path, schema }] of columns.entries()) {
    const value = readCell(schema, cells[index]!)
    if (value !== undefined) put(record, path, value)
  }
  // A column that marks the removed ones has false in all others.
  if (record.deleted === false) delete record.deleted
  return record
}

function put(record: JsonObject, path: readonly string[], value: Json): void {
  let holder = record
  for (const step of path.slice(0, -1)) {
    holder[step] ??= {}
    holder = holder[step] as JsonObject
  }
  holder[path.at(-1)!] = value
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
