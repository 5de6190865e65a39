/** A database that records the statements sent to it, and lets a test act before each one. */
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable, Row } from '../../src/core/database/database.ts'

export interface SentStatement {
  readonly by: 'query' | 'queryArrays' | 'queryReserved' | 'transaction' | 'stream'
  readonly text: string
  readonly values: readonly unknown[]
}

export interface WatchedDatabase {
  readonly database: Database
  /** all statements sent, in order */
  readonly sent: SentStatement[]
  /** called before a statement is sent; the caller gets what it throws */
  before: (statement: SentStatement) => void | Promise<void>
}

/** Wraps a database. */
export function watchDatabase(inner: Database): WatchedDatabase {
  const sent: SentStatement[] = []
  const note = async (by: SentStatement['by'], { text, values }: Sql) => {
    const statement = { by, text, values }
    sent.push(statement)
    await watched.before(statement)
  }
  const queryable = (of: Queryable, by: SentStatement['by']): Queryable => ({
    async query<R extends object = Row>(sql: Sql) {
      await note(by, sql)
      return of.query<R>(sql)
    },
  })
  const watched: WatchedDatabase = {
    sent,
    before: () => {},
    database: {
      readsMax: inner.readsMax,
      togetherMax: inner.togetherMax,
      streamsMax: inner.streamsMax,
      ...queryable(inner, 'query'),
      async queryArrays(sql, kind) {
        await note('queryArrays', sql)
        return inner.queryArrays(sql, kind)
      },
      async queryReserved<R extends object = Row>(sql: Sql) {
        await note('queryReserved', sql)
        return inner.queryReserved<R>(sql)
      },
      transaction: (work) => inner.transaction((tx) => work(queryable(tx, 'transaction'))),
      async *stream(sql, rowsPerChunk) {
        await note('stream', sql)
        yield* inner.stream(sql, rowsPerChunk)
      },
      runScript: (script) => inner.runScript(script),
      generation: () => inner.generation(),
      poolWaits: () => inner.poolWaits(),
      ping: () => inner.ping(),
      close: () => inner.close(),
    },
  }
  return watched
}
