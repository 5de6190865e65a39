import type { Sql } from 'sql-template-tag'
import type { Queryable, Row } from '../database.ts'
import { EarlierReads, prepareEarlierReads } from './earlier-reads.ts'
import type { Guests } from './guests.ts'
import type { Session } from './session.ts'
import { objects } from './wire.ts'

/**
 * Runs `work` in one transaction of a session that the caller uses exclusively. If the engine stops, all further
 * statements fail, because the session belongs to that engine: none reaches the engine started after it.
 * @param guests reads that may run between the statements
 */
export async function transaction<T>(
  session: Session,
  msMax: number,
  work: (tx: Queryable) => Promise<T>,
  guests?: Guests,
): Promise<T> {
  if (guests !== undefined) await prepareEarlierReads(session, msMax)
  await session.script('begin', msMax)
  try {
    guests?.open(session, await EarlierReads.open(session, msMax))
    const result = await work({
      async query<R extends object = Row>(sql: Sql) {
        const run = async () => objects<R>(await session.run(sql, msMax))
        return guests === undefined ? run() : guests.own(run)
      },
    })
    await guests?.close()
    const { tag } = await session.script('commit', msMax)
    // PostgreSQL's reply to a commit after the error of a failed statement was swallowed.
    if (tag === 'ROLLBACK') throw new Error('the transaction was rolled back instead of committed')
    return result
  } catch (error) {
    await guests?.close()
    // After a failed commit there is nothing to roll back, which is only a warning. An engine that has stopped has
    // rolled back.
    await session.script('rollback', msMax).catch(() => {})
    throw error
  }
}
