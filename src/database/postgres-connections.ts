/** Connections to a PostgreSQL server: how they are opened, lent for a while, and closed where they are broken. */
import pg from 'pg'
import { DatabaseUnavailable, sqlState } from './database.ts'
import { Deadlines } from './deadlines.ts'
import { isLateConnection, outageOf } from './postgres-errors.ts'
import { ask, type Result } from './postgres-statements.ts'
import { type TypeReader, typeReaders } from './types.ts'

export interface PostgresOptions {
  /** `postgres://…`, or the folder of a local socket with `host`. */
  readonly connection: { readonly connectionString: string } | { readonly host: string }
  /** connections that reads and streams share when it serves; beside them one is reserved and two write */
  readonly poolSize: number
  /**
   * `serve`: a request waits a few seconds at most. `command`: an import or a migration takes what it takes;
   * only the connection attempt is limited.
   */
  readonly purpose: 'serve' | 'command'
  /** Told of errors on idle connections, which would otherwise end the process. */
  readonly onIdleError?: (error: Error) => void
}

/** A connection that is the caller's until it is given back. */
export interface Lease {
  /** @throws {DatabaseUnavailable} when the server is away, is silent or refuses for now */
  ask(query: pg.QueryConfig): Promise<Result>
  /** Ends an open transaction. Never fails: a connection that cannot is closed when it is given back. */
  rollBack(): Promise<void>
  giveBack(): void
}

/**
 * When it serves, each kind of work has connections of its own, so that none can take those of another: a stream
 * holds one for as long as its client reads, and neither that nor a slow read may keep the trail from being written
 * or a request from being refused. For a command all kinds share one pool.
 */
export interface Connections {
  readonly reads: pg.Pool
  readonly streams: pg.Pool
  readonly writes: pg.Pool
  /** One connection that nothing that is refused and nothing that is slow can take. */
  readonly reserved: pg.Pool
  /** streams that find a connection */
  readonly streamsMax: number
  /** @throws {DatabaseUnavailable} when there is none in time */
  lease(from: pg.Pool): Promise<Lease>
  /** One statement on a connection of its own. */
  askOnce(from: pg.Pool, query: pg.QueryConfig): Promise<Result>
  close(): Promise<void>
}

// A black-holed database hangs requests for ever without these; with them, errors are clean after 2–3 s and
// the pool heals by itself. The server's own limit is the shortest, so that its error is the one seen.
const TIMEOUTS = {
  serve: { connectMs: 2000, answerMs: 3000, statement: { statement_timeout: 2500 } },
  command: { connectMs: 10_000, answerMs: undefined, statement: {} },
} as const

/** A backend never gives back what it took for its catalogue and plans; a new one begins small. */
const LIFETIME_SECONDS = 1800

/** Of the pool. A stream's connection is busy only while its client takes what was read. */
const STREAMS_SHARE = 0.4
/** The trail, and what takes old entries out of it meanwhile. */
const WRITES_MAX = 2

const NO_CONNECTION = 'the database gave no connection'
const NO_ANSWER = 'the database did not answer'
const REFUSED = 'the database refused for now'

// Left to itself the server plans a prepared statement anew each time while it hopes for a better plan: 1.5 ms for
// a page that is read in 1.2 ms. Our statements go by primary keys and by indexes of one center, so the plan is
// the same whatever the values are.
const PLANNED_ONCE = ' -c plan_cache_mode=force_generic_plan'

const asText: TypeReader = (text) => text
const types = { getTypeParser: (oid: number) => typeReaders.get(oid) ?? asText }

export function openConnections(options: PostgresOptions): Connections {
  const { connectMs, answerMs, statement: statementLimit } = TIMEOUTS[options.purpose]
  const settings = {
    ...options.connection,
    ...statementLimit,
    Client: clientThatConnectsWithin(connectMs),
    application_name: 'sojourn',
    options: `-c TimeZone=UTC -c client_encoding=UTF8${options.purpose === 'serve' ? PLANNED_ONCE : ''}`,
    types: types as pg.CustomTypesConfig,
    keepAlive: true,
  }
  const pools: pg.Pool[] = []
  const open = (max: number, idleTimeoutMillis = 30_000): pg.Pool => {
    const pool = new pg.Pool({ ...settings, max, idleTimeoutMillis, maxLifetimeSeconds: LIFETIME_SECONDS })
    pool.on('error', options.onIdleError ?? (() => {}))
    pools.push(pool)
    return pool
  }
  const { poolSize, purpose } = options
  const streamsMax = purpose === 'serve' ? Math.max(1, Math.floor(poolSize * STREAMS_SHARE)) : poolSize
  const reads = open(purpose === 'serve' ? Math.max(1, poolSize - streamsMax) : poolSize)
  const streams = purpose === 'serve' ? open(streamsMax) : reads
  const writes = purpose === 'serve' ? open(WRITES_MAX) : reads
  const reserved = open(1, 0)

  const connecting = new Deadlines(connectMs, NO_CONNECTION)
  const answering = answerMs === undefined ? undefined : new Deadlines(answerMs, NO_ANSWER)
  const answered = async <T>(work: Promise<T>, deadlines = answering): Promise<T> => {
    try {
      return await (deadlines?.within(work) ?? work)
    } catch (error) {
      if (error instanceof DatabaseUnavailable || outageOf(error) === undefined) throw error
      const cause = isLateConnection(error) ? new Error(`${NO_CONNECTION} within ${connectMs} ms`) : error
      throw new DatabaseUnavailable(sqlState(error) === undefined ? NO_ANSWER : REFUSED, { cause })
    }
  }

  const connected = async (from: pg.Pool): Promise<pg.PoolClient> => {
    const connection = from.connect()
    try {
      return await answered(connection, connecting)
    } catch (error) {
      // One that comes too late goes back.
      connection.then(
        (client) => client.release(),
        () => {},
      )
      throw error
    }
  }

  // One that is lost or silent is closed and not given back to the pool: whoever got it next would fail, or wait
  // for nothing.
  const lease = async (from: pg.Pool): Promise<Lease> => {
    const client = await connected(from)
    let broken = false
    // A connection cut while it is ours and no query runs would otherwise be an unhandled event.
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    return {
      async ask(query) {
        try {
          return await answered(ask(client, query))
        } catch (error) {
          broken ||= error instanceof DatabaseUnavailable && outageOf(error.cause) !== 'later'
          throw error
        }
      },
      async rollBack() {
        // Closing a broken connection rolls back too, without waiting for an answer.
        if (!broken) await answered(ask(client, { text: 'rollback' })).catch(onError)
      },
      giveBack() {
        client.off('error', onError)
        client.release(broken)
      },
    }
  }

  return {
    reads,
    streams,
    writes,
    reserved,
    streamsMax,
    lease,

    async askOnce(from, query) {
      const leased = await lease(from)
      try {
        return await leased.ask(query)
      } finally {
        leased.giveBack()
      }
    },

    async close() {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

/** The pool's own limit would cost each wait for a connection a timer; connecting alone is a client's. */
const clientThatConnectsWithin = (connectionTimeoutMillis: number) =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis })
    }
  }
