/** Files and standard input as one run of lines, whatever their formats. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { InputError } from './input-error.ts'
import { KIND_NAMES, type KindName } from './kinds/kind.ts'
import { readFileBytes, unpack } from './read-bytes.ts'
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

/** What standard input is called, on the command line and in problems. */
export const STDIN = '-'

/** The lines of all files in their order, each with its file's name; `-` is standard input. */
export async function* readFiles(
  files: readonly string[],
  stdin: AsyncIterable<Buffer>,
  options: ReadFilesOptions = {},
): AsyncGenerator<RecordLine> {
  // All of them before the first, so that a wrong name does not cost the time of an import.
  for (const file of files) await checkFile(file)
  const inputs = files.map((file) => ({ file, ...formatOf(file, options) }))
  for (const { file, format, kind } of inputs) {
    const isStdin = file === STDIN
    const name = isStdin ? 'standard input' : file
    const bytes = unpack(isStdin ? stdin : readFileBytes(file), name, /\.gz$/i.test(file))
    if (format === 'ndjson') yield* readNdjson(bytes, file)
    else yield* readCsv(bytes, kind, name, file)
  }
}

async function checkFile(file: string): Promise<void> {
  if (file === STDIN) return
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) throw new InputError(`${file}: there is no such file`)
  if (found.isDirectory()) throw new InputError(`${file} is a folder; name the files in it`)
}

function formatOf(
  file: string,
  options: ReadFilesOptions,
): { format: 'ndjson'; kind?: never } | { format: 'csv'; kind: KindName } {
  const name = basename(file).replace(/\.gz$/i, '').toLowerCase()
  const isCsv = options.format === undefined ? /\.(csv|tsv)$/.test(name) : options.format === 'csv'
  if (!isCsv) return { format: 'ndjson' }
  const stem = name.replace(/\.[^.]*$/, '')
  const kind =
    options.kind ??
    KIND_NAMES.find((known) => [known, `${known}s`].some((word) => word.toLowerCase() === stem))
  if (kind === undefined) {
    throw new InputError(
      `${file}: say of which kind the rows of this CSV file are, one of ${KIND_NAMES.join(', ')}`,
    )
  }
  return { format: 'csv', kind }
}
