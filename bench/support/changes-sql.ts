/** Statements for the measurement `changes`: a feed of many changes, and recording changes turned off and on. */
import sql, { raw, type Sql } from 'sql-template-tag'

/** This many commits of ten changes each, after those that the center has. */
export const manyCommits = (center: string, commits: number): readonly Sql[] => [
  sql`
    insert into change_commits (center_id, revision, transaction_id, committed_at)
    select ${center}, r.revision + n, (4000000000 + n)::text::xid8, now() - make_interval(secs => ${commits} - n)
    from center_revisions r, generate_series(1, ${commits}::int) n
    where r.center_id = ${center}`,
  sql`
    insert into changes (center_id, transaction_id, kind, id, operation, columns, session_ids, during)
    select ${center}, (4000000000 + n)::text::xid8, 'guest', 'b' || k, 'changed', '{bookings.status}', '{s1}',
      tstzmultirange(tstzrange('2025-03-01', '2025-03-08', '[]'))
    from generate_series(1, ${commits}::int) n, generate_series(1, 10) k`,
  sql`update center_revisions set revision = revision + ${commits} where center_id = ${center}`,
  sql`analyze change_commits, changes`,
]

/** The triggers of migration 0006 on the tables of records. */
export const switchNotes = (to: 'enable' | 'disable'): readonly Sql[] =>
  ['bookings', 'customers', 'orders', 'sessions'].flatMap((table) =>
    ['insert', 'update', 'delete']
      .filter((event) => table !== 'customers' || event === 'update')
      .map((event) => sql`alter table ${raw(table)} ${raw(to)} trigger ${raw(`note_changes_on_${event}`)}`),
  )

export const BOOKINGS: Sql = sql`
  insert into bookings (center_id, id, customer_id, role, status, start_date, end_date)
  select 'c1', 'b' || n, 'k' || n, 'guest', 'confirmed', '2025-03-01', '2025-03-08' from generate_series(1, 5000) n`
