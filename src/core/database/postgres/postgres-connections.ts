/** The connections to a PostgreSQL server: their pools, sizes and settings. */
import pg from 'pg'
import passwordFile, { type PasswordOf } from 'pgpass'
import { DatabaseUnavailable } from '../database.ts'
import {
  type Generation,
  generationNamed,
  SELECT_GENERATION,
  SELECT_REPLICA_GENERATION,
} from '../generation.ts'
import type { Deadlines } from '../queue/deadlines.ts'
import { applicationName } from '../schema/migrate.ts'
import { type TypeReader, typeReaders } from '../types.ts'
import { type ConnectionPool, createConnectionPool, type Lease, NO_CONNECTION } from './connection-pool.ts'
import { isLateConnection, LATE_CONNECTION } from './postgres-errors.ts'
import { asObjects, type Preamble } from './postgres-pipeline.ts'
import { FOR_LONG_WORK, preambleOf, requireRoleSettings, SELECT_ROLE_SETTINGS } from './postgres-pooler.ts'
import type { Result } from './postgres-statements.ts'
import type { PostgresConnection } from './postgres-tls.ts'

export interface PostgresOptions {
  /** A URL (`postgres://…`), or the folder of a local socket as `host`. */
  readonly connection: PostgresConnection | { readonly host: string }
  /** connections that reads and streams share when serving; one reserved connection and two for writing are added */
  readonly poolSize: number
  /**
   * `serve`: a request waits at most a few seconds. `command`: an import or a migration may take any time; only
   * connecting has a time-out.
   */
  readonly purpose: 'serve' | 'command'
  /** There is a pooler in transaction mode in between, or there may be one (`postgres-pooler.ts`). */
  readonly pooler?: boolean | undefined
  /** It must be a standby: once it is promoted, it counts as another server (`generation`) from the next read on. */
  readonly replica?: boolean | undefined
  /** Called for errors on idle connections, which would otherwise end the process. */
  readonly onIdleError?: (error: Error) => void
}

/**
 * When serving, each kind of work has its own connections, so that none can use up another's: a stream holds its
 * connection as long as its client reads, and neither streams nor slow reads may delay the audit trail or the refusal
 * of a request. For a command, all kinds but the reserved one share a pool.
 */
export interface Connections {
  readonly reads: pg.Pool
  readonly streams: pg.Pool
  readonly writes: pg.Pool
  /** One connection for small statements only, so that neither slow work nor requests about to be refused affect it. */
  readonly reserved: pg.Pool
  /** maximum number of simultaneous streams */
  readonly streamsMax: number
  readonly leases: ConnectionPool
  /** the server that the newest connection leads to; through a pooler, the one that ran the newest statement */
  generation(): Generation
  /** Runs one statement on a connection of this pool. */
  askOnce(pool: pg.Pool, query: pg.QueryConfig): Promise<Result>
  /** Runs one statement on a connection for reads, with a longer time-out. */
  askHeavy(query: pg.QueryConfig): Promise<Result>
  /** What to send in front of reads of this pool, in the same message. Only with a pooler, and for a replica. */
  preamble(pool: pg.Pool): Preamble | undefined
  /** Begins a transaction on a connection of this pool. */
  begin(lease: Lease, pool: pg.Pool, mode?: 'read only'): Promise<void>
  close(): Promise<void>
}

// Without these time-outs, requests to an unreachable database hang forever. With them, they fail within 2–3 s and the
// pool recovers by itself. The server's time-out is the shortest, so that its error is the one reported.
const TIMEOUTS = {
  serve: { connectMs: 2000, answerMs: 3000, statementMs: 1500 },
  command: { connectMs: 10_000, answerMs: undefined, statementMs: 0 },
} as const

/** Time-out of heavy reads and of streams, in ms: as long as possible, but shorter than our own wait. */
const HEAVY_STATEMENT_MS = 2500

// The reserved statements are tiny, and a request may need two of them, one after the other.
const RESERVED_STATEMENT_MS = 1200

/** A backend never frees the memory of its catalog and plan caches, so connections are replaced. */
const LIFETIME_SECONDS = 1800

/** Of the pool. A stream's connection is only in use while its client reads. */
const STREAMS_SHARE = 0.4
/** One for the audit trail, and one for deleting old entries at the same time. */
const WRITES_MAX = 2

// Without a generic plan, the server plans a prepared statement anew each time in the hope of a better plan: 1.5 ms for
// a page that takes 1.2 ms to read. Our statements use primary keys and indexes of one center, so the plan does not
// depend on the values.
//
// Memoize does not help either: the customers of a page are different people, and a page of guests takes a tenth less
// time without it.
//
// Each read runs in one server process. Starting a parallel worker takes longer than most reads, and one center's long
// read would take the processors from the others.
//
// While there are few centers, PostgreSQL scans small tables such as terms sequentially for one center's rows. An index
// takes less time, and a generic plan remains in use when the table has grown.
export const PLANNED_ONCE: readonly string[] = [
  'set plan_cache_mode to force_generic_plan',
  'set enable_memoize to off',
  'set max_parallel_workers_per_gather to 0',
  'set enable_seqscan to off',
]

// A sequential scan that is off is counted as ten thousand million, and a server that was built with LLVM compiles each
// statement that costs more than a hundred thousand: reading a table of one row took 1.8 s instead of 0.1 ms. Also for
// commands, because the triggers' functions disable sequential scans.
const NOT_COMPILED = 'set jit to off'

/** Description of a replica that no longer follows its primary. */
const PROMOTED = 'promoted'

const asText: TypeReader = (text) => text
const types = { getTypeParser: (oid: number) => typeReaders.get(oid) ?? asText }

/** Creates the pools, which connect when they are used. */
export function openConnections(options: PostgresOptions): Connections {
  const { poolSize, purpose, pooler = false, replica = false } = options
  const selectServer = replica ? SELECT_REPLICA_GENERATION : SELECT_GENERATION
  const { connectMs, answerMs, statementMs } = TIMEOUTS[purpose]
  const settings = {
    ...options.connection,
    Client: clientThatConnectsWithin(connectMs),
    application_name: applicationName(),
    types: types as pg.CustomTypesConfig,
    keepAlive: true,
  }
  let current: Generation = generationNamed('')
  const generations = new WeakMap<object, Generation>()
  /**
   * Settings by statement, because poolers refuse or ignore them in the message that opens a connection. A connection
   * leads to one server for as long as it lives; in the session mode of a pooler too.
   */
  const setSession = async (client: pg.ClientBase, timeoutMs: number) => {
    const text = [
      "set timezone to 'UTC'",
      NOT_COMPILED,
      ...(timeoutMs === 0 ? [] : [`set statement_timeout to ${timeoutMs}`]),
      ...(purpose === 'serve' ? PLANNED_ONCE : []),
      selectServer,
    ].join('; ')
    noteServer(await firstAnswer(client, text, connectMs))
    generations.set(client, current)
  }
  const noteServer = (description: string) => {
    const own = generationNamed(description)
    if (own.name !== current.name) current = own
  }
  const checkRole = async (client: pg.ClientBase) => {
    const found = await firstAnswer(client, SELECT_ROLE_SETTINGS, connectMs)
    requireRoleSettings(JSON.parse(found) as Record<string, string>)
  }
  const pools: pg.Pool[] = []
  const timeouts = new Map<pg.Pool, number>()
  const open = (max: number, timeoutMs: number = statementMs, own: pg.PoolConfig = {}): pg.Pool => {
    const pool = new pg.Pool({
      ...settings,
      max,
      idleTimeoutMillis: 30_000,
      maxLifetimeSeconds: LIFETIME_SECONDS,
      onConnect: (client) => (pooler ? checkRole(client) : setSession(client, timeoutMs)),
      ...own,
    })
    timeouts.set(pool, timeoutMs)
    pool.on('error', options.onIdleError ?? (() => {}))
    pools.push(pool)
    return pool
  }
  const streamsMax = purpose === 'serve' ? Math.max(1, Math.floor(poolSize * STREAMS_SHARE)) : poolSize
  const reads = open(purpose === 'serve' ? Math.max(1, poolSize - streamsMax) : poolSize)
  const streams = purpose === 'serve' ? open(streamsMax, HEAVY_STATEMENT_MS) : reads
  // One stays open, so that the audit trail has a connection even when the server accepts no more.
  const writes = purpose === 'serve' ? open(WRITES_MAX, HEAVY_STATEMENT_MS, { min: 1 }) : reads
  const reserved = open(1, purpose === 'serve' ? RESERVED_STATEMENT_MS : 0, { idleTimeoutMillis: 0 })

  const probe = async (within: Deadlines) => {
    const client = new settings.Client(settings)
    client.on('error', () => {})
    try {
      await within.within(client.connect().then(() => client.query('select 1')))
    } finally {
      client.end().catch(() => {})
    }
  }
  const isCurrent = (client: pg.PoolClient) => pooler || generations.get(client) === current
  const leases = createConnectionPool({ connectMs, answerMs, probe, isCurrent })
  // Through a pooler, any server may run a transaction. A replica's connection stays when it is promoted.
  const hasPreamble = pooler || replica
  const preambleWithin = (timeoutMs: number): Preamble =>
    pooler
      ? preambleOf(timeoutMs, selectServer, noteServer)
      : preambleOf(timeoutMs, 'select pg_is_in_recovery()', (isStandby) => {
          if (isStandby !== 't') noteServer(PROMOTED)
        })
  const heavyPreamble = preambleWithin(purpose === 'serve' ? HEAVY_STATEMENT_MS : 0)
  const preambles = new Map([...timeouts].map(([pool, ms]) => [pool, preambleWithin(ms)]))
  const preamble = (pool: pg.Pool) => (hasPreamble ? preambles.get(pool) : undefined)
  const askPooled = async (pool: pg.Pool, query: pg.QueryConfig, first: Preamble): Promise<Result> => {
    const leased = await leases.lease(pool)
    try {
      const [answer] = leased.askPipelined({ query, lists: [query.values ?? []], preamble: first })
      const read = await answer
      if (read === undefined) return { rows: [], command: '' }
      return {
        rows: (query as pg.QueryArrayConfig).rowMode === 'array' ? read.rows : asObjects(read),
        command: '',
      }
    } finally {
      leased.giveBack()
    }
  }

  return {
    reads,
    streams,
    writes,
    reserved,
    streamsMax,
    leases,
    generation: () => current,

    preamble,

    askOnce(pool, query) {
      const first = preamble(pool)
      return first === undefined ? leases.askOnce(pool, query) : askPooled(pool, query, first)
    },

    async begin(leased, pool, mode) {
      const begin = mode === undefined ? 'begin' : `begin ${mode}`
      const first = preamble(pool)
      if (first === undefined) {
        await leased.ask({ text: begin })
        return
      }
      const settings = purpose === 'command' ? FOR_LONG_WORK : []
      first.received(lastValue(await leased.ask({ text: [begin, ...settings, first.text].join(';\n') })))
    },

    async askHeavy(query) {
      if (hasPreamble) return askPooled(reads, query, heavyPreamble)
      if (purpose === 'command') return leases.askOnce(reads, query)
      const leased = await leases.lease(reads)
      try {
        await leased.ask({ text: `set statement_timeout = ${HEAVY_STATEMENT_MS}` })
        return await leased.ask(query)
      } finally {
        await leased.restore(`set statement_timeout = ${statementMs}`)
        leased.giveBack()
      }
    },

    async close() {
      leases.close()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

/**
 * Limits the time to connect in the client: the pool's own limit would set a timer for every wait. A password that neither the
 * URL nor PGPASSWORD has is looked up for each connection: the driver does so as well, but warns that its next version will not.
 */
const clientThatConnectsWithin = (connectionTimeoutMillis: number) =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis })
      if (!this.password) Object.assign(this, { password: inPasswordFile })
    }
  }

/**
 * One connection outside of all pools, to look at the server. The caller ends it.
 * @throws {DatabaseUnavailable} if it does not answer in time
 */
export async function connectOnce(
  connection: PostgresConnection,
  purpose: PostgresOptions['purpose'],
): Promise<pg.Client & { readonly processID: number | null }> {
  const { connectMs } = TIMEOUTS[purpose]
  const client = new (clientThatConnectsWithin(connectMs))({
    ...connection,
    query_timeout: TIMEOUTS.serve.answerMs,
  })
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw isLateConnection(error) ? new DatabaseUnavailable(`${NO_CONNECTION} within ${connectMs} ms`) : error
  })
  // The driver's types lack the identifier that the server has sent.
  return client as pg.Client & { readonly processID: number | null }
}

/** @returns undefined if the password file (PGPASSFILE, by default ~/.pgpass) has none for this server */
const inPasswordFile = (server: PasswordOf) =>
  new Promise<string | undefined>((resolve) => passwordFile(server, resolve))

/**
 * Sends the first statements of a connection. @returns the only value of the last one
 * @throws if the answer does not come in time; the connection is then closed at once, as it may be dead
 */
async function firstAnswer(client: pg.ClientBase, text: string, withinMs: number): Promise<string> {
  const { connection } = client as pg.ClientBase & { readonly connection: pg.Connection }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    connection.stream.destroy()
  }, withinMs)
  try {
    return lastValue(await client.query(text))
  } catch (error) {
    connection.stream.destroy()
    throw isLate ? new Error(LATE_CONNECTION) : error
  } finally {
    clearTimeout(timer)
  }
}

/** The first value of the last of several statements, as text. */
function lastValue(results: Result | readonly Result[]): string {
  const last = Array.isArray(results) ? (results as readonly Result[]).at(-1) : (results as Result)
  const [row] = (last?.rows ?? []) as readonly Record<string, string>[]
  return Object.values(row ?? {})[0] ?? ''
}
