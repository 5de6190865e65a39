/** The connections to a PostgreSQL server: which there are, how many, and with what settings. */
import pg from 'pg'
import type { Deadlines } from './deadlines.ts'
import { createLender, type Lender } from './postgres-lender.ts'
import type { Result } from './postgres-statements.ts'
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
  readonly lender: Lender
  /** One statement on a connection for reads that may take longer than others there. */
  askHeavy(query: pg.QueryConfig): Promise<Result>
  close(): Promise<void>
}

// A black-holed database hangs requests for ever without these; with them, errors are clean after 2–3 s and
// the pool heals by itself. The server's own limit is the shortest, so that its error is the one seen.
const TIMEOUTS = {
  serve: { connectMs: 2000, answerMs: 3000, statement: { statement_timeout: 1500 } },
  command: { connectMs: 10_000, answerMs: undefined, statement: {} },
} as const

/** What reads much, and what a stream is made of: it takes as long as it may, but less than we wait for it. */
const HEAVY_STATEMENT_MS = 2500

// What is reserved is tiny, and a request may have to wait for two of it, one after the other.
const RESERVED_STATEMENT = { statement_timeout: 1200 }

/** A backend never gives back what it took for its catalogue and plans; a new one begins small. */
const LIFETIME_SECONDS = 1800

/** Of the pool. A stream's connection is busy only while its client takes what was read. */
const STREAMS_SHARE = 0.4
/** The trail, and what takes old entries out of it meanwhile. */
const WRITES_MAX = 2

// Left to itself the server plans a prepared statement anew each time while it hopes for a better plan: 1.5 ms for
// a page that is read in 1.2 ms. Our statements go by primary keys and by indexes of one center, so the plan is
// the same whatever the values are.
//
// Nor does it gain by remembering rows that it looked up: the customers of a page are different people, so a page of
// guests is read in a tenth less time without.
//
// A read takes one process of the server. A second one takes longer to start than most reads take, and one center's long
// read would take the processors from the others.
//
// While there are few centers, PostgreSQL reads small tables such as terms from end to end for one center's rows. Each has
// an index that takes less time, and a plan that is made once stays when the table has grown.
const PLANNED_ONCE =
  ' -c plan_cache_mode=force_generic_plan -c enable_memoize=off -c max_parallel_workers_per_gather=0 -c enable_seqscan=off'

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
  const open = (max: number, own: pg.PoolConfig = {}): pg.Pool => {
    const pool = new pg.Pool({
      ...settings,
      max,
      idleTimeoutMillis: 30_000,
      maxLifetimeSeconds: LIFETIME_SECONDS,
      ...own,
    })
    pool.on('error', options.onIdleError ?? (() => {}))
    pools.push(pool)
    return pool
  }
  const { poolSize, purpose } = options
  const streamsMax = purpose === 'serve' ? Math.max(1, Math.floor(poolSize * STREAMS_SHARE)) : poolSize
  const reads = open(purpose === 'serve' ? Math.max(1, poolSize - streamsMax) : poolSize)
  const heavyStatement = purpose === 'serve' ? { statement_timeout: HEAVY_STATEMENT_MS } : {}
  const streams = purpose === 'serve' ? open(streamsMax, heavyStatement) : reads
  // One stays open, so that the trail has its connection even where the server has no room for another.
  const writes = purpose === 'serve' ? open(WRITES_MAX, { ...heavyStatement, min: 1 }) : reads
  const reserved = open(1, { idleTimeoutMillis: 0, ...(purpose === 'serve' ? RESERVED_STATEMENT : {}) })

  const probe = async (within: Deadlines) => {
    const client = new settings.Client(settings)
    client.on('error', () => {})
    try {
      await within.within(client.connect().then(() => client.query('select 1')))
    } finally {
      client.end().catch(() => {})
    }
  }
  const lender = createLender({ connectMs, answerMs, probe })

  return {
    reads,
    streams,
    writes,
    reserved,
    streamsMax,
    lender,

    async askHeavy(query) {
      if (purpose === 'command') return lender.askOnce(reads, query)
      const leased = await lender.lease(reads)
      try {
        await leased.ask({ text: `set statement_timeout = ${HEAVY_STATEMENT_MS}` })
        return await leased.ask(query)
      } finally {
        await leased.restore('reset statement_timeout')
        leased.giveBack()
      }
    },

    async close() {
      lender.close()
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
