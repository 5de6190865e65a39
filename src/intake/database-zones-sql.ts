import sql, { type Sql } from 'sql-template-tag'

/**
 * Of these time zones, those that the database does not know; it, too, ignores their case. Listing all it knows
 * takes 0.1 s and more, so that is only done for one that no center has yet.
 */
export const unknownZonesSql = (zones: string[]): Sql => sql`
  select z.name
  from unnest(${zones}::text[]) as z (name)
  where not exists (select from centers c where c.timezone = z.name)
    and lower(z.name) not in (select lower(p.name) from pg_timezone_names p)`
