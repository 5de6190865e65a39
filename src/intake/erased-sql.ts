/** Statements about people who were erased. All go by the primary key. */
import sql, { type Sql } from 'sql-template-tag'

/** The salt of a center's digests; no row where nobody was erased. */
export const selectSalt = (center: string): Sql => sql`
  select salt from erasures where center_id = ${center} order by digest limit 1`

/** Those of the digests (hexadecimal) that are of somebody who was erased. */
export const selectErased = (center: string, digests: readonly string[]): Sql => sql`
  select encode(digest, 'hex') as digest, erased_at from erasures
  where center_id = ${center} and digest = any(array(select decode(d, 'hex') from unnest(${digests}::text[]) d))`

export const insertErasure = (center: string, digest: string, salt: Buffer): Sql => sql`
  insert into erasures (center_id, digest, salt) values (${center}, decode(${digest}, 'hex'), ${salt})
  on conflict (center_id, digest) do update set erased_at = excluded.erased_at`

export const deleteErasures = (center: string, digests: readonly string[]): Sql => sql`
  delete from erasures
  where center_id = ${center} and digest = any(array(select decode(d, 'hex') from unnest(${digests}::text[]) d))`
