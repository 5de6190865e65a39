/** Files and standard input as one run of lines, whatever their formats. */
import { basename } from 'node:path'
import { type Files, STDIN } from './files.ts'
import { InputError } from './input-error.ts'
import { KIND_NAMES, type KindName } from './kinds/kind.ts'
import { mapRows } from './mapping/map-rows.ts'
import type { Mapping } from './mapping/mapping.ts'
import { unpack } from './read-bytes.ts'
import { readNdjson } from './read-ndjson.ts'
import { readRecordRows } from './read-record-rows.ts'
import type { RecordLine } from './record-line.ts'
import { type CsvForm, readCsvRows } from './tables/csv-rows.ts'

export const INPUT_FORMATS = ['ndjson', 'csv'] as const
export type InputFormat = (typeof INPUT_FORMATS)[number]

export interface ReadFilesOptions {
  /** What a CSV file's rows are; its name may say it too (`customers.csv`). */
  readonly kind?: KindName
  /** What the files are where their names do not tell. */
  readonly format?: InputFormat
  /** What becomes of the rows of tables whose columns are not named as fields are. */
  readonly mapping?: Mapping
  /** Told what each CSV file turned out to be, once it has been read. */
  readonly onForm?: (file: string, form: CsvForm) => void
}

/**
 * Opens all files, then gives their lines in order, each with its file's name; `-` is standard input.
 * @throws {InputError} for a file that cannot be opened, before a line of any is read
 */
export async function readFiles(
  names: readonly string[],
  files: Pick<Files, 'open'>,
  options: ReadFilesOptions = {},
): Promise<AsyncGenerator<RecordLine>> {
  const formats = names.map((name) => formatOf(name, options))
  // All of them before the first line, so that a wrong name does not cost the time of an import.
  const inputs: Input[] = []
  for (const [index, file] of names.entries()) {
    inputs.push({ file, bytes: await files.open(file), ...formats[index]! })
  }
  return linesOf(inputs, options)
}

interface Format {
  readonly format: InputFormat
  /** Of the rows, where no mapping says it. */
  readonly kind?: KindName
}
interface Input extends Format {
  readonly file: string
  readonly bytes: AsyncIterable<Buffer>
}

async function* linesOf(inputs: readonly Input[], options: ReadFilesOptions): AsyncGenerator<RecordLine> {
  for (const input of inputs) {
    for await (const line of recordsOf(input, options)) yield { ...line, file: input.file }
  }
}

function recordsOf({ file, bytes, format, kind }: Input, options: ReadFilesOptions) {
  const name = file === STDIN ? 'standard input' : file
  const unpacked = unpack(bytes, name, /\.gz$/i.test(file))
  if (format === 'ndjson') return readNdjson(unpacked, name)
  const { mapping } = options
  const table = {
    rows: readCsvRows(unpacked, name, mapping, (form) => options.onForm?.(file, form)),
  }
  const [first] = mapping?.tables ?? []
  if (first !== undefined) return mapRows(table, first, name)
  return readRecordRows(table, kind!, name)
}

function formatOf(file: string, { format, kind, mapping }: ReadFilesOptions): Format {
  const name = basename(file).replace(/\.gz$/i, '').toLowerCase()
  const isCsv =
    format === undefined
      ? /\.(csv|tsv|txt)$/.test(name) || (mapping !== undefined && !/\.(ndjson|jsonl|json)$/.test(name))
      : format === 'csv'
  if (!isCsv) return { format: 'ndjson' }
  if (mapping !== undefined) return { format: 'csv' }
  const stem = name.replace(/\.[^.]*$/, '')
  const known =
    kind ?? KIND_NAMES.find((known) => [known, `${known}s`].some((word) => word.toLowerCase() === stem))
  if (known === undefined) {
    throw new InputError(
      `${file}: use --kind to give the kind of its rows, one of ${KIND_NAMES.join(', ')}, or --map with a mapping of its columns`,
    )
  }
  return { format: 'csv', kind: known }
}
