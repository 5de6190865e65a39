import sql, { type Sql } from 'sql-template-tag'

/** Of these time zones, those that the database does not know; it, too, ignores their case. */
export const unknownZonesSql = (zones: string[]): Sql => sql`
  select z.name
  from unnest(${zones}::text[]) as z (name)
  where lower(z.name) not in (select lower(p.name) from pg_timezone_names p)`
