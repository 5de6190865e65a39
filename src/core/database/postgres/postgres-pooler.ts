/**
 * Connections through a pooler in transaction mode, which gives each transaction any of its connections to the server:
 * nothing stays in a session. There are no prepared statements, the role has the settings that sessions would set, and
 * each transaction begins with its time-out and the description of its server.
 */
import { DatabaseUnavailable } from '../database.ts'
import type { Preamble } from './postgres-pipeline.ts'

/** What `alter role` sets instead of each session. */
export const ROLE_SETTINGS = {
  TimeZone: 'UTC',
  plan_cache_mode: 'force_generic_plan',
  enable_memoize: 'off',
  max_parallel_workers_per_gather: '0',
  enable_seqscan: 'off',
  jit: 'off',
} as const

/** Statements for the owner of the role. @param role its name */
export const alterRole = (role: string): string[] =>
  Object.entries(ROLE_SETTINGS).map(
    ([name, value]) => `alter role "${role.replaceAll('"', '""')}" set ${name} to '${value}';`,
  )

/** One row and one value: the settings as JSON. */
export const SELECT_ROLE_SETTINGS = `select json_build_object(${Object.keys(ROLE_SETTINGS)
  .map((name) => `'${name}', current_setting('${name}')`)
  .join(', ')})::text`

/** @throws {DatabaseUnavailable} if the role lacks one of them; it works again once that is corrected */
export function requireRoleSettings(found: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(ROLE_SETTINGS).filter(([name, value]) => found[name] !== value)
  if (wrong.length === 0) return
  const list = wrong.map(([name, value]) => `${name} is ${found[name]} instead of ${value}`).join(', ')
  throw new DatabaseUnavailable(
    `with DATABASE_POOLER, the settings of a session belong to the role: ${list}. Run the statements of "sojourn pooler-settings" as the role's owner, and reconnect the pooler (PgBouncer: RECONNECT)`,
  )
}

/** A command takes these back in its transactions, because they make requests fast and long work slow. */
export const FOR_LONG_WORK = [
  'set local plan_cache_mode to auto',
  'set local enable_memoize to on',
  'set local max_parallel_workers_per_gather to 2',
  'set local enable_seqscan to on',
]

/**
 * The first statement of a transaction.
 * @param timeoutMs for each of its statements; 0: none
 * @param select one row and one text, about the server that runs it
 * @param onServer called with this text
 */
export function preambleOf(
  timeoutMs: number,
  select: string,
  onServer: (description: string) => void,
): Preamble {
  return {
    // In one statement, because each one more costs the server as much as a small read.
    text: `select case when set_config('statement_timeout', '${timeoutMs}', true) is not null
      then (${select}) end as server`,
    received: (description) => onServer(description ?? ''),
  }
}
