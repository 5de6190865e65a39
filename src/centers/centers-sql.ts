import sql, { type Sql } from 'sql-template-tag'

export interface CenterRow {
  readonly center_id: string
  readonly name: string
  readonly timezone: string
  readonly currency: string
}

/** Every center, in order: asked by whoever runs the service, who may see all of them. */
export const selectCenters = (): Sql =>
  sql`select center_id, name, timezone, currency from centers order by center_id`
