/**
 * The state that admits a request (a key or a link) is read from the database for every request. All requests that
 * arrived before the read was sent share it. So revoking takes effect at once and no answer is older than its request,
 * for one small query.
 */
import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import type { DatabaseClock } from '../database/clock.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { type Generation, OTHER_SERVER } from '../database/generation.ts'
import { SharedRead, type SharedReadNumbers } from './shared-read.ts'

/** What changes in a state without a change of its own row: it is read every time. */
export interface CurrentState {
  /** the server that the state was read from; revisions of another one cannot be compared with these */
  readonly generation: Generation
  /** revision of the center; increases with each commit that touches it */
  readonly revision: number
  readonly profileRevision: number
  /** increases with each delivery to the center */
  readonly sourcesRevision: number
  /** whether it has expired by the database's clock, which all instances share */
  readonly expired: boolean
  /** whether its center is moving to another database, or has moved */
  readonly moving: boolean
}

export interface States<State> {
  /** @returns undefined if there is none of this name */
  read(name: string): Promise<State | undefined>
  readonly numbers: SharedReadNumbers
}

interface Reading<Row, State> {
  /**
   * Text that is another one for every version of every row: identifiers, and `xmin` (the transaction that wrote a row) of
   * all rows that `columns` come from. Only the last version that a transaction writes is ever seen, so no two have the
   * same.
   */
  readonly version: Sql
  /** arguments of `json_build_object`, for the fields of `Row`: nothing that changes without `version` */
  readonly columns: Sql
  readonly expired: Sql
  /** tables, among them `center_revisions r`, and `center_moves m` of its center, if there is one */
  readonly from: Sql
  /** condition for the rows with these names */
  readonly named: (names: readonly string[]) => Sql
  readonly toState: (row: Row, now: CurrentState) => State
  readonly nameOf: (state: State) => string
}

interface StateRow<Row> {
  readonly version: string
  readonly revision: number
  readonly profile_revision: number
  readonly sources_revision: number
  readonly expired: boolean | null
  readonly moving: boolean | null
  readonly now: number
  /** null if the version is one of those that were sent */
  readonly row: Row | null
}

interface Known<State> {
  readonly state: State
  readonly version: string
}

/** How often states are read again because another server answers than before. The first connection counts as one. */
const ATTEMPTS_MAX = 3

/** About a kilobyte each. A state that is evicted is read again. */
const KNOWN_MAX = 5000

/** @param clock is set to the database's time with every read */
export function createStates<Row, State extends CurrentState & { readonly expiresAt: number | null }>(
  database: Database,
  clock: DatabaseClock,
  { version, columns, expired, from, named, toState, nameOf }: Reading<Row, State>,
): States<State> {
  const known = new LRUCache<string, Known<State>>({ max: KNOWN_MAX })
  // A key's row is the same at nearly every read, and two thirds of what it costs are its columns. So the versions that are
  // known are sent, and a row comes back only where it has another one.
  const select = (versions: readonly string[]) => sql`
    select ${version} as version, r.revision, r.profile_revision, r.sources_revision, ${expired} as expired,
      m.state <> 'closing' or m.closed_until > clock_timestamp() as moving, clock_timestamp() as now,
      case when ${version} = any(${versions}) then null else json_build_object(${columns}) end as row
    from ${from}`

  /** @param sent by version; they may have been evicted since */
  const remember = (
    rows: readonly StateRow<Row>[],
    sent: ReadonlyMap<string, State>,
    generation: Generation,
  ): State[] => {
    const [first] = rows
    if (first !== undefined) clock.note(first.now)
    return rows.map((found) => {
      const { version, row, revision, profile_revision: profileRevision, expired } = found
      const { sources_revision: sourcesRevision, moving } = found
      const now = {
        generation,
        revision,
        profileRevision,
        sourcesRevision,
        expired: expired ?? false,
        moving: moving ?? false,
      }
      const state = row === null ? updated(sent.get(version), now) : toState(row, now)
      known.set(nameOf(state), { version, state })
      return state
    })
  }
  let generation = database.generation()
  /** Another server gives the numbers of transactions that were lost once more. */
  const forgetOtherServers = () => {
    if (generation !== database.generation()) known.clear()
    generation = database.generation()
    return generation
  }
  const readNamed = async (names: readonly string[]): Promise<State[]> => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const states = await readFromOne(forgetOtherServers(), names)
      if (states !== undefined) return states
    }
    throw new DatabaseUnavailable(OTHER_SERVER)
  }
  /** @returns undefined if another server has answered */
  const readFromOne = async (server: Generation, names: readonly string[]): Promise<State[] | undefined> => {
    const sent = new Map<string, State>()
    for (const name of names) {
      const last = known.get(name)
      if (last !== undefined) sent.set(last.version, last.state)
    }
    const rows = await database.queryReserved<StateRow<Row>>(
      sql`${select([...sent.keys()])} where ${named(names)}`,
    )
    return database.generation() === server ? remember(rows, sent, server) : undefined
  }
  const shared = new SharedRead<string, State>(async (names) => {
    try {
      return new Map((await readNamed(names)).map((state) => [nameOf(state), state]))
    } catch (error) {
      // Another server may answer from now on, which gives the numbers of transactions that were lost once more.
      known.clear()
      throw error
    }
  })
  return {
    read: (name) => shared.read(name),

    numbers: shared.numbers,
  }
}

/** The same object if nothing has changed, so that what was derived from it can be found again. */
function updated<State extends CurrentState>(state: State | undefined, now: CurrentState): State {
  if (state === undefined) throw new Error('a row was left out whose version was not sent')
  const isSame =
    state.generation === now.generation &&
    state.revision === now.revision &&
    state.profileRevision === now.profileRevision &&
    state.sourcesRevision === now.sourcesRevision &&
    state.expired === now.expired &&
    state.moving === now.moving
  return isSame ? state : { ...state, ...now }
}
