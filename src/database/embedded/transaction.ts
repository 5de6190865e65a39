import type { Sql } from 'sql-template-tag'
import type { Queryable, Row } from '../database.ts'
import type { Guests } from './guests.ts'
import type { Session } from './session.ts'
import { objects } from './wire.ts'

/**
 * Runs `work` in one transaction of a session that nobody else uses meanwhile. Where the engine ends in it, every
 * further statement fails, for the session is that engine's: nothing strays into the one that comes after.
 * @param guests may read between its statements
 */
export async function transaction<T>(
  session: Session,
  msMax: number,
  work: (tx: Queryable) => Promise<T>,
  guests?: Guests,
): Promise<T> {
  await session.script('begin', msMax)
  guests?.open(session)
  try {
    const result = await work({
      async query<R extends object = Row>(sql: Sql) {
        const run = async () => objects<R>(await session.run(sql, msMax))
        return guests === undefined ? run() : guests.own(run)
      },
    })
    await guests?.close()
    const { tag } = await session.script('commit', msMax)
    // PostgreSQL's answer to a commit where a statement failed and its error was swallowed.
    if (tag === 'ROLLBACK') throw new Error('the transaction was rolled back instead of committed')
    return result
  } catch (error) {
    await guests?.close()
    // After a failed commit there is nothing to roll back, which is a warning and no error; an engine that has
    // ended has rolled back.
    await session.script('rollback', msMax).catch(() => {})
    throw error
  }
}
