/** The last change of each record that an answer shows, which a calendar states for its events. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../records/centers/center.ts'
import { type Dependency, WHOLE_KIND } from './change.ts'
import { touchesOne } from './snapshots-sql.ts'

/** Earlier commits are not examined: each takes an index look-up. */
const COMMITS_MAX = 5000

/** A revision, and the time of its commit in epoch ms. */
export type LastChange = readonly [revision: number, at: number]

/** The changes `c` that concern this, with their commits `m`, in the newest commits. Uses the primary keys of both tables. */
const recent = (center: CenterId, dependency: Dependency): Sql => sql`
        from (
          select revision, transaction_id, committed_at from change_commits
          where center_id = ${center} order by revision desc limit ${COMMITS_MAX}
        ) m
        join changes c on c.center_id = ${center} and c.transaction_id = m.transaction_id
        where ${touchesOne(dependency)}`

const at = sql`floor(extract(epoch from m.committed_at) * 1000)`

/** A set `changed` of one row, which `lastChanges` reads. */
export const changedSet = (center: CenterId, dependency: Dependency): Sql => sql`changed as materialized (
      select coalesce(jsonb_object_agg(l.id, l.last), '{}') as by_id
      from (
        select c.id, max(array[m.revision, ${at}]) as last ${recent(center, dependency)}
        group by c.id
      ) l
    )`

/** The last change of one record, and the last one of all records of its kind: an array of two, null without one. */
export const lastChanges = (id: Sql): Sql =>
  sql`(select jsonb_build_array(by_id -> ${id}, by_id -> ${WHOLE_KIND}) from changed)`

/** The last change of any record, in the same form. */
export const lastChangeOfAny = (center: CenterId, dependency: Dependency): Sql => sql`(
      select jsonb_build_array(jsonb_build_array(m.revision, ${at})) ${recent(center, dependency)}
      order by m.revision desc limit 1
    )`

/** The later one of these; undefined if no change is known. */
export const lastOf = (changes: readonly (LastChange | null)[] | null): LastChange | undefined =>
  (changes ?? []).filter((one) => one !== null).sort(([a], [b]) => b - a)[0]
