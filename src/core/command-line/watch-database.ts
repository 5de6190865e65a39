/** The database of one command. An interruption ends its work, and the caller learns how far the command has come. */
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable, TransactionOptions } from '../database/database.ts'
import { unlessInterrupted } from './interruption.ts'

export interface CommandWatch {
  readonly signal: AbortSignal
  /** Called before each commit; until then, nothing has been changed. */
  readonly onCommit: () => void
  /** whether single statements of the command that are no `select` may change something, outside any transaction */
  readonly changes: boolean
}

export function watchDatabase(database: Database, watch: CommandWatch): Database {
  const { signal, onCommit, changes } = watch

  /** Sends one statement. If it only reads, an interruption leaves it to end by itself; otherwise its end is awaited. */
  const single = async <T>(isRead: boolean, run: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    if (!changes || isRead) return unlessInterrupted(signal, run())
    onCommit()
    return run()
  }

  return {
    ...database,
    query: (sql) => single(isSelect(sql), () => database.query(sql)),
    queryArrays: (sql) => single(isSelect(sql), () => database.queryArrays(sql)),
    queryReserved: (sql) => single(isSelect(sql), () => database.queryReserved(sql)),
    runScript: (script) => single(false, () => database.runScript(script)),

    async transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T> {
      signal.throwIfAborted()
      let hasBegun = false
      const run = async (tx: Queryable) => {
        // The interruption may have come while the command waited for the database.
        signal.throwIfAborted()
        hasBegun = true
        const result = await work({
          query(sql) {
            signal.throwIfAborted()
            return tx.query(sql)
          },
        })
        signal.throwIfAborted()
        onCommit()
        return result
      }
      const ended = database.transaction(run, options)
      ended.catch(() => {})
      // While it waits for the database, nothing has been sent. From then on it ends by itself, soon.
      try {
        return await unlessInterrupted(signal, ended)
      } catch (error) {
        if (!hasBegun) throw error
        return ended
      }
    },

    async *stream(sql, rowsPerChunk) {
      signal.throwIfAborted()
      for await (const rows of database.stream(sql, rowsPerChunk)) {
        signal.throwIfAborted()
        yield rows
      }
    },
  }
}

/** A `with` may change something, so it does not count as reading. */
const isSelect = ({ sql }: Sql) => /^\s*select\s/.test(sql)
