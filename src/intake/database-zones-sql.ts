import sql, { type Sql } from 'sql-template-tag'

/** Of these time zones, the ones that no center has yet. The table has at most thousands of rows. */
export const newZonesSql = (zones: string[]): Sql => sql`
  select z.name
  from unnest(${zones}::text[]) as z (name)
  where not exists (select from centers c where c.timezone = z.name)`

/**
 * Fails with 22023 if the database does not know the time zone. Looking it up in pg_timezone_names would read the file
 * of every zone, which takes 0.1 s or more.
 */
export const tryZoneSql = (zone: string): Sql => sql`select to_timestamp(0) at time zone ${zone} as moment`

export const zoneSavepointSql: Sql = sql`savepoint before_zone`
export const rollbackToZoneSavepointSql: Sql = sql`rollback to savepoint before_zone`
export const releaseZoneSavepointSql: Sql = sql`release savepoint before_zone`
