import sql, { type Sql } from 'sql-template-tag'

/** Of these time zones, those that no center has yet. A table of thousands of rows at most. */
export const newZonesSql = (zones: string[]): Sql => sql`
  select z.name
  from unnest(${zones}::text[]) as z (name)
  where not exists (select from centers c where c.timezone = z.name)`

/**
 * Fails with 22023 where the database does not know the time zone. It could also be looked up in
 * pg_timezone_names, but that reads every zone's file, which takes 0.1 s and more.
 */
export const tryZoneSql = (zone: string): Sql => sql`select to_timestamp(0) at time zone ${zone} as moment`

export const zoneSavepointSql: Sql = sql`savepoint before_zone`
export const rollbackToZoneSavepointSql: Sql = sql`rollback to savepoint before_zone`
export const releaseZoneSavepointSql: Sql = sql`release savepoint before_zone`
