/** Statements that copy erasures between the database and the log of erasures. Digests and salts are hexadecimal. */
import sql, { type Sql } from 'sql-template-tag'

/** The erasure of each customer, with the digests of everything that was erased with them. */
export const selectErasures: Sql = sql`
  select e.center_id as center, encode(e.salt, 'hex') as salt, encode(e.digest, 'hex') as customer,
    e.erased_at as at,
    (
      select coalesce(json_agg(encode(d.digest, 'hex') order by d.digest), '[]')
      from erasures d where d.center_id = e.center_id and d.customer = e.digest
    ) as digests
  from erasures e
  where e.customer is null
  order by e.center_id, e.digest`

/** Who was imported again on purpose. */
export const selectLifted: Sql = sql`
  select center_id as center, encode(digest, 'hex') as customer, lifted_at as at from erasures_lifted`

/** The customers of a center with one of these digests. Reads all customers of the center. */
export const customersByDigest = (center: string, salt: string, digests: readonly string[]): Sql => sql`
  select c.id, d.digest
  from customers c
  join unnest(${digests}::text[]) as d (digest)
    on sha256(decode(${salt}, 'hex') || convert_to(c.id, 'UTF8')) = decode(d.digest, 'hex')
  where c.center_id = ${center}`

/** Notes that a person is stored on purpose, although the log has an erasure. */
export const insertLifted = (center: string, digest: string): Sql => sql`
  insert into erasures_lifted (center_id, digest) values (${center}, decode(${digest}, 'hex'))
  on conflict (center_id, digest) do update set lifted_at = clock_timestamp()`
