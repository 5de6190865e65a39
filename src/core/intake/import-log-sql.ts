import sql, { empty, type Sql } from 'sql-template-tag'
import type { RejectCause } from '../records/sources/delivery.ts'

/**
 * Adds the lines of one import, given as a JSON array with one for each center. Runs in the import's transaction after
 * its constraints have been checked, because the commit's revision is known by then. Its source is the one that was
 * named, or that of the application that sent it, or is named after the way. By primary keys.
 */
export const addImportSql = (lines: string): Sql => sql`
  insert into imports (center_id, ended_at, id, way, by_user, by_key, files, duration_ms, outcome, lines, rejected, problems,
    erased, counts, changed, source, file_time, causes, revision_before, revision_after)
  select l.center_id, clock_timestamp(), l.id, l.way, l.by_user, l.by_key, l.files, l.duration_ms, l.outcome, l.lines, l.rejected,
    l.problems, l.erased, l.counts, l.changed,
    coalesce(
      l.source,
      (select min(s.name) from sources s join api_keys k on k.center_id = s.center_id and k.app_id = s.app_id
        where s.center_id = l.center_id and k.public_key = l.by_key),
      l.way
    ),
    l.file_time, l.causes,
    coalesce(m.revision - 1, r.revision, 0), coalesce(m.revision, r.revision, 0)
  from json_to_recordset(${lines}::json) as l (
    center_id text, id text, way text, by_user text, by_key text, files jsonb, duration_ms integer, outcome text,
    lines bigint, rejected bigint, problems bigint, erased bigint, counts jsonb, changed bigint,
    source text, file_time timestamptz, causes jsonb
  )
  left join change_commits m
    on m.center_id = l.center_id and m.transaction_id = pg_current_xact_id_if_assigned()
  left join center_revisions r on r.center_id = l.center_id`

export interface ImportRow {
  readonly center_id: string
  /** epoch ms */
  readonly ended_at: number
  readonly id: string
  readonly way: 'command' | 'watch' | 'intake'
  readonly by_user: string | null
  readonly by_key: string | null
  readonly files: readonly { readonly sha256: string; readonly bytes: number }[]
  readonly duration_ms: number
  readonly outcome: 'done' | 'refused' | 'failed'
  readonly lines: number
  readonly rejected: number
  readonly problems: number
  readonly erased: number
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly changed: number
  readonly source: string
  /** epoch ms */
  readonly file_time: number | null
  readonly causes: readonly RejectCause[]
  readonly revision_before: number
  readonly revision_after: number
}

/** The newest lines of one center, or of all. By the primary key if a center is given. */
export const selectImportsSql = (center: string | undefined, limit: number): Sql => sql`
  select center_id, ended_at, id, way, by_user, by_key, files, duration_ms, outcome, lines, rejected, problems, erased,
    counts, changed, source, file_time, causes, revision_before, revision_after
  from imports
  ${center === undefined ? empty : sql`where center_id = ${center}`}
  order by ended_at desc, center_id, id
  limit ${limit}`

/** Each center that has lines. */
export const selectImportedCentersSql: Sql = sql`select distinct center_id from imports order by center_id`

/** Deletes lines older than this number of days. By the primary key. */
export const deleteOldImportsSql = (center: string, days: number): Sql => sql`
  delete from imports
  where center_id = ${center} and ended_at < clock_timestamp() - make_interval(days => ${days})`
