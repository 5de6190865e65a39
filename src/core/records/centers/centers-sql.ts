import sql, { type Sql } from 'sql-template-tag'

export interface CenterRow {
  readonly center_id: string
  readonly name: string
  readonly timezone: string
  readonly currency: string
}

/** Every center, in order: asked by the operator of the service, who may see all of them. */
export const selectCenters = (): Sql =>
  sql`select center_id, name, timezone, currency from centers order by center_id`

/** A center's time zone; no row where there is no such center. */
export function centerZone(centerId: string): Sql {
  return sql`select timezone from centers where center_id = ${centerId}`
}

/** Some centers' identifiers, in order: what a wrong one may have been meant to be. */
export function centerIds(limit: number): Sql {
  return sql`select center_id from centers order by center_id limit ${limit}`
}

/** The time zones of these centers. */
export function selectZones(centers: readonly string[]): Sql {
  return sql`select center_id, timezone from centers where center_id = any(${centers})`
}
