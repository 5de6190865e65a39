/**
 * Whether the numbers of transactions in the database are those of its own server. A restore of a dump brings the numbers
 * of another one. If the new server gives such a number once more, the commit is taken for one that is noted already: the
 * revision does not move, cached answers stay, and the change feed is silent.
 */
import sql from 'sql-template-tag'
import type { Queryable } from './database.ts'

/** Name of the step, as `migrate` reports it. */
export const NEW_HISTORY = 'new-history'

interface Origin {
  /** undefined if none is stored */
  readonly stored: string | undefined
  /** identifier of this server's data, which a physical copy shares; undefined if the role may not read it */
  readonly own: string | undefined
  /** whether numbers are stored that this server has not given yet: a physical copy that is older than the dump */
  readonly isAhead: boolean
}

/** Whether the numbers must be removed before anything is written. */
export async function isFromElsewhere(database: Queryable): Promise<boolean> {
  const origin = await readOrigin(database)
  return origin !== undefined && differs(origin)
}

/**
 * Removes the numbers of another server and begins a new history: cursors of before are a 410. Stores the server.
 * @returns whether that was necessary
 */
export async function settleOrigin(tx: Queryable): Promise<boolean> {
  const origin = await readOrigin(tx)
  if (origin === undefined) return false
  const isForeign = differs(origin)
  if (isForeign) {
    await tx.query(sql`truncate center_touches, changes, change_commits`)
    await tx.query(sql`update center_revisions set history_id = gen_random_uuid()`)
  }
  if (origin.own !== undefined && origin.own !== origin.stored) {
    await tx.query(sql`
      insert into database_origin (system_identifier) values (${origin.own})
      on conflict (only_row) do update set system_identifier = excluded.system_identifier`)
  }
  return isForeign
}

const differs = ({ stored, own, isAhead }: Origin): boolean =>
  isAhead || (stored !== undefined && own !== undefined && stored !== own)

/** @returns undefined for a schema of before there was such a table */
async function readOrigin(database: Queryable): Promise<Origin | undefined> {
  const [can] = await database.query<{ has_table: boolean; may_read: boolean }>(sql`
    select to_regclass('database_origin') is not null as has_table,
      has_function_privilege('pg_control_system()', 'execute') as may_read`)
  if (!can?.has_table) return undefined
  const own = can.may_read
    ? await database.query<{ id: string }>(sql`select system_identifier::text as id from pg_control_system()`)
    : []
  const stored = await database.query<{ id: string }>(
    sql`select system_identifier as id from database_origin`,
  )
  // One index look-up for each center and table. Each number that a snapshot shows is below its end.
  const [numbers] = await database.query<{ ahead: boolean }>(sql`
    select coalesce(bool_or(newest.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())), false) as ahead
    from center_revisions r
    cross join lateral (
      (select transaction_id from change_commits
       where center_id = r.center_id order by transaction_id desc limit 1)
      union all
      (select transaction_id from changes where center_id = r.center_id order by transaction_id desc limit 1)
      union all
      (select transaction_id from center_touches where center_id = r.center_id order by transaction_id desc limit 1)
    ) newest`)
  return { stored: stored[0]?.id, own: own[0]?.id, isAhead: numbers?.ahead ?? false }
}
