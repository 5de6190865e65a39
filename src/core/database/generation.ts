/**
 * Which server answers. After a failover or a restart, another server process answers, and it may have lost the newest
 * commits: it then gives their revisions to other ones. So whatever was read of one generation says nothing about the
 * next.
 */
import { hash } from 'node:crypto'
import { DatabaseUnavailable } from './database.ts'

/** Compared by identity: it is another one after each change, even if the server of before answers again. */
export interface Generation {
  /** the same for every instance on this server, and another after its restart */
  readonly name: string
}

export const generationNamed = (description: string): Generation => ({
  name: hash('sha256', description, 'base64url').slice(0, 12),
})

/**
 * One row and one value. It differs for every start of the server, for every recovery from a crash (which resets the
 * statistics, and may lose commits that did not wait for the disk), and for a database that was dropped and restored.
 */
export const SELECT_GENERATION = `select concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
  (select extract(epoch from stats_reset) from pg_stat_archiver),
  (select oid from pg_database where datname = current_database()))`

/** The same for a replica, which is another server for us once it no longer follows its primary. */
export const SELECT_REPLICA_GENERATION = `select concat_ws(' ', (${SELECT_GENERATION}), pg_is_in_recovery())`

interface Generations {
  generation(): Generation
}

/**
 * Called after reads that must be of the same server as an earlier one.
 * @param generation of the earlier read
 * @throws {DatabaseUnavailable} if another server has answered in the meantime
 */
export function requireGeneration(database: Generations, generation: Generation): void {
  if (database.generation() !== generation) throw new DatabaseUnavailable(OTHER_SERVER)
}

/** Runs a read that must be of this server. @throws {DatabaseUnavailable} */
export async function ofGeneration<T>(
  database: Generations,
  generation: Generation,
  read: () => Promise<T>,
): Promise<T> {
  const result = await read()
  requireGeneration(database, generation)
  return result
}

export const OTHER_SERVER = 'another database server answers now'
