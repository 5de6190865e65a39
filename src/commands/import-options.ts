/** What `sojourn import` is told, and which files that names. */

import { isMappingName } from '../fields/values.ts'
import { STDIN } from '../intake/files.ts'
import { UsageError } from './context.ts'
import { shellWord } from './words.ts'

export interface ImportCommandOptions {
  readonly center?: string
  readonly kind?: string
  readonly format?: string
  /** Looks at a file and imports nothing. */
  readonly explain?: boolean
  /** The kind of which it prints what to fill in, and imports nothing. */
  readonly template?: string
  readonly example?: boolean
  readonly csv?: boolean
  /** The file of a mapping, or the name of one that the center keeps. */
  readonly map?: string
  readonly skipInvalid?: boolean
  /** Where refused records go, whether or not the others are imported; with `skipInvalid` alone `<file>.rejects.…`. */
  readonly rejects?: string
  /** A file of rejects that were mended. */
  readonly retry?: string
  readonly keys?: boolean
  readonly audit?: boolean
  readonly restoreErased?: boolean
  readonly refuseErased?: boolean
  /** the kinds that the files are the whole of */
  readonly snapshot?: readonly string[]
  /** of a snapshot: only the bookings of this session */
  readonly session?: string
  readonly removeAtMost?: number
  /** the folder whose files are imported as they come */
  readonly watch?: string
  /** of a watched folder: the file that its metrics are written to */
  readonly metrics?: string
  /** whether the file was found by `--watch` */
  readonly watched?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** The exit code of an import for a watched folder where the file is to blame, and trying again would change nothing. */
export const FILE_REFUSED = 3

/** The exit code where the file from a watched folder is rejects, which are imported with `--retry`. */
export const REJECTS_GIVEN = 4

/** The command that imports rejects once they are mended, to be pasted. */
export function retryCommand(rejects: string, options: ImportCommandOptions): string {
  const { center, kind, format, map, keys, restoreErased } = options
  const valued = Object.entries({ center, kind, format, map, retry: rejects })
  return [
    'sojourn import',
    ...valued.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`])),
    ...(keys ? ['--keys'] : []),
    ...(restoreErased ? ['--restore-erased'] : []),
  ].join(' ')
}

/** @throws {UsageError} */
export function inputsOf(
  files: readonly string[],
  { retry }: Pick<ImportCommandOptions, 'retry'>,
): readonly string[] {
  if (retry === undefined) return files.length > 0 ? files : [STDIN]
  if (files.length > 0) throw new UsageError('--retry takes one file of rejects, and no others.')
  return [retry]
}

/** What refused records are written as: rows of a table as such, for the program that its user has for tables. */
export type RejectsForm = 'ndjson' | 'csv' | 'xlsx'

/** What `guests.csv` and `guests.csv.rejects.csv` become. */
const REJECTS = /\.rejects(?:-(\d+))?\.(?:ndjson|csv|xlsx)$/i

/** Where the refused records of an input go. */
export function rejectsPath(input: string, options: ImportCommandOptions): string {
  if (options.rejects !== undefined) return options.rejects
  const form = formOfInput(input, options)
  if (input === STDIN) return `stdin.rejects.${form}`
  const [again, times = '1'] = REJECTS.exec(input) ?? []
  return again === undefined
    ? `${input}.rejects.${form}`
    : `${input.slice(0, -again.length)}.rejects-${Number(times) + 1}.${form}`
}

export const rejectsFormOf = (path: string): RejectsForm =>
  /\.csv$/i.test(path) ? 'csv' : /\.xlsx$/i.test(path) ? 'xlsx' : 'ndjson'

/** As `readFiles` takes it for a table. */
export function formOfInput(input: string, { format, map }: ImportCommandOptions): RejectsForm {
  const name = input.replace(/\.gz$/i, '')
  if (/\.(?:xlsx|xlsm|ods)$/i.test(name)) return 'xlsx'
  if (format !== undefined) return format === 'csv' ? 'csv' : 'ndjson'
  if (/\.(?:csv|tsv|txt)$/i.test(name)) return 'csv'
  return map === undefined || /\.(?:ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv'
}

/** Every file that refused records may go to; none where they are not wanted. */
export function rejectsPaths(files: readonly string[], options: ImportCommandOptions): string[] {
  if (!wantsRejects(options)) return []
  return [...new Set(inputsOf(files, options).map((input) => rejectsPath(input, options)))]
}

export const wantsRejects = ({ skipInvalid, rejects, dryRun }: ImportCommandOptions): boolean =>
  (skipInvalid === true || rejects !== undefined) && dryRun !== true

/** Every file that is read: the records, and how to read them. */
export const readPaths = (files: readonly string[], options: ImportCommandOptions): readonly string[] => [
  ...inputsOf(files, options),
  ...(options.map === undefined || isMappingName(options.map) ? [] : [options.map]),
]
