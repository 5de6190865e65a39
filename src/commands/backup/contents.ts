/** The form of a backup: lines of text, compressed with zstd. */

import { CommandError } from '../../core/command-line/context.ts'
import { visible } from '../../core/errors/visible.ts'
import type { MonthRow, SequenceRow } from './backup-sql.ts'

/**
 * - one line of JSON (`Head`),
 * - for each table: one line of JSON (`TableHead`), its rows in the text form of COPY, and a line with `\.`,
 * - one line of JSON (`End`). Without it, a backup is not complete.
 */
export const FORMAT = 'sojourn-backup'
export const FORMAT_VERSION = 2
/** Ends the rows of a table, as in COPY. No row is this. */
export const END_OF_ROWS = '\\.'

export interface Head {
  readonly format: typeof FORMAT
  readonly formatVersion: number
  readonly about: string
  readonly sojourn: string
  /** the newest migration */
  readonly schema: number
  /** ISO 8601, by the clock of the machine that made it */
  readonly at: string
  readonly months: readonly MonthRow[]
}

export interface TableHead {
  readonly table: string
  readonly columns: readonly string[]
}

export interface End {
  /** rows of each table */
  readonly rows: Readonly<Record<string, number>>
  readonly sequences: readonly SequenceRow[]
  readonly heads: string
  readonly revisions: string
  /** SHA-256 of everything before this line, uncompressed, hexadecimal */
  readonly sha256: string
}

export const ABOUT =
  'Everything that a database of Sojourn has: names, contact data, stays, orders, medical and financial data of guests, the keys of applications as hashes, and the audit trail. Protect it like the database. "sojourn restore FILE" makes an empty database of it.'

/** The file is no backup, or not a whole one. */
export class NoBackup extends CommandError {
  constructor(path: string, why: string) {
    super(`${visible(path)} is not a complete backup: ${why}. Nothing was changed.`)
  }
}
