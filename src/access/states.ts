/**
 * What lets a request in, read from the database for every request, shared by all requests that arrived before the read
 * was sent: so what was revoked stops at once and an answer is never older than its request, for one tiny query.
 */
import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database, Queryable } from '../database/database.ts'
import { SharedRead } from './shared-read.ts'

export interface States<State> {
  /**
   * @param isWanted whether who asks may be told what is known as an import on the embedded database begins, in place of
   * waiting for the import's end
   * @returns undefined for what does not exist
   */
  read(name: string, isWanted?: (state: State) => boolean): Promise<State | undefined>
  /**
   * The state as it was read last, where nothing can have been committed since. So the embedded database answers
   * what it has kept while an import has its one session.
   */
  known(name: string): State | undefined
  /** Reads those that may be in use, before an import on the embedded database lets nobody else read. */
  readNewest(reads: Queryable): Promise<void>
}

interface Reading<Row, State> {
  /** the columns and tables, up to `where` */
  readonly select: Sql
  /** which rows have these names */
  readonly named: (names: readonly string[]) => Sql
  /** which may be in use, those that are likeliest first */
  readonly newest: Sql
  readonly toState: (row: Row) => State
  readonly nameOf: (state: State) => string
}

/** A kilobyte each; one that falls out is read again. */
const KNOWN_MAX = 5000

/** @param clock is told what the database says it is */
export function createStates<
  Row extends { now: number },
  State extends { readonly expiresAt: number | null },
>(
  database: Database,
  clock: DatabaseClock,
  { select, named, newest, toState, nameOf }: Reading<Row, State>,
): States<State> {
  const known = new LRUCache<string, { readonly state: State; readonly commits: number }>({ max: KNOWN_MAX })
  /** Takes what was read while `commits` was the number. */
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
    // Its end comes without a commit.
    return state.expiresAt !== null && state.expiresAt <= clock.now() ? undefined : state
  }
  /** Each looks whether what it waits for is known by now. */
  const waiting = new Set<() => void>()
  return {
    async read(name, isWanted) {
      const reading = shared.read(name)
      if (isWanted === undefined || database.commits() === undefined) return reading
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
    },

    async readNewest(reads) {
      const commits = database.commits()
      remember(await reads.query<Row>(sql`${select} where ${newest} limit ${KNOWN_MAX}`), commits)
      for (const look of waiting) look()
    },

    known: stillKnown,
  }
}
