/** What a backup says of itself, in its last file. */
import { POSTGRES_VERSION } from '../../database/embedded/folder-problems.ts'
import { COUNTED } from './backup-sql.ts'

export const FORMAT = 'sojourn-backup'
export const FORMAT_VERSION = 1

/** The first file of a backup, for a person who finds one. */
export const ABOUT_FILE = 'READ-ME.txt'
/** The last file: without it, a backup is not complete. */
export const CONTENTS_FILE = 'contents.json'
/** The folder of the database's files. */
export const DATA_FOLDER = 'database'

export const ABOUT = `This is a backup of the embedded database of Sojourn, made by "sojourn backup".

It contains everything that the database has: names, contact data, stays, orders, medical and financial data of
guests, the keys of applications as hashes, and the audit trail. Protect it like the database.

It does not contain: settings and their secrets, the log of erasures (erasures.ndjson), copies of reports, and reads
that were not in the audit trail yet.

"sojourn restore FILE" restores it into an empty DATA_DIR.
`

export type Contents = Readonly<Record<(typeof COUNTED)[number], number>> & {
  /** digests of the heads of all trails, and of the revisions of all centers */
  readonly heads: string
  readonly revisions: string
}

export interface BackupContents {
  readonly format: typeof FORMAT
  readonly formatVersion: number
  /** the version of Sojourn, with that of its schema */
  readonly sojourn: string
  readonly postgres: string
  /** ISO 8601, by the clock of the machine that made it */
  readonly at: string
  /** SHA-256 of everything before this file, uncompressed, hexadecimal */
  readonly sha256: string
  readonly contents: Contents
}

/** @returns undefined if the text is not of a backup that this version reads */
export function readContents(text: string): BackupContents | undefined {
  try {
    const found: unknown = JSON.parse(text)
    return isContents(found) ? found : undefined
  } catch {
    return undefined
  }
}

function isContents(found: unknown): found is BackupContents {
  const { format, formatVersion, sojourn, at, sha256, contents } = fieldsOf(found)
  const counted = fieldsOf(contents)
  return (
    format === FORMAT &&
    formatVersion === FORMAT_VERSION &&
    typeof sojourn === 'string' &&
    typeof at === 'string' &&
    typeof sha256 === 'string' &&
    fieldsOf(found).postgres === POSTGRES_VERSION &&
    COUNTED.every((table) => typeof counted[table] === 'number') &&
    typeof counted.heads === 'string' &&
    typeof counted.revisions === 'string'
  )
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The names of what differs, in the order of the fields. */
export const differing = (wanted: Contents, found: Contents): string[] =>
  ([...COUNTED, 'heads', 'revisions'] as const).filter((name) => wanted[name] !== found[name])
