/**
 * The project's own interface to PostgreSQL (`postgres.ts` is its driver). Types: timestamptz as epoch milliseconds, date as
 * `YYYY-MM-DD`, bigint and numeric as numbers, json parsed, bytea as bytes.
 */
import type { Sql } from 'sql-template-tag'
import type { Generation } from './generation.ts'

/** How much a statement reads, which decides how long it may take. */
export type ReadKind = 'light' | 'heavy'

export type Row = Record<string, unknown>

export interface Queryable {
  /**
   * Runs one statement with bound parameters and returns its rows as objects.
   * @throws {DatabaseUnavailable} if the database does not answer in time, refuses temporarily, or the connection is
   * lost: everything that a later retry may solve
   */
  query<R extends object = Row>(sql: Sql): Promise<R[]>
}

/** Waits for a connection of a pool, because none was idle. */
export interface PoolWaits {
  readonly pool: 'reads' | 'streams' | 'writes' | 'reserved'
  readonly waits: number
  readonly seconds: number
}

export interface TransactionOptions {
  /**
   * `reserve`: it revokes access with a few rows, so it may use the space that is reserved on the disk of a folder. Other writes are
   * refused while that disk is full.
   */
  readonly space?: 'reserve'
}

export interface Database extends Queryable {
  /** reads that run simultaneously; more wait for these to end, so callers queue them in a fair order */
  readonly readsMax: number

  /** light reads of one statement that may share one of these slots */
  readonly togetherMax: number

  /** simultaneous streams; one more waits briefly for one of them to end */
  readonly streamsMax: number

  /**
   * Like `query`, but with rows as arrays in select order: on the hot path, column names would only cost.
   * @param kind `heavy` for a statement that may take longer (2.5 s instead of 1.5 s)
   */
  queryArrays(sql: Sql, kind?: ReadKind): Promise<unknown[][]>

  /**
   * Like `query`, on a connection that reads cannot take. It is for admitting requests and for health checks: a refused
   * request takes no connection of the pool, and long reads delay neither.
   */
  queryReserved<R extends object = Row>(sql: Sql): Promise<R[]>

  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>

  /**
   * The rows of one statement in chunks, all from one snapshot and in flat memory, however many there are. Leaving the
   * loop early releases everything. The stream holds a connection of those reserved for streams.
   */
  stream(sql: Sql, rowsPerChunk: number): AsyncIterable<unknown[][]>

  /** Runs a script of several statements without parameters (migrations). */
  runScript(script: string): Promise<void>

  /**
   * The server that answers now. Statements run only on connections to it: those to another one are closed. So if it is
   * the same before and after several reads, all of them are of this server.
   */
  generation(): Generation

  /** How often and how long work has waited for a connection, by pool. */
  poolWaits(): readonly PoolWaits[]

  /** Checks that the database answers, with a statement. @throws {DatabaseUnavailable} */
  ping(): Promise<void>

  /**
   * Runs statements that only a superuser may run, one after the other, outside of a transaction. Only the private server of a folder
   * has one.
   */
  readonly asSuperuser?: ((statements: readonly string[]) => Promise<void>) | undefined

  close(): Promise<void>
}

/** What a change requires of the database. */
export type Transacting = Queryable & Pick<Database, 'transaction'>

/**
 * A transaction as a database whose own transactions are part of it: so what a command does in one of its own is a part of
 * a larger one.
 */
export const partOf = (tx: Queryable): Transacting => ({
  query: (statement) => tx.query(statement),
  transaction: (work) => work(tx),
})

/** The database did not answer, or refused temporarily: a 503, which may be retried. `cause` has the reason. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** The disk of the database is full. The message is written for the operator and says what to do. */
export class DiskFull extends DatabaseUnavailable {}

/**
 * The folder of the database was moved or deleted while it was in use. What would be written now might be lost, so the
 * process ends.
 */
export class FolderGone extends DatabaseUnavailable {
  constructor(folder: string) {
    super(
      `Sojourn has ended because its folder ${folder} is gone. Move it back, or restore a backup, before you start it again: otherwise it starts with an empty database.`,
    )
  }
}

/** The SQLSTATE of a database error, or of the cause of a DatabaseUnavailable; undefined if there is none. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return sqlState(error.cause)
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined
}
