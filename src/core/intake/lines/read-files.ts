/** Reads files and standard input as one sequence of lines, whatever their formats. */
import { basename } from 'node:path'
import { visible } from '../../errors/visible.ts'
import { InputError } from '../input-error.ts'
import { KIND_NAMES, type KindName } from '../kinds/kind.ts'
import { readRejectedLines, readRejectedRows } from '../rejects/read-rejects.ts'
import { refuseRejectedLines, refuseRejectedRows, refuseRejectedText } from '../rejects/rejects-given.ts'
import type { Mapping } from '../spreadsheets/mapping/mapping.ts'
import type { CsvForm } from '../spreadsheets/tables/csv-rows.ts'
import { readTables } from '../spreadsheets/tables/read-tables.ts'
import { readSpreadsheet } from '../spreadsheets.ts'
import { type Corrections, corrected } from './corrections.ts'
import { type Files, STDIN } from './files.ts'
import type { LeftOut } from './left-out.ts'
import { unpack } from './read-bytes.ts'
import { readNdjson } from './read-ndjson.ts'
import { kindOfName, readKinds } from './read-record-rows.ts'
import type { RecordLine } from './record-line.ts'

export const INPUT_FORMATS = ['ndjson', 'csv'] as const
export type InputFormat = (typeof INPUT_FORMATS)[number]

export interface ReadFilesOptions {
  /** The kind of a CSV file's rows. The file's name may give it instead (`customers.csv`). */
  readonly kind?: KindName
  /** The format of files whose names do not show it. */
  readonly format?: InputFormat
  /** Maps tables whose columns are not named like fields. */
  readonly mapping?: Mapping
  /** Whether the files are corrected rejects of an import. */
  readonly isRetry?: boolean
  /** Whether records include the table rows that they were made from. */
  readonly keepRows?: boolean
  /** Called with the detected form of each CSV file, first before its rows and again after them. */
  readonly onForm?: (file: string, form: CsvForm) => void
  /** Called for each table file once it is read, with what became no record. */
  readonly onLeftOut?: (file: string, leftOut: LeftOut) => void
  /** Rows of tables that a person has corrected since the file was written. */
  readonly corrections?: Corrections | undefined
  /** Ends the wait for other files that are read. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens all files, then reads their lines in order, each with its file's name. `-` is standard input.
 * @throws {InputError} if a file cannot be opened, before any line is read
 */
export async function readFiles(
  names: readonly string[],
  files: Pick<Files, 'open'>,
  options: ReadFilesOptions = {},
): Promise<AsyncGenerator<RecordLine>> {
  const formats: Format[] = []
  for (const name of names) {
    const format = formatOf(name, options)
    // A file that does not exist needs no other advice. Standard input is there, and a service would read all of it.
    if (format instanceof InputError) {
      if (name !== STDIN) await files.open(name)
      throw format
    }
    formats.push(format)
  }
  // All files are opened before the first line is read, so that a wrong name does not cost the time of an import.
  const inputs: Input[] = []
  for (const [index, file] of names.entries()) {
    inputs.push({ file, bytes: await files.open(file), ...formats[index]! })
  }
  return linesOf(inputs, options)
}

interface Format {
  readonly format: InputFormat
  /** The kind of the rows, if no mapping defines it. */
  readonly kind?: KindName
}
interface Input extends Format {
  readonly file: string
  readonly bytes: AsyncIterable<Buffer>
}

async function* linesOf(inputs: readonly Input[], options: ReadFilesOptions): AsyncGenerator<RecordLine> {
  for (const input of inputs) {
    for await (const { rows, ...line } of recordsOf(input, options)) {
      yield { ...line, ...(options.keepRows && rows !== undefined && { rows }), file: input.file }
    }
  }
}

function recordsOf({ file, bytes, format, kind }: Input, options: ReadFilesOptions) {
  const name = file === STDIN ? 'standard input' : visible(file)
  const unpacked = unpack(bytes, name, /\.gz$/i.test(file))
  const { mapping, onForm, isRetry, corrections, signal } = options
  if (format === 'ndjson') {
    const lines = readNdjson(unpacked, name)
    return isRetry ? readRejectedLines(lines, name) : refuseRejectedLines(lines, name)
  }
  const listeners = {
    onForm: (form: CsvForm) => onForm?.(file, form),
    onLeftOut: (found: LeftOut) => options.onLeftOut?.(file, found),
    signal,
  }
  // Rejects are written in a fixed form, and return in the form of the program that they were edited in.
  if (isRetry)
    return readRejectedRows(readTables(unpacked, name, listeners), name, { mapping, kind: options.kind })
  const text = refuseRejectedText(unpacked, name)
  if (mapping !== undefined) return readSpreadsheet(text, name, mapping, { ...listeners, corrections })
  return readKinds(
    corrected(refuseRejectedRows(readTables(text, name, listeners), name), corrections),
    kind,
    name,
    listeners.onLeftOut,
  )
}

/** @returns an error if nothing says what the rows of a table are */
function formatOf(file: string, { format, kind, mapping, isRetry }: ReadFilesOptions): Format | InputError {
  const name = basename(file).replace(/\.gz$/i, '').toLowerCase()
  const isTable =
    format === undefined
      ? /\.(csv|tsv|txt|xlsx|xlsm|ods|xls)$/.test(name) ||
        (mapping !== undefined && !/\.(ndjson|jsonl|json)$/.test(name))
      : format === 'csv'
  if (!isTable) return { format: 'ndjson' }
  const known = kind ?? kindOfName(name.replace(/\.[^.]*$/, ''))
  // In a workbook, sheets may be named after kinds.
  if (known === undefined && mapping === undefined && !isRetry && !/\.(xlsx|xlsm|ods|xls)$/.test(name)) {
    return new InputError(
      `${visible(file)}: use --map with a mapping of its columns, which "sojourn import --explain ${visible(file)}" proposes; or, if its columns are called as fields are, --kind with the kind of its rows, one of ${KIND_NAMES.join(', ')}`,
    )
  }
  return { format: 'csv', ...(known && { kind: known }) }
}
