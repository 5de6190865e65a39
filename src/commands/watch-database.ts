/** The database of one command. An interruption ends its work, and the caller learns how far the command has come. */
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable, TransactionOptions } from '../database/database.ts'
import { unlessInterrupted } from './interruption.ts'

export interface CommandWatch {
  readonly signal: AbortSignal
  /** whether the command has a transaction open, which on the embedded database makes everybody else wait */
  readonly onHold?: ((holds: boolean) => void) | undefined
  /** Awaited before each commit; until it resolves, nothing has been changed. If it rejects, nothing is committed. */
  readonly beforeCommit?: (() => Promise<void>) | undefined
  /** whether single statements of the command that are no `select` may change something, outside any transaction */
  readonly changes: boolean
}

export function watchDatabase(database: Database, watch: CommandWatch): Database {
  const { signal, onHold, beforeCommit = async () => {}, changes } = watch

  /** Sends one statement. If it only reads, an interruption leaves it to end by itself; otherwise its end is awaited. */
  const single = async <T>(isRead: boolean, run: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    if (!changes || isRead) return unlessInterrupted(signal, run())
    await beforeCommit()
    return run()
  }

  return {
    ...database,
    query: (sql) => single(isSelect(sql), () => database.query(sql)),
    queryArrays: (sql) => single(isSelect(sql), () => database.queryArrays(sql)),
    queryReserved: (sql) => single(isSelect(sql), () => database.queryReserved(sql)),
    runScript: (script) => single(false, () => database.runScript(script)),

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
      // Preparation changes nothing yet. If it is interrupted, it cleans up after itself.
      const prepare = async (steps: Queryable) => before?.(untilInterrupted(steps))
      const run = async (tx: Queryable) => {
        // The client may have gone while the command waited for the database.
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
      // While it waits for the database, nothing has been sent. From then on it ends by itself, soon.
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

/** A `with` may change something, so it does not count as reading. */
const isSelect = ({ sql }: Sql) => /^\s*select\s/.test(sql)
