/** What `sojourn import` is told, and which files that names. */
import { STDIN } from '../intake/files.ts'

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
  /** The file of a mapping. */
  readonly map?: string
  readonly skipInvalid?: boolean
  /** Where refused lines go, whether or not the others are imported; with `skipInvalid` alone `<file>.rejects.ndjson`. */
  readonly rejects?: string
  readonly keys?: boolean
  readonly audit?: boolean
  readonly restoreErased?: boolean
  /** the kinds that the files are the whole of */
  readonly snapshot?: readonly string[]
  /** of a snapshot: only the bookings of this session */
  readonly session?: string
  readonly removeAtMost?: number
  /** the folder whose files are imported as they come */
  readonly watch?: string
  /** whether the file was found by `--watch` */
  readonly watched?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** The exit code of an import for a watched folder where the file is to blame, and trying again would change nothing. */
export const FILE_REFUSED = 3

export const inputsOf = (files: readonly string[]): readonly string[] => (files.length > 0 ? files : [STDIN])

/** Where the refused lines of an input go. */
export function rejectsPath(input: string, { rejects }: ImportCommandOptions): string {
  return rejects ?? (input === STDIN ? 'stdin.rejects.ndjson' : `${input}.rejects.ndjson`)
}

/** Every file that refused lines may go to; none where they are not wanted. */
export function rejectsPaths(files: readonly string[], options: ImportCommandOptions): string[] {
  if (!wantsRejects(options)) return []
  return [...new Set(inputsOf(files).map((input) => rejectsPath(input, options)))]
}

export const wantsRejects = ({ skipInvalid, rejects, dryRun }: ImportCommandOptions): boolean =>
  (skipInvalid === true || rejects !== undefined) && dryRun !== true

/** Every file that is read: the records, and how to read them. */
export const readPaths = (files: readonly string[], { map }: ImportCommandOptions): readonly string[] => [
  ...inputsOf(files),
  ...(map === undefined ? [] : [map]),
]
