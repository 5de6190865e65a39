/**
 * The project's own interface to PostgreSQL. It has two drivers: `postgres.ts` (a server) and `embedded.ts` (PGlite,
 * which is PostgreSQL in this process). Both use the same SQL and return the same types: timestamptz as epoch
 * milliseconds, date as `YYYY-MM-DD`, bigint and numeric as numbers, json parsed, bytea as bytes.
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

export interface TransactionOptions {
  /** It changes nothing that answers are made from, so cached answers stay current. */
  readonly answersStay?: boolean
  /**
   * Which space it needs on the embedded database, whose writes are refused while the disk is full. `none`: it only reads.
   * `reserve`: it takes access away from somebody, with a few rows, and may use the space that is reserved.
   */
  readonly space?: 'none' | 'reserve'
  /**
   * The only center whose rows the transaction writes. The embedded database then runs reads of other centers between
   * its statements; everything else waits for its end.
   */
  readonly center?: string | undefined
  /** Called when a statement of `work` has waited for reads of other centers, in ms. Never called on PostgreSQL. */
  readonly onWait?: ((ms: number) => void) | undefined
  /**
   * Runs before `work` and may write only to temporary tables. On PostgreSQL it is in the same transaction. On the
   * embedded database, which has one session, each of its statements runs by itself, and others may run in between.
   */
  readonly before?: ((steps: Queryable) => Promise<void>) | undefined
  /** Removes what `before` has left in the session if the transaction fails. */
  readonly undo?: ((steps: Queryable) => Promise<void>) | undefined
}

/**
 * Returns the statement for the rows that follow one of them, in the same order.
 * @param last undefined: from the first row on
 * @param limit maximum number of rows; undefined: all
 */
export type RowsAfter = (last: readonly unknown[] | undefined, limit: number | undefined) => Sql

/** Waits for a connection of a pool, because none was idle. */
export interface PoolWaits {
  readonly pool: 'reads' | 'streams' | 'writes' | 'reserved'
  readonly waits: number
  readonly seconds: number
}

export interface Database extends Queryable {
  readonly engine: 'postgres' | 'embedded'

  /** reads that run simultaneously; more wait for these to end, so callers queue them in a fair order */
  readonly readsMax: number

  /** light reads of one statement that may share one of these slots */
  readonly togetherMax: number

  /** simultaneous streams; one more waits briefly for one of them to end */
  readonly streamsMax: number

  /**
   * Like `query`, but with rows as arrays in select order: on the hot path, column names would only cost.
   * @param kind `heavy` for a statement that may take longer (PostgreSQL: 2.5 s instead of 1.5 s)
   * @param center the only center whose rows it reads; the statement then does not wait for a transaction of another
   * center
   */
  queryArrays(sql: Sql, kind?: ReadKind, center?: string): Promise<unknown[][]>

  /**
   * Like `query`, on a connection that reads cannot take. It is for admitting requests and for health checks: a refused
   * request takes no connection of the pool, and long reads delay neither.
   */
  queryReserved<R extends object = Row>(sql: Sql): Promise<R[]>

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. On the embedded database,
   * nothing else is written in the meantime. Reads of centers other than `center` run between its statements, and so do, with
   * `center` or `before`, all others once it has taken 100 ms: they see what was committed before it. So `work` must not wait for
   * `query`.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>

  /**
   * The rows of one statement in chunks, all from one snapshot and in flat memory, however many there are. Leaving the
   * loop early releases everything. On PostgreSQL the stream holds a connection of those reserved for streams.
   * @param rowsAfter the same statement continued after one of its rows; with it, the embedded database reads one chunk
   * at a time
   * @param center the only center whose rows it reads; the embedded database then keeps no rows for it while another
   * center's are written
   */
  stream(sql: Sql, rowsPerChunk: number, rowsAfter?: RowsAfter, center?: string): AsyncIterable<unknown[][]>

  /** Runs a script of several statements without parameters (migrations). */
  runScript(script: string): Promise<void>

  /**
   * The server that answers now. Statements run only on connections to it: those to another one are closed. So if it is
   * the same before and after several reads, all of them are of this server.
   */
  generation(): Generation

  /**
   * A number that changes whenever something may have been committed: anything read under the same number is still
   * current. Undefined if others can commit unnoticed (PostgreSQL).
   */
  commits(): number | undefined

  /** How often and how long work has waited for a connection, by pool. The embedded database has no pools. */
  poolWaits(): readonly PoolWaits[]

  /**
   * Checks that the database answers, with a statement. If a transaction has the only session of the embedded database,
   * that counts as an answer.
   * @throws {DatabaseUnavailable}
   */
  ping(): Promise<void>

  /**
   * Sets what to read once more before an import takes the only session of the embedded database, so that it is cached
   * during the import. A later call replaces it. Never called on PostgreSQL, where reads continue.
   */
  beforeHold(read: (reads: Queryable) => Promise<void>): void

  /**
   * Makes the space of changed and removed rows available again in tables that have many of them. Tables are vacuumed
   * one by one, so that others run in between. Does nothing on PostgreSQL, whose server vacuums by itself.
   */
  vacuum(): Promise<void>

  /**
   * Copies the files of an embedded folder while it is used, as of the moment when `atEnd` runs. One copy at a time.
   * Undefined for a database in memory and on PostgreSQL.
   */
  readonly copyFiles?: CopyFiles | undefined

  close(): Promise<void>
}

/**
 * @param write awaited for each file and folder; a folder comes before what is in it
 * @param atEnd reads while nothing is written: what it reads is what the copy contains
 * @throws {DatabaseUnavailable} if the copy is of no use, because the engine was restarted meanwhile
 */
export type CopyFiles = <T>(
  write: (entry: CopiedEntry) => Promise<void>,
  atEnd: (reads: Queryable) => Promise<T>,
) => Promise<T>

/** A folder, or a file with exactly so many bytes. */
export interface CopiedEntry {
  /** within the database's folder, with `/` */
  readonly path: string
  /** undefined for a folder */
  readonly file: { readonly size: number; readonly bytes: AsyncIterable<Buffer> } | undefined
}

/** What a change requires of the database. */
export type Transacting = Queryable & Pick<Database, 'transaction'>

/**
 * A transaction as a database whose own transactions are part of it: so what a command does in one of its own is a part of
 * a larger one. Their options have no effect.
 */
export const partOf = (tx: Queryable): Transacting => ({
  query: (statement) => tx.query(statement),
  transaction: (work) => work(tx),
})

/** The database did not answer, or refused temporarily: a 503, which may be retried. `cause` has the reason. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * The disk is full, so the embedded database cannot write or be opened. The message is written for the operator and
 * says what to do.
 */
export class DiskFull extends DatabaseUnavailable {}

/**
 * The folder of the embedded database was moved or deleted while it was in use. What would be written now might be lost, so the
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
