/** The driver for a PostgreSQL server, over `pg`. */
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Database, DatabaseUnavailable, type Queryable, type Row, sqlState } from './database.ts'
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
  serve: { connectionTimeoutMillis: 2000, query_timeout: 3000, statement_timeout: 2500 },
  command: { connectionTimeoutMillis: 10_000 },
} as const

// Left to itself the server plans a prepared statement anew each time while it hopes for a better plan: 1.5 ms for
// a page that is read in 1.2 ms. Our statements go by primary keys and by indexes of one center, so the plan is
// the same whatever the values are.
const PLANNED_ONCE = ' -c plan_cache_mode=force_generic_plan'

const asText: TypeReader = (text) => text
const types = { getTypeParser: (oid: number) => typeReaders.get(oid) ?? asText }

/** Prepared statements are named by their text; texts are few, because they depend on shapes, not values. */
const STATEMENT_NAMES_MAX = 500

export function openPostgres(options: PostgresOptions): Database {
  const settings = {
    ...options.connection,
    ...TIMEOUTS[options.purpose],
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

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw isUnavailable(error)
        ? new DatabaseUnavailable('the database did not answer', { cause: error })
        : error
    }
  }

  const onClient = (client: pg.PoolClient): Queryable => ({
    async query<R extends object = Row>(sql: Sql) {
      const result = await run(() => client.query(statement(sql)))
      return result.rows as R[]
    },
  })

  // A connection for one transaction. One that is lost or silent is closed and not given back to the pool:
  // whoever got it next would fail, or wait for nothing.
  const lease = async () => {
    const client = await run(() => pool.connect())
    let broken = false
    // A connection cut while it is ours and no query runs would otherwise be an unhandled event.
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    return {
      client,
      failed(error: unknown) {
        broken ||= error instanceof DatabaseUnavailable
      },
      async giveBack(finished: boolean) {
        // Closing a broken connection rolls back too, without waiting for an answer.
        if (!finished && !broken) await client.query('rollback').catch(onError)
        client.off('error', onError)
        client.release(broken)
      },
    }
  }

  return {
    engine: 'postgres',

    async query<R extends object = Row>(sql: Sql) {
      const result = await run(() => pool.query(statement(sql)))
      return result.rows as R[]
    },

    async queryArrays(sql) {
      const result = await run(() => pool.query({ ...statement(sql), rowMode: 'array' as const }))
      return result.rows
    },

    async queryGate<R extends object = Row>(sql: Sql) {
      const result = await run(() => gate.query(statement(sql)))
      return result.rows as R[]
    },

    async transaction(work) {
      const leased = await lease()
      let finished = false
      try {
        await run(() => leased.client.query('begin'))
        const result = await work(onClient(leased.client))
        const { command } = await run(() => leased.client.query('commit'))
        // PostgreSQL's answer to a commit where a statement failed and its error was swallowed.
        if (command === 'ROLLBACK') throw new Error('the transaction was rolled back instead of committed')
        finished = true
        return result
      } catch (error) {
        leased.failed(error)
        throw error
      } finally {
        await leased.giveBack(finished)
      }
    },

    async *stream(sql, rowsPerChunk) {
      const leased = await lease()
      const { client } = leased
      let finished = false
      try {
        await run(() => client.query('begin read only'))
        await run(() => client.query(`declare chunks no scroll cursor for ${sql.text}`, sql.values))
        const fetch = { text: `fetch ${Math.trunc(rowsPerChunk)} from chunks`, rowMode: 'array' as const }
        while (true) {
          const { rows } = await run(() => client.query(fetch))
          if (rows.length > 0) yield rows
          if (rows.length < rowsPerChunk) break
        }
        await run(() => client.query('commit'))
        finished = true
      } catch (error) {
        leased.failed(error)
        throw error
      } finally {
        await leased.giveBack(finished)
      }
    },

    async runScript(script) {
      await run(() => pool.query(script))
    },

    async close() {
      await Promise.all([pool.end(), gate.end()])
    },
  }
}

// Decided by code: SQLSTATE classes 08 (connection) and 57P (shutdown), 53 (too many connections), 57014 (the
// statement timeout), and the system's own network codes. Of pg's own time-outs only the message tells.
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
const PG_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
]

function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|57P|53|57014|25P03)/.test(state)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODES.has(error.code)
  return PG_MESSAGES.some((message) => error.message.startsWith(message))
}
