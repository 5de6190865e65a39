/** Leases connections of a pool: with time-outs, and closing those that break. */
import type pg from 'pg'
import { DatabaseUnavailable, sqlState } from '../database.ts'
import { Circuit } from '../queue/circuit.ts'
import { Deadlines } from '../queue/deadlines.ts'
import { isLateConnection, outageOf } from './postgres-errors.ts'
import { askPipelined, type RowsRead, type Several } from './postgres-pipeline.ts'
import { ask, type Result } from './postgres-statements.ts'

/** A connection that belongs to the caller until it is given back. */
export interface Lease {
  /** @throws {DatabaseUnavailable} if the server is unreachable, does not answer or refuses temporarily */
  ask(query: pg.QueryConfig): Promise<Result>
  /**
   * Runs one statement several times in one message. The time-out of each begins when the previous ones are answered.
   */
  askPipelined(several: Several): readonly Promise<RowsRead>[]
  /**
   * Undoes a change to the connection, such as an open transaction. Never fails: if undoing fails, the connection is
   * closed when it is given back.
   */
  restore(statement: 'rollback' | `set statement_timeout = ${number}`): Promise<void>
  giveBack(): void
}

export interface ConnectionPool {
  /** @throws {DatabaseUnavailable} if no connection is free in time; immediately while the circuit is open */
  lease(from: pg.Pool): Promise<Lease>
  /** Runs one statement on a connection leased only for it. */
  askOnce(from: pg.Pool, query: pg.QueryConfig): Promise<Result>
  /** How often and how long leases have waited because no connection of the pool was idle. */
  waitsFor(pool: pg.Pool): { readonly waits: number; readonly seconds: number }
  close(): void
}

export interface ConnectionPoolOptions {
  readonly connectMs: number
  /** in ms; undefined: no time-out */
  readonly answerMs: number | undefined
  /** Queries the server on a new connection. */
  probe(within: Deadlines): Promise<void>
  /** Whether the connection leads to the server that answers now. Another one may have lost the newest commits. */
  isCurrent(client: pg.PoolClient): boolean
}

export const NO_CONNECTION = 'the database gave no connection'
const NO_ANSWER = 'the database did not answer'
const REFUSED = 'the database refused for now'
const TOO_MANY_CONNECTIONS = '53300'
const NO_WAITS = { waits: 0, seconds: 0 }

/** Creates the pool and its circuit breaker. */
export function createConnectionPool({
  connectMs,
  answerMs,
  probe,
  isCurrent,
}: ConnectionPoolOptions): ConnectionPool {
  const connecting = new Deadlines(connectMs, NO_CONNECTION)
  const answering = answerMs === undefined ? undefined : new Deadlines(answerMs, NO_ANSWER)
  const circuit = new Circuit(() => probe(connecting))
  /** how often the circuit had opened when each connection was created */
  const openedAt = new WeakMap<pg.PoolClient, number>()

  const answered = async <T>(work: Promise<T>, deadlines = answering): Promise<T> => {
    try {
      return await (deadlines?.within(work) ?? work)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        // Waiting for a connection also ends if others hold all of them.
        if (deadlines === answering && error.cause === undefined) circuit.open()
        throw error
      }
      if (outageOf(error) === undefined) throw error
      const isLate = isLateConnection(error)
      // A command may take any time, and no other request waits behind it.
      if (isLate && answering !== undefined) circuit.open()
      const cause = isLate ? new Error(`${NO_CONNECTION} within ${connectMs} ms`) : error
      throw new DatabaseUnavailable(sqlState(error) === undefined ? NO_ANSWER : REFUSED, { cause })
    }
  }

  const connect = async (from: pg.Pool): Promise<pg.PoolClient> => {
    while (true) {
      circuit.check()
      try {
        const client = await from.connect()
        const times = openedAt.get(client) ?? circuit.times
        openedAt.set(client, times)
        if (times === circuit.times && isCurrent(client)) return client
        // The connection was idle when the server stopped responding, and may be dead. Or it leads to another server.
        client.release(true)
      } catch (error) {
        if (sqlState(error) !== TOO_MANY_CONNECTIONS || from.totalCount === 0) throw error
        // The server accepts no more connections; one of the existing ones will be returned.
        growNoFurther(from)
      }
    }
  }

  const waited = new WeakMap<pg.Pool, { waits: number; seconds: number }>()
  const noteWait = (from: pg.Pool, since: number) => {
    const numbers = waited.get(from) ?? { waits: 0, seconds: 0 }
    numbers.waits += 1
    numbers.seconds += (performance.now() - since) / 1000
    waited.set(from, numbers)
  }

  const connected = async (from: pg.Pool): Promise<pg.PoolClient> => {
    const since = from.idleCount === 0 ? performance.now() : undefined
    const connection = connect(from)
    try {
      return await answered(connection, connecting)
    } catch (error) {
      // A connection that comes too late is returned to the pool.
      connection.then(
        (client) => client.release(),
        () => {},
      )
      throw error
    } finally {
      if (since !== undefined) noteWait(from, since)
    }
  }

  // A lost or unresponsive connection is closed instead of being returned to the pool: its next user would fail or wait
  // in vain.
  const lease = async (from: pg.Pool): Promise<Lease> => {
    const client = await connected(from)
    let broken = false
    // If the connection is cut between queries, the event would otherwise be unhandled.
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    const received = async <T>(result: Promise<T>): Promise<T> => {
      try {
        return await answered(result)
      } catch (error) {
        broken ||= error instanceof DatabaseUnavailable && outageOf(error.cause) !== 'later'
        throw error
      }
    }
    return {
      ask: (query) => received(ask(client, query)),
      askPipelined(several) {
        let before: Promise<unknown> = Promise.resolve()
        const answers = askPipelined(client, several).map((answer) => {
          // After the connection has broken, later answers are not awaited, so their rejections must be handled here.
          answer.catch(() => {})
          const own = before.then(() => received(answer))
          before = own.catch((error: unknown) => {
            if (broken) throw error
          })
          return own
        })
        before.catch(() => {})
        return answers
      },
      async restore(text) {
        // Closing a broken connection also rolls back, without waiting for an answer.
        if (!broken) await answered(ask(client, { text })).catch(onError)
      },
      giveBack() {
        client.off('error', onError)
        client.release(broken)
      },
    }
  }

  return {
    lease,

    async askOnce(from, query) {
      const leased = await lease(from)
      try {
        return await leased.ask(query)
      } finally {
        leased.giveBack()
      }
    },

    waitsFor: (pool) => waited.get(pool) ?? NO_WAITS,

    close: () => circuit.close(),
  }
}

/** How long a pool does not grow after the server refused a connection, in ms. */
const GROWTH_PAUSE_MS = 5000

/**
 * Stops the pool from growing for a while: callers then wait in its line and not for an attempt to connect that will
 * fail.
 */
function growNoFurther({ options, totalCount }: pg.Pool): void {
  const { max } = options
  if (totalCount >= max) return
  options.max = totalCount
  setTimeout(() => {
    options.max = Math.max(options.max, max)
  }, GROWTH_PAUSE_MS).unref()
}
