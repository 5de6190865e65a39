/** The database as one command sees it: an interruption ends its work, and who runs it learns how far it has come. */
import type { Database, Queryable, TransactionOptions } from '../database/database.ts'
import { unlessInterrupted } from './interruption.ts'

export interface CommandWatch {
  readonly signal: AbortSignal
  /** Whether the command has a transaction open, which on the embedded database keeps everybody else waiting. */
  readonly onHold?: ((holds: boolean) => void) | undefined
  /**
   * Awaited before anything is committed; what has not come to this has changed nothing. If it rejects, nothing is
   * committed.
   */
  readonly beforeCommit?: (() => Promise<void>) | undefined
  /** Whether the command's single statements may change something, outside of any transaction. */
  readonly changes: boolean
}

export function watchDatabase(database: Database, watch: CommandWatch): Database {
  const { signal, onHold, beforeCommit = async () => {}, changes } = watch

  /** One statement. That it may be sent is settled before; then it is waited for, or left to end by itself. */
  const single = async <T>(run: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    if (!changes) return unlessInterrupted(signal, run())
    await beforeCommit()
    return run()
  }

  return {
    ...database,
    query: (sql) => single(() => database.query(sql)),
    queryArrays: (sql) => single(() => database.queryArrays(sql)),
    queryReserved: (sql) => single(() => database.queryReserved(sql)),
    runScript: (script) => single(() => database.runScript(script)),

    async transaction<T>(
      work: (tx: Queryable) => Promise<T>,
      { before, ...options }: TransactionOptions = {},
    ): Promise<T> {
      signal.throwIfAborted()
      let hasBegun = false
      const untilInterrupted = (queryable: Queryable): Queryable => ({
        query(sql) {
          signal.throwIfAborted()
          return queryable.query(sql)
        },
      })
      // What is prepared changes nothing yet: interrupted there, it cleans up behind itself.
      const prepare = async (steps: Queryable) => before?.(untilInterrupted(steps))
      const run = async (tx: Queryable) => {
        // Whoever waited for this turn may have gone meanwhile.
        signal.throwIfAborted()
        hasBegun = true
        onHold?.(true)
        const result = await work(untilInterrupted(tx))
        signal.throwIfAborted()
        await beforeCommit()
        return result
      }
      const done = database.transaction(run, { ...options, ...(before && { before: prepare }) })
      const ended = done.finally(() => onHold?.(false))
      ended.catch(() => {})
      // While it waits for its turn nothing of it is under way; from then on it ends by itself, soon.
      try {
        return await unlessInterrupted(signal, ended)
      } catch (error) {
        if (!hasBegun) throw error
        return ended
      }
    },

    async *stream(sql, rowsPerChunk, rowsAfter, center) {
      signal.throwIfAborted()
      for await (const rows of database.stream(sql, rowsPerChunk, rowsAfter, center)) {
        signal.throwIfAborted()
        yield rows
      }
    },
  }
}
