/**
 * The state of a key and of its center, read from the database for every request, shared by all requests
 * that arrived before the read was sent: so a revoked key stops at once and an answer is never older than its
 * request, for one tiny query.
 */
import { LRUCache } from 'lru-cache'
import sql, { type Sql } from 'sql-template-tag'
import { type CenterId, centerId } from '../centers/center.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { Channel } from '../keys/channel.ts'
import type { Scope } from '../keys/scopes.ts'
import { SharedRead } from './shared-read.ts'

export interface KeyState {
  readonly publicKey: string
  readonly appId: string
  /** whom it is for, in a person's words; for the audit trail */
  readonly name: string
  readonly center: CenterId
  /** SHA-256 of the secret */
  readonly secretHash: Buffer
  /** what it may read through this channel */
  readonly scopes: ReadonlySet<Scope>
  /** requests; 0: no limit; null: the default */
  readonly perHour: number | null
  readonly perMinute: number | null
  readonly allowedAddresses: readonly string[]
  /** custom fields that it may read without guests.personal, through this channel */
  readonly customFields: readonly string[]
  /** whether an assistant may read with it whatever the key may */
  readonly allowAssistants: boolean
  /** how this request came */
  readonly channel: Channel
  /** epoch ms, or null where it does not expire; for showing: `expired` decides */
  readonly expiresAt: number | null
  /** whether its end has come, by the database's clock: the same for every instance */
  readonly expired: boolean
  readonly revoked: boolean
  readonly apiAccess: boolean
  /** of the center; goes up with each commit that touches it */
  readonly revision: number
  readonly profileRevision: number
}

interface KeyStateRow {
  public_key: string
  app_id: string
  name: string
  center_id: string
  secret_hash: Buffer
  scopes: Scope[]
  per_hour: number | null
  per_minute: number | null
  allowed_addresses: string[]
  allow_assistants: boolean
  custom_fields: string[]
  expires_at: number | null
  expired: boolean | null
  revoked: boolean
  now: number
  api_access: boolean
  revision: number
  profile_revision: number
}

export interface KeyStates {
  /** @returns undefined for a key that does not exist */
  read(publicKey: string): Promise<KeyState | undefined>
  /**
   * The state as it was read last, where nothing can have been committed since. So the embedded database answers
   * what it has kept while an import has its one session.
   */
  known(publicKey: string): KeyState | undefined
}

/** A kilobyte each; one that falls out is read again. */
const KNOWN_KEYS_MAX = 5000

/**
 * @param clock is told what the database says it is
 */
export function createKeyStates(database: Database, clock: DatabaseClock): KeyStates {
  const known = new LRUCache<string, { readonly state: KeyState; readonly commits: number }>({
    max: KNOWN_KEYS_MAX,
  })
  /** Takes what was read while `commits` was the number. */
  const remember = (rows: readonly KeyStateRow[], commits: number | undefined): KeyState[] => {
    const [first] = rows
    if (first !== undefined) clock.note(first.now)
    const states = rows.map(toKeyState)
    if (commits !== undefined) for (const state of states) known.set(state.publicKey, { state, commits })
    return states
  }
  const shared = new SharedRead<string, KeyState>(async (publicKeys) => {
    const commits = database.commits()
    const rows = await database.queryReserved<KeyStateRow>(
      // The one query without a center: a key is what says whose center it is.
      selectStates(sql`where k.public_key = any(${publicKeys})`),
    )
    return new Map(remember(rows, commits).map((state) => [state.publicKey, state]))
  })
  // So that an import on the embedded database refuses no key that has not read since the last commit.
  database.beforeHold(async (reads) => {
    const commits = database.commits()
    const newest = sql`where k.revoked_at is null order by k.last_used_at desc nulls last limit ${KNOWN_KEYS_MAX}`
    remember(await reads.query<KeyStateRow>(selectStates(newest)), commits)
  })
  return {
    read: (publicKey) => shared.read(publicKey),

    known(publicKey) {
      const commits = database.commits()
      if (commits === undefined) return undefined
      const last = known.get(publicKey)
      if (last?.commits !== commits) return undefined
      const { state } = last
      // Its end comes without a commit.
      return state.expiresAt !== null && state.expiresAt <= clock.now() ? undefined : state
    },
  }
}

const selectStates = (which: Sql): Sql => sql`
  select k.public_key, k.app_id, k.name, k.center_id, k.secret_hash, k.scopes, k.per_hour, k.per_minute,
    k.allowed_addresses, k.allow_assistants, k.custom_fields, k.expires_at, k.expires_at <= clock_timestamp() as expired, k.revoked_at is not null as revoked,
    clock_timestamp() as now, c.api_access, r.revision, r.profile_revision
  from api_keys k
  join centers c on c.center_id = k.center_id
  join center_revisions r on r.center_id = k.center_id
  ${which}`

function toKeyState(row: KeyStateRow): KeyState {
  return {
    publicKey: row.public_key,
    appId: row.app_id,
    name: row.name,
    center: centerId(row.center_id),
    secretHash: Buffer.from(row.secret_hash),
    scopes: new Set(row.scopes),
    perHour: row.per_hour,
    perMinute: row.per_minute,
    allowedAddresses: row.allowed_addresses,
    allowAssistants: row.allow_assistants,
    customFields: row.custom_fields,
    channel: null,
    expiresAt: row.expires_at,
    expired: row.expired ?? false,
    revoked: row.revoked,
    apiAccess: row.api_access,
    revision: row.revision,
    profileRevision: row.profile_revision,
  }
}
