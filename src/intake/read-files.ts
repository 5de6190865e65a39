/** Files and standard input as one run of lines, whatever their formats. */
import { basename } from 'node:path'
import { type Files, STDIN } from './files.ts'
import { InputError } from './input-error.ts'
import { KIND_NAMES, type KindName } from './kinds/kind.ts'
import { unpack } from './read-bytes.ts'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'
import type { RecordLine } from './record-line.ts'

export type InputFormat = 'ndjson' | 'csv'

export interface ReadFilesOptions {
  /** What a CSV file's rows are; its name may say it too (`customers.csv`). */
  readonly kind?: KindName
  /** What the files are where their names do not tell. */
  readonly format?: InputFormat
}

/**
 * Opens all files, then gives their lines in order, each with its file's name; `-` is standard input.
 * @throws {InputError} for a file that cannot be opened, before a line of any is read
 */
export async function readFiles(
  names: readonly string[],
  files: Files,
  options: ReadFilesOptions = {},
): Promise<AsyncGenerator<RecordLine>> {
  const formats = names.map((name) => formatOf(name, options))
  // All of them before the first line, so that a wrong name does not cost the time of an import.
  const inputs: Input[] = []
  for (const [index, file] of names.entries()) {
    inputs.push({ file, bytes: await files.open(file), ...formats[index]! })
  }
  return linesOf(inputs)
}

type Format = { format: 'ndjson'; kind?: never } | { format: 'csv'; kind: KindName }
type Input = { readonly file: string; readonly bytes: AsyncIterable<Buffer> } & Format

async function* linesOf(inputs: readonly Input[]): AsyncGenerator<RecordLine> {
  for (const { file, bytes, format, kind } of inputs) {
    const name = file === STDIN ? 'standard input' : file
    const unpacked = unpack(bytes, name, /\.gz$/i.test(file))
    if (format === 'ndjson') yield* readNdjson(unpacked, file)
    else yield* readCsv(unpacked, kind, name, file)
  }
}

function formatOf(file: string, options: ReadFilesOptions): Format {
  const name = basename(file).replace(/\.gz$/i, '').toLowerCase()
  const isCsv = options.format === undefined ? /\.(csv|tsv)$/.test(name) : options.format === 'csv'
  if (!isCsv) return { format: 'ndjson' }
  const stem = name.replace(/\.[^.]*$/, '')
  const kind =
    options.kind ??
    KIND_NAMES.find((known) => [known, `${known}s`].some((word) => word.toLowerCase() === stem))
  if (kind === undefined) {
    throw new InputError(`${file}: use --kind to give the kind of its rows, one of ${KIND_NAMES.join(', ')}`)
  }
  return { format: 'csv', kind }
}
