/** The options of `sojourn import`, and the files that they name. */

import { UsageError } from '../core/command-line/context.ts'
import { shellWord } from '../core/command-line/words.ts'
import { STDIN } from '../core/intake/lines/files.ts'
import { type RejectsForm, formOfInput as rejectsFormOfInput } from '../core/intake/rejects/rejects-form.ts'

export interface ImportCommandOptions {
  readonly center?: string
  readonly kind?: string
  readonly format?: string
  /** describe a file, import nothing */
  readonly explain?: boolean
  /** print a template for this kind, import nothing */
  readonly template?: string
  readonly example?: boolean
  readonly csv?: boolean
  /** the file of a mapping, or the name of one that is stored for the center */
  readonly map?: string
  readonly skipInvalid?: boolean
  /** path for refused records, whether or not the others are imported; with `skipInvalid` alone `<file>.rejects.…` */
  readonly rejects?: string
  /** a file of rejects that were corrected */
  readonly retry?: string
  readonly keys?: boolean
  readonly audit?: boolean
  readonly restoreErased?: boolean
  readonly refuseErased?: boolean
  /** the kinds that the files contain completely */
  readonly snapshot?: readonly string[]
  /** of a snapshot: only the bookings of this session */
  readonly session?: string
  readonly removeAtMost?: number
  /** the folder whose files are imported as they arrive */
  readonly watch?: string
  /** of a watched folder: the file for its metrics */
  readonly metrics?: string
  /** the watched folder whose imported files are deleted, and nothing is imported */
  readonly deleteImported?: string
  /** whether the file was found by `--watch` */
  readonly watched?: boolean
  /** name of the source that delivers the files */
  readonly source?: string
  /** when the file was last written to, epoch ms; set by the process that has the file */
  readonly fileTime?: number
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** The exit code of an import from a watched folder if the file is the cause, and trying again would not help. */
export const FILE_REFUSED = 3

/** The exit code if the file in the watched folder contains rejects, which are imported with `--retry`. */
export const REJECTS_GIVEN = 4

/** The command that imports the corrected rejects. */
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

/** Matches names such as `guests.csv.rejects.csv`. */
const REJECTS = /\.rejects(?:-(\d+))?\.(?:ndjson|csv|xlsx)$/i

/** The path for the refused records of an input. */
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

export const formOfInput = (input: string, { format, map }: ImportCommandOptions): RejectsForm =>
  rejectsFormOfInput(input, { format, isMapped: map !== undefined })

export const wantsRejects = ({ skipInvalid, rejects, dryRun }: ImportCommandOptions): boolean =>
  (skipInvalid === true || rejects !== undefined) && dryRun !== true
