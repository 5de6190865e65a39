/** The driver for a PostgreSQL server, over `pg`. */
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Database, DatabaseUnavailable, type Row, sqlState } from './database.ts'
import { Deadlines } from './deadlines.ts'
import { type TypeReader, typeReaders } from './types.ts'

export interface PostgresOptions {
  /** `postgres://…`, or the folder of a local socket with `host`. */
  readonly connection: { readonly connectionString: string } | { readonly host: string }
  readonly poolSize: number
  /**
   * `serve`: a request waits a few seconds at most. `command`: an import or a migration takes what it takes;
   * only the connection attempt is limited.
   */
  readonly purpose: 'serve' | 'command'
  /** Told of errors on idle connections, which would otherwise end the process. */
  readonly onIdleError?: (error: Error) => void
}

// A black-holed database hangs requests for ever without these; with them, errors are clean after 2–3 s and
// the pool heals by itself. The server's own limit is the shortest, so that its error is the one seen.
const TIMEOUTS = {
  serve: { connectMs: 2000, answerMs: 3000, statement: { statement_timeout: 2500 } },
  command: { connectMs: 10_000, answerMs: undefined, statement: {} },
} as const

const NO_CONNECTION = 'the database gave no connection'
const NO_ANSWER = 'the database did not answer'

// Left to itself the server plans a prepared statement anew each time while it hopes for a better plan: 1.5 ms for
// a page that is read in 1.2 ms. Our statements go by primary keys and by indexes of one center, so the plan is
// the same whatever the values are.
const PLANNED_ONCE = ' -c plan_cache_mode=force_generic_plan'

const asText: TypeReader = (text) => text
const types = { getTypeParser: (oid: number) => typeReaders.get(oid) ?? asText }

/** Prepared statements are named by their text; texts are few, because they depend on shapes, not values. */
const STATEMENT_NAMES_MAX = 500

export function openPostgres(options: PostgresOptions): Database {
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
  const pool = new pg.Pool({ ...settings, max: options.poolSize, idleTimeoutMillis: 30_000 })
  const gate = new pg.Pool({ ...settings, max: 1, idleTimeoutMillis: 0 })
  const onIdleError = options.onIdleError ?? (() => {})
  pool.on('error', onIdleError)
  gate.on('error', onIdleError)

  const names = new Map<string, string>()
  const statement = (sql: Sql) => {
    let name = names.get(sql.text)
    if (name === undefined && names.size < STATEMENT_NAMES_MAX) {
      name = `s${names.size}`
      names.set(sql.text, name)
    }
    return { text: sql.text, values: sql.values, ...(name === undefined ? {} : { name }) }
  }

  const connecting = new Deadlines(connectMs, NO_CONNECTION)
  const answering = answerMs === undefined ? undefined : new Deadlines(answerMs, NO_ANSWER)
  const answered = async <T>(work: Promise<T>, deadlines = answering): Promise<T> => {
    try {
      return await (deadlines?.within(work) ?? work)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const cause = isLateConnection(error) ? new Error(`${NO_CONNECTION} within ${connectMs} ms`) : error
      throw new DatabaseUnavailable(NO_ANSWER, { cause })
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

  // A connection of ours for a while. One that is lost or silent is closed and not given back to the pool:
  // whoever got it next would fail, or wait for nothing.
  const lease = async (from: pg.Pool) => {
    const client = await connected(from)
    let broken = false
    // A connection cut while it is ours and no query runs would otherwise be an unhandled event.
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    return {
      async ask(query: pg.QueryConfig): Promise<Result> {
        try {
          return await answered(ask(client, query))
        } catch (error) {
          broken ||= error instanceof DatabaseUnavailable
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

  const askOnce = async (from: pg.Pool, query: pg.QueryConfig) => {
    const leased = await lease(from)
    try {
      return await leased.ask(query)
    } finally {
      leased.giveBack()
    }
  }

  return {
    engine: 'postgres',

    async query<R extends object = Row>(sql: Sql) {
      const { rows } = await askOnce(pool, statement(sql))
      return rows as R[]
    },

    async queryArrays(sql) {
      const { rows } = await askOnce(pool, arrays(statement(sql)))
      return rows as unknown[][]
    },

    async queryGate<R extends object = Row>(sql: Sql) {
      const { rows } = await askOnce(gate, statement(sql))
      return rows as R[]
    },

    async transaction(work) {
      const leased = await lease(pool)
      let finished = false
      try {
        await leased.ask({ text: 'begin' })
        const result = await work({
          async query<R extends object = Row>(sql: Sql) {
            const { rows } = await leased.ask(statement(sql))
            return rows as R[]
          },
        })
        const { command } = await leased.ask({ text: 'commit' })
        // PostgreSQL's answer to a commit where a statement failed and its error was swallowed.
        if (command === 'ROLLBACK') throw new Error('the transaction was rolled back instead of committed')
        finished = true
        return result
      } finally {
        if (!finished) await leased.rollBack()
        leased.giveBack()
      }
    },

    async *stream(sql, rowsPerChunk) {
      const leased = await lease(pool)
      let finished = false
      try {
        await leased.ask({ text: 'begin read only' })
        await leased.ask({ text: `declare chunks no scroll cursor for ${sql.text}`, values: sql.values })
        const fetch = arrays({ text: `fetch ${Math.trunc(rowsPerChunk)} from chunks` })
        while (true) {
          const rows = (await leased.ask(fetch)).rows as unknown[][]
          if (rows.length > 0) yield rows
          if (rows.length < rowsPerChunk) break
        }
        await leased.ask({ text: 'commit' })
        finished = true
      } finally {
        if (!finished) await leased.rollBack()
        leased.giveBack()
      }
    },

    async runScript(script) {
      await askOnce(pool, { text: script })
    },

    async close() {
      await Promise.all([pool.end(), gate.end()])
    },
  }
}

interface Result {
  readonly rows: readonly unknown[]
  readonly command: string
}

/**
 * With a callback of ours, because the ones that `pg` makes for its promises and for `query_timeout` cost a third
 * of a first read. It writes `query.callback = (…) => …`, and V8 puts a function that is assigned to a property
 * into the old generation at once: it, and the rows it leads to, stay until the next full collection.
 */
const ask = (client: pg.PoolClient, query: pg.QueryConfig): Promise<Result> =>
  new Promise((resolve, reject) => {
    client.query(query, (error: Error | null, result: Result) => {
      if (error === null || error === undefined) resolve(result)
      else reject(error)
    })
  })

const arrays = (query: pg.QueryConfig) => ({ ...query, rowMode: 'array' as const })

/** The pool's own limit would cost each wait for a connection a timer; connecting alone is a client's. */
const clientThatConnectsWithin = (connectionTimeoutMillis: number) =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis })
    }
  }

// Decided by code: SQLSTATE classes 08 (connection) and 57P (shutdown), 53 (too many connections), 57014 (the
// statement timeout), and the system's own network codes. Of pg's own errors only the message tells.
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
])
const PG_MESSAGES = ['Connection terminated', 'Client has encountered a connection error']

function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|57P|53|57014|25P03)/.test(state)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODES.has(error.code)
  return isLateConnection(error) || PG_MESSAGES.some((message) => error.message.startsWith(message))
}

const isLateConnection = (error: unknown) => error instanceof Error && error.message === 'timeout expired'
