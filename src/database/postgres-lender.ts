/** Connections are lent for a while: waited for no longer than they may be, and closed where they are broken. */
import type pg from 'pg'
import { Circuit } from './circuit.ts'
import { DatabaseUnavailable, sqlState } from './database.ts'
import { Deadlines } from './deadlines.ts'
import { isLateConnection, outageOf } from './postgres-errors.ts'
import { ask, type Result } from './postgres-statements.ts'
import { askSeveral, type RowsRead, type Several } from './postgres-together.ts'

/** A connection that is the caller's until it is given back. */
export interface Lease {
  /** @throws {DatabaseUnavailable} when the server is away, is silent or refuses for now */
  ask(query: pg.QueryConfig): Promise<Result>
  /**
   * One statement several times, in one message. The rows of each are waited for as if they were asked for when the ones
   * before them came.
   */
  askSeveral(several: Several): readonly Promise<RowsRead>[]
  /**
   * Undoes what was done to the connection, such as an open transaction. Never fails: a connection that cannot is
   * closed when it is given back.
   */
  restore(statement: 'rollback' | 'reset statement_timeout'): Promise<void>
  giveBack(): void
}

export interface Lender {
  /** @throws {DatabaseUnavailable} when there is none in time, and at once while the server is silent */
  lease(from: pg.Pool): Promise<Lease>
  /** One statement on a connection of its own. */
  askOnce(from: pg.Pool, query: pg.QueryConfig): Promise<Result>
  close(): void
}

export interface LenderOptions {
  readonly connectMs: number
  /** undefined: an answer takes what it takes */
  readonly answerMs: number | undefined
  /** Asks the server on a connection that nobody has had before. */
  probe(within: Deadlines): Promise<void>
}

const NO_CONNECTION = 'the database gave no connection'
const NO_ANSWER = 'the database did not answer'
const REFUSED = 'the database refused for now'
const TOO_MANY_CONNECTIONS = '53300'

export function createLender({ connectMs, answerMs, probe }: LenderOptions): Lender {
  const connecting = new Deadlines(connectMs, NO_CONNECTION)
  const answering = answerMs === undefined ? undefined : new Deadlines(answerMs, NO_ANSWER)
  const circuit = new Circuit(() => probe(connecting))
  /** how often the server had been silent when a connection was opened */
  const openedAt = new WeakMap<pg.PoolClient, number>()

  const answered = async <T>(work: Promise<T>, deadlines = answering): Promise<T> => {
    try {
      return await (deadlines?.within(work) ?? work)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        // Waiting for a connection ends too when others have all of them.
        if (deadlines === answering && error.cause === undefined) circuit.open()
        throw error
      }
      if (outageOf(error) === undefined) throw error
      const isLate = isLateConnection(error)
      // A command waits as long as it takes, and asks for itself alone.
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
        if (times === circuit.times) return client
        // It was idle while the server fell silent, and may be as silent now.
        client.release(true)
      } catch (error) {
        if (sqlState(error) !== TOO_MANY_CONNECTIONS || from.totalCount === 0) throw error
        // The server has no room for one more; one of those that are there comes back.
        growNoFurther(from)
      }
    }
  }

  const connected = async (from: pg.Pool): Promise<pg.PoolClient> => {
    const connection = connect(from)
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
      askSeveral(several) {
        let before: Promise<unknown> = Promise.resolve()
        const answers = askSeveral(client, several).map((answer) => {
          // What is behind a connection that broke is not waited for, and then nobody hears that it failed.
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
        // Closing a broken connection does it too, without waiting for an answer.
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

    close: () => circuit.close(),
  }
}

/** How long a pool makes do with the connections that it has. */
const GROWTH_PAUSE_MS = 5000

/** Who asks meanwhile waits in the pool's line, and not for an attempt that will fail. */
function growNoFurther({ options, totalCount }: pg.Pool): void {
  const { max } = options
  if (totalCount >= max) return
  options.max = totalCount
  setTimeout(() => {
    options.max = Math.max(options.max, max)
  }, GROWTH_PAUSE_MS).unref()
}
