/**
 * Notices a pooler in transaction mode that DATABASE_POOLER does not announce: settings of a session and prepared statements
 * would reach some transactions and not others, which shows only under load.
 */
import type pg from 'pg'
import { connectOnce, type PostgresOptions } from './postgres/postgres-connections.ts'
import type { PostgresConnection } from './postgres/postgres-tls.ts'

/** Which process of the server runs this. */
export const SELECT_PROCESS = 'select pg_backend_pid() as pid'

export const IS_POOLED =
  'DATABASE_URL leads to a connection pooler in transaction mode: two connections had the same one to the server. The service uses settings of the session and prepared statements, which fail there.'
export const IF_POOLED =
  'Set DATABASE_POOLER=true, and run the statements of "sojourn pooler-settings"; or use session mode.'

const ROUNDS = 3

/** Whether two connections that are open at the same time are not each a session of its own. */
export async function shareProcesses(
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<boolean> {
  const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()]
  for (let round = 0; round < ROUNDS; round += 1) {
    ofFirst.add(await first())
    ofSecond.add(await second())
  }
  // A pooler that uses its connections one after the other gives a client another one each time.
  return ofFirst.size > 1 || ofSecond.size > 1 || !ofFirst.isDisjointFrom(ofSecond)
}

/** @throws if the server cannot be reached */
export async function isPooledByTransaction(
  connection: PostgresConnection,
  purpose: PostgresOptions['purpose'],
): Promise<boolean> {
  const first = await connectOnce(connection, purpose)
  try {
    const own = await processOf(first)
    // A pooler makes up the identifiers by which its clients cancel statements.
    if (own === first.processID) return false
    const second = await connectOnce(connection, purpose)
    try {
      return await shareProcesses(
        () => processOf(first),
        () => processOf(second),
      )
    } catch {
      // In session mode, a pool of one connection serves one client at a time.
      return false
    } finally {
      second.end().catch(() => {})
    }
  } finally {
    first.end().catch(() => {})
  }
}

async function processOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(SELECT_PROCESS)
  return Number(rows[0]?.pid)
}
