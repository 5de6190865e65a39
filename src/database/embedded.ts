/**
 * The driver for the embedded database: PGlite, which is PostgreSQL, in a thread of this process, on a folder or in
 * memory.
 */
import { randomUUID } from 'node:crypto'
import type { Sql } from 'sql-template-tag'
import {
  type Database,
  DatabaseUnavailable,
  type Queryable,
  type Row,
  sqlState,
  type TransactionOptions,
} from './database.ts'
import { Deadlines } from './deadlines.ts'
import { createCopyFiles } from './embedded/copy-files.ts'
import type { Reader } from './embedded/earlier-reads.ts'
import { Guests } from './embedded/guests.ts'
import { LivingEngine, type LivingEngineOptions } from './embedded/living-engine.ts'
import { onlyReads, type Session } from './embedded/session.ts'
import { SessionSlots } from './embedded/session-slots.ts'
import { OpenStreams, stream } from './embedded/stream.ts'
import { transaction } from './embedded/transaction.ts'
import { countNow, selectWornTables, vacuumTable, type WornTable } from './embedded/vacuum-sql.ts'
import { objects } from './embedded/wire.ts'
import { generationNamed } from './generation.ts'

export interface EmbeddedOptions extends LivingEngineOptions {
  readonly limits?: EmbeddedLimits | undefined
}

export interface EmbeddedLimits {
  /** how long a read may take including its waits; it is then refused, and its result discarded */
  readonly answerMs: number
  /** longer than any read takes: a statement that reaches it is taken for endless, and the engine is terminated */
  readonly readMs: number
  /** the same for statements of an import, which sorts a million rows */
  readonly writeMs: number
}

// A read waits as long as PostgreSQL's time-outs allow, which is enough for one behind a short import.
const LIMITS: EmbeddedLimits = { answerMs: 5000, readMs: 30_000, writeMs: 600_000 }

/** Each stores its unread rows in a temporary file. */
const STREAMS_MAX = 4

/** Opens the database, and creates the folder if it is new. The caller holds the folder's lock (folder-lock.ts). */
export async function openEmbedded({ limits = LIMITS, ...options }: EmbeddedOptions): Promise<Database> {
  const { readMs, writeMs } = limits
  const engine = await LivingEngine.open(options)
  const slots = new SessionSlots()
  const open = new OpenStreams()
  const deadlines = new Deadlines(limits.answerMs, 'the embedded database did not answer')

  // A read may wait behind an import or other use of the only session, but not forever: the client gets a 503 and retries.
  // When the read would then begin, it is not run.
  const read = <T>(work: (session: Session) => Promise<T>) =>
    inTime(
      () => work(engine.session),
      (run) => slots.together(run),
    )

  const inTime = async <T>(
    work: (inside?: Reader) => Promise<T>,
    inOrder: (run: (inside?: Reader) => Promise<T>) => Promise<T>,
  ): Promise<T> => {
    let isLate = false
    try {
      return await deadlines.within(
        inOrder((inside) => {
          if (isLate) throw new DatabaseUnavailable('nobody waits for this any more')
          return work(inside)
        }),
      )
    } catch (error) {
      isLate = true
      throw error
    }
  }

  /** If the disk is full, the error for a write says what to do, instead of naming a file of the database. */
  const write = async <T>(work: () => Promise<T>, needs?: TransactionOptions['space']): Promise<T> => {
    const { space } = engine
    if (space === undefined || needs === 'none') return work()
    if (needs === 'reserve') await space.requireForFewRows()
    else await space.requireForWriting()
    try {
      return await work()
    } catch (error) {
      throw sqlState(error) === DISK_FULL ? await space.ranOutError() : error
    }
  }

  // Only this process writes to the database, so every commit was sent from here. A terminated engine may have
  // committed something without acknowledging it; its sender gets an error.
  let commits = 0
  // The folder may have been replaced by an older copy before it was opened. While it is open, no commit that was read can
  // be lost: a restarted engine continues from its log.
  const generation = generationNamed(randomUUID())
  const alone = <T>(
    work: () => Promise<T>,
    { answersStay = false, center, space }: TransactionOptions = {},
    guests?: Guests,
  ): Promise<T> =>
    slots.alone(async () => {
      // Streams of the only center that is written are retained when it commits.
      if (!answersStay && center === undefined) await open.keep()
      return write(work, space).finally(() => {
        if (!answersStay) commits += 1
      })
    }, guests)

  const ask = (sql: Sql, center?: string) => {
    const run = (inside: Reader = engine.session) => inside.run(sql, readMs)
    return inTime(run, onlyReads(sql.text) ? (work) => slots.together(work, { center }) : alone)
  }

  const query = async <R extends object = Row>(sql: Sql) => objects<R>(await ask(sql))

  /**
   * A step before a transaction or after it is undone. What it does is of no use after a power failure, so those that make
   * or drop a table do not wait for the disk, while everybody would wait for them. Statistics are made of 3,000 lines, not of
   * 30,000, for the same reason.
   */
  const step = (session: Session, sql: Sql) =>
    sql.values.length > 0 ? session.run(sql, writeMs) : session.script(`${STEP}; ${sql.text}`, writeMs)

  let holdRead: ((reads: Queryable) => Promise<void>) | undefined
  /** If this fails, the import still goes ahead: cached keys matter less. */
  const readBeforeHold = async (session: Session) => {
    const reads: Queryable = { query: async (sql) => objects(await session.run(sql, readMs)) }
    await holdRead?.(reads).catch(() => {})
  }

  return {
    engine: 'embedded',
    // The session runs one statement at a time. A second slot lets reads of other centers pass while one waits for a
    // transaction of its own center.
    readsMax: 2,
    togetherMax: 1,
    streamsMax: STREAMS_MAX,
    query,
    queryReserved: query,

    async queryArrays(sql, _kind, center) {
      const { rows } = await ask(sql, center)
      return rows
    },

    async transaction(work, options = {}) {
      // The session that `before` uses: a restarted engine has lost its temporary tables.
      const session = options.before === undefined ? undefined : engine.session
      const steps: Queryable = {
        query: (sql) => slots.together(() => write(async () => objects(await step(session!, sql)))),
      }
      const { center: host, answersStay = false, onWait = () => {} } = options
      const isLong = options.before !== undefined || host !== undefined
      const guests = isLong ? new Guests({ host, readMs, onOpen: () => slots.letIn(), onWait }) : undefined
      const hold = async () => {
        if (session !== undefined) await readBeforeHold(session)
        const own = session ?? engine.session
        let end = (_isCommitted: boolean) => {}
        const writing = async (tx: Queryable) => {
          if (host !== undefined && !answersStay) end = await open.keepAtCommit(tx, own, host)
          return work({ query: (sql) => write(() => tx.query(sql), options.space) })
        }
        try {
          const result = await transaction(own, writeMs, writing, guests)
          end(true)
          return result
        } catch (error) {
          end(false)
          throw error
        }
      }
      try {
        await options.before?.(steps)
        return await alone(hold, options, guests)
      } catch (error) {
        await options.undo?.(steps).catch(() => {})
        throw error
      }
    },

    stream: (sql, rowsPerChunk, rowsAfter, center) =>
      stream({ engine, slots, limits, open }, sql, rowsPerChunk, rowsAfter, center),

    async runScript(script) {
      await alone(() => engine.session.script(script, writeMs))
    },

    generation: () => generation,

    commits: () => commits,

    poolWaits: () => [],

    async ping() {
      const { session } = engine
      if (!slots.isTaken) await read(() => session.script('select 1', readMs))
    },

    beforeHold(read) {
      holdRead = read
    },

    async vacuum() {
      await read((session) => session.runOnce(countNow, readMs))
      const worn = await read((session) => session.runOnce(selectWornTables, readMs))
      for (const statement of objects<WornTable>(worn).flatMap(vacuumTable)) {
        await slots.together(() => write(() => engine.session.script(statement, writeMs)))
      }
    },

    copyFiles:
      options.folder === undefined
        ? undefined
        : createCopyFiles({ folder: options.folder, engine, slots, readMs, writeMs }),

    close: () => slots.alone(() => engine.close()),
  }
}

/** Holds for the statement that is sent with it. */
const STEP = 'set local synchronous_commit to off; set local default_statistics_target to 10'

/** SQLSTATE */
const DISK_FULL = '53100'
