/**
 * The one small interface of our own to PostgreSQL. Two drivers stand behind it: `postgres.ts` (a server)
 * and `embedded.ts` (PGlite, which is PostgreSQL in this process). Both speak the same SQL and answer in the
 * same types: timestamptz as epoch milliseconds, date as `YYYY-MM-DD`, bigint and numeric as numbers, json
 * parsed, bytea as bytes.
 */
import type { Sql } from 'sql-template-tag'

/** How much a statement reads, and so how long it may take. */
export type ReadKind = 'light' | 'heavy'

export type Row = Record<string, unknown>

export interface Queryable {
  /**
   * Runs one statement with bound parameters and gives its rows as objects.
   * @throws {DatabaseUnavailable} when the database does not answer in time, refuses for now, or the connection
   * is lost: whatever asking again later can mend.
   */
  query<R extends object = Row>(sql: Sql): Promise<R[]>
}

export interface TransactionOptions {
  /** Nothing that a request is answered from is changed by it: what was read before is still the newest. */
  readonly answersStay?: boolean
  /**
   * The only center whose rows it writes. The embedded database then answers reads of other centers between its
   * statements; everybody else waits for its end.
   */
  readonly center?: string | undefined
  /**
   * What goes before `work`, where others may have their turn in between: into temporary tables only. On PostgreSQL it
   * is in the same transaction. The embedded database has one session, and there each of its statements stands alone.
   */
  readonly before?: ((steps: Queryable) => Promise<void>) | undefined
  /** Takes back what `before` has left in the session, where the transaction did not go through. */
  readonly undo?: ((steps: Queryable) => Promise<void>) | undefined
}

/**
 * The rows of a statement that follow one of them, in the same order.
 * @param last undefined: from the first one on
 * @param limit at most so many; undefined: all
 */
export type RowsAfter = (last: readonly unknown[] | undefined, limit: number | undefined) => Sql

export interface Database extends Queryable {
  readonly engine: 'postgres' | 'embedded'

  /** reads that run at a time; one more waits for one of them, so who asks lets them wait in a fair order */
  readonly readsMax: number

  /** light reads of one statement that it takes together, as one of those */
  readonly togetherMax: number

  /** streams at a time; one more waits for one of them, and not for long */
  readonly streamsMax: number

  /**
   * Like `query`, rows as arrays in select order: the hot path, where column names only cost.
   * @param kind `heavy` for a statement that may take longer than most (PostgreSQL: 2.5 s instead of 1.5 s)
   * @param center whose rows it reads, and no other's: it does not wait for a transaction of another center
   */
  queryArrays(sql: Sql, kind?: ReadKind, center?: string): Promise<unknown[][]>

  /**
   * Like `query`, on a connection that no reader can take: what decides whether a request is let in, and whether
   * the service is healthy. So a request that is refused takes none of the pool, and long reads hold up neither.
   */
  queryReserved<R extends object = Row>(sql: Sql): Promise<R[]>

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
   * On the embedded database nothing else runs meanwhile but reads of other centers than `center`, so `work` must not
   * wait for `query`.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>

  /**
   * The rows of one statement in chunks, all from one snapshot, in flat memory however many there are.
   * Ending the loop early releases everything. On PostgreSQL it holds a connection meanwhile,
   * of those that streams have to themselves.
   * @param rowsAfter the same statement from one of its rows on: with it, the embedded database reads a chunk at a time
   */
  stream(sql: Sql, rowsPerChunk: number, rowsAfter?: RowsAfter): AsyncIterable<unknown[][]>

  /** Runs a script of several statements without parameters (migrations). */
  runScript(script: string): Promise<void>

  /**
   * A number that another one follows whenever something may have been committed. What was read while it was the
   * same is still the newest there is. Undefined where others commit too, which is told to nobody (PostgreSQL).
   */
  commits(): number | undefined

  /**
   * Whether it answers: with a statement of its own, or, where a transaction has the one session of the embedded
   * database, by that.
   * @throws {DatabaseUnavailable}
   */
  ping(): Promise<void>

  /**
   * Names what is to be read once more before an import takes the one session of the embedded database, so that it is
   * known meanwhile: the last one named counts. Never called on PostgreSQL, where others go on reading.
   */
  beforeHold(read: (reads: Queryable) => Promise<void>): void

  /**
   * Gives the room of rows that were changed or removed to new ones, where there are many of them, one table after the
   * other, so that others have their turn in between. A PostgreSQL server does so by itself: then this does nothing.
   */
  vacuum(): Promise<void>

  close(): Promise<void>
}

/** The database did not answer or refused for now: a 503, and worth trying again. The cause says which. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * The embedded database cannot write, or not be opened, because its disk is full. The message is for people, and
 * says what to do.
 */
export class DiskFull extends DatabaseUnavailable {}

/** The SQLSTATE of a database error, also of one that made it unavailable; undefined where there is none. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return sqlState(error.cause)
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}
