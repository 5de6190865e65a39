/**
 * The state that admits a request (a key or a link) is read from the database for every request. All requests that
 * arrived before the read was sent share it. So revoking takes effect at once and no answer is older than its request,
 * for one small query.
 */
import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database, Queryable } from '../database/database.ts'
import { SharedRead } from './shared-read.ts'

export interface States<State> {
  /**
   * @param isWanted whether the caller may get the state that is cached when an import on the embedded database begins,
   * instead of waiting until the import ends
   * @returns undefined if there is none of this name
   */
  read(name: string, isWanted?: (state: State) => boolean): Promise<State | undefined>
  /**
   * The state as last read, if nothing can have been committed since. With it the embedded database serves cached
   * answers while an import has its only session.
   */
  known(name: string): State | undefined
  /**
   * Reads the keys or links that are likely to be used, before an import on the embedded database blocks other reads.
   */
  readNewest(reads: Queryable): Promise<void>
}

interface Reading<Row, State> {
  /** columns and tables, up to `where` */
  readonly select: Sql
  /** condition for the rows with these names */
  readonly named: (names: readonly string[]) => Sql
  /** condition for the rows that may be in use, most likely first */
  readonly newest: Sql
  readonly toState: (row: Row) => State
  readonly nameOf: (state: State) => string
}

/** About a kilobyte each. A state that is evicted is read again. */
const KNOWN_MAX = 5000

/** @param clock is set to the database's time with every read */
export function createStates<
  Row extends { now: number },
  State extends { readonly expiresAt: number | null },
>(
  database: Database,
  clock: DatabaseClock,
  { select, named, newest, toState, nameOf }: Reading<Row, State>,
): States<State> {
  const known = new LRUCache<string, { readonly state: State; readonly commits: number }>({ max: KNOWN_MAX })
  /** Caches rows that were read while the database's commit count was `commits`. */
  const remember = (rows: readonly Row[], commits: number | undefined): State[] => {
    const [first] = rows
    if (first !== undefined) clock.note(first.now)
    const states = rows.map(toState)
    if (commits !== undefined) for (const state of states) known.set(nameOf(state), { state, commits })
    return states
  }
  const shared = new SharedRead<string, State>(async (names) => {
    const commits = database.commits()
    const rows = await database.queryReserved<Row>(sql`${select} where ${named(names)}`)
    return new Map(remember(rows, commits).map((state) => [nameOf(state), state]))
  })
  const stillKnown = (name: string): State | undefined => {
    const commits = database.commits()
    if (commits === undefined) return undefined
    const last = known.get(name)
    if (last?.commits !== commits) return undefined
    const { state } = last
    // A state expires without a commit.
    return state.expiresAt !== null && state.expiresAt <= clock.now() ? undefined : state
  }
  /** Each callback checks whether the state that it waits for is cached now. */
  const waiting = new Set<() => void>()
  const orKnown = async (
    reading: Promise<State | undefined>,
    name: string,
    isWanted: (state: State) => boolean,
  ): Promise<State | undefined> => {
    const { promise: told, resolve } = Promise.withResolvers<State>()
    const look = () => {
      const state = stillKnown(name)
      if (state !== undefined && isWanted(state)) resolve(state)
    }
    waiting.add(look)
    try {
      return await Promise.race([reading, told])
    } finally {
      waiting.delete(look)
    }
  }
  return {
    // Not an async function: on PostgreSQL, which needs no race, each request would wait three microtasks more.
    read(name, isWanted) {
      const reading = shared.read(name)
      const races = isWanted !== undefined && database.commits() !== undefined
      return races ? orKnown(reading, name, isWanted) : reading
    },

    async readNewest(reads) {
      const commits = database.commits()
      remember(await reads.query<Row>(sql`${select} where ${newest} limit ${KNOWN_MAX}`), commits)
      for (const look of waiting) look()
    },

    known: stillKnown,
  }
}
