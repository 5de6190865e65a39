/** What a backup contains, counted at its moment and again in the copy. */
import sql, { type Sql } from 'sql-template-tag'

/** Tables of which the rows are counted. */
export const COUNTED = [
  'centers',
  'customers',
  'bookings',
  'sessions',
  'orders',
  'terms',
  'api_keys',
  'audit_entries',
] as const

/**
 * One row, of the whole database: the numbers of rows, and digests of the revisions of all centers and of the heads of their
 * trails, which depend on every commit and every entry. Reads an index of each table.
 */
export const selectContents: Sql = sql`
  select (select count(*) from centers)::float8 as centers,
    (select count(*) from customers)::float8 as customers,
    (select count(*) from bookings)::float8 as bookings,
    (select count(*) from sessions)::float8 as sessions,
    (select count(*) from orders)::float8 as orders,
    (select count(*) from terms)::float8 as terms,
    (select count(*) from api_keys)::float8 as api_keys,
    (select count(*) from audit_entries)::float8 as audit_entries,
    coalesce((select md5(string_agg(concat_ws(' ', center_id, seq, encode(hash, 'hex')), ',' order by center_id))
      from audit_heads), '') as heads,
    coalesce((select md5(string_agg(concat_ws(' ', center_id, revision, history_id), ',' order by center_id))
      from center_revisions), '') as revisions`
