/** The statements that store contradictions. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../../core/records/centers/center.ts'
import type { Found } from './evidence.ts'

/** Removes contradictions that do not exist any more. By primary key. */
export const deleteGone = (center: CenterId, ids: readonly string[]): Sql => sql`
  delete from contradictions where center_id = ${center} and id = any(${[...ids]}::text[])`

/**
 * Stores contradictions, or what has changed in them. A dismissal ends when the compared values have changed; a changed
 * name does not end it.
 */
export const upsertFound = (center: CenterId, all: readonly Found[]): Sql => sql`
  insert into contradictions as k (center_id, id, kind, since, changed_at, digest, form, evidence, expires_at)
  select ${center}, f.id, f.kind, clock_timestamp(), clock_timestamp(), f.digest, f.form, f.evidence,
    to_timestamp(f."expiresAt" / 1000)
  from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as f (
    id text, kind text, digest text, form text, evidence jsonb, "expiresAt" double precision
  )
  on conflict (center_id, id) do update set
    form = excluded.form, evidence = excluded.evidence, expires_at = excluded.expires_at, digest = excluded.digest,
    changed_at = case when k.digest = excluded.digest then k.changed_at else excluded.changed_at end,
    dismissed_at = case when k.digest = excluded.digest then k.dismissed_at end,
    dismissed_by = case when k.digest = excluded.digest then k.dismissed_by end,
    dismissed_reason = case when k.digest = excluded.digest then k.dismissed_reason end
  where k.form <> excluded.form or k.digest <> excluded.digest`

/** The records of contradictions that were just stored: first those that do not belong to them any more. */
export const deleteRecords = (center: CenterId, ids: readonly string[]): Sql => sql`
  delete from contradiction_records where center_id = ${center} and contradiction_id = any(${[...ids]}::text[])`

export const insertRecords = (center: CenterId, all: readonly Found[]): Sql => sql`
  insert into contradiction_records (center_id, record, contradiction_id)
  select ${center}, r.record, r.id
  from unnest(
    ${all.flatMap(({ records }) => records)}::text[], ${all.flatMap(({ id, records }) => records.map(() => id))}::text[]
  ) as r (record, id)
  on conflict do nothing`

/**
 * Those of these records that exist, as rows with `record`, locked against deletion until the commit: nothing is stored
 * about a person who is being erased.
 */
export const lockRecords = (
  center: CenterId,
  of: Readonly<Record<'guest' | 'customer' | 'order', readonly string[]>>,
): Sql => sql`
  with guests as materialized (
    select id from bookings where center_id = ${center} and id = any(${[...of.guest]}::text[]) order by id for key share
  ), people as materialized (
    select id from customers where center_id = ${center} and id = any(${[...of.customer]}::text[]) order by id for key share
  ), ordered as materialized (
    select uuid from orders where center_id = ${center} and uuid = any(${[...of.order]}::text[]) order by uuid for key share
  )
  select 'guest:' || id as record from guests
  union all select 'customer:' || id from people
  union all select 'order:' || uuid from ordered`

/** Removes contradictions that have ended because time has passed. Along contradictions_by_end. */
export const deleteExpired = (center: CenterId): Sql => sql`
  delete from contradictions where center_id = ${center} and expires_at <= clock_timestamp()`

/** The kind of a contradiction with this evidence, locked; no row if there is none. By primary key. */
export const selectKind = (center: CenterId, id: string, digest: string): Sql => sql`
  select kind from contradictions where center_id = ${center} and id = ${id} and digest = ${digest} for update`

/** Dismisses a contradiction, or takes that back. Returns when it was dismissed. */
export const setDismissed = (
  center: CenterId,
  id: string,
  { reason, name }: { readonly reason: string | null; readonly name: string },
): Sql => sql`
  update contradictions set
    dismissed_at = case when ${reason}::text is not null then clock_timestamp() end,
    dismissed_by = case when ${reason}::text is not null then ${name}::text end,
    dismissed_reason = ${reason}::text
  where center_id = ${center} and id = ${id}
  returning dismissed_at as at`
