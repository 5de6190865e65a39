/** What statements of the administration share. Times are those of the database. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../records/centers/center.ts'

/** What a key may grant: at most one row. Uses the primary key. */
export const selectGrants = (center: CenterId, publicKey: string): Sql => sql`
    select grants from api_keys where center_id = ${center} and public_key = ${publicKey}`

/** A part of a list. */
export interface PartOfList {
  readonly offset: number
  readonly limit: number
  /** also those that have ended */
  readonly ended: boolean
}

/** A moment as ISO 8601 in UTC. */
export const isoText = (moment: Sql) =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
