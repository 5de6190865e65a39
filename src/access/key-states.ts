/** The state of a key and of its center, as read from the database. */
import sql from 'sql-template-tag'
import { type CenterId, centerId } from '../centers/center.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { Channel } from '../keys/channel.ts'
import type { Scope } from '../keys/scopes.ts'
import { createStates, type States } from './states.ts'

export interface KeyState {
  readonly publicKey: string
  readonly appId: string
  /** the application's name as staff entered it; for the audit trail */
  readonly name: string
  readonly center: CenterId
  /** SHA-256 of the secret */
  readonly secretHash: Buffer
  /** the scopes that are usable through this channel */
  readonly scopes: ReadonlySet<Scope>
  /** requests per hour; 0: no limit; null: the default */
  readonly perHour: number | null
  readonly perMinute: number | null
  readonly allowedAddresses: readonly string[]
  /** custom fields that the key may read without guests.personal through this channel */
  readonly customFields: readonly string[]
  /** whether assistants may read everything that the key may */
  readonly allowAssistants: boolean
  /** whether this is an intake key, which sends records and cannot read */
  readonly intake: boolean
  /** how the request reached the service */
  readonly channel: Channel
  /** epoch ms; null if the key does not expire. For display only: `expired` decides. */
  readonly expiresAt: number | null
  /** whether the key has expired by the database's clock, which all instances share */
  readonly expired: boolean
  readonly revoked: boolean
  readonly apiAccess: boolean
  /** revision of the center; increases with each commit that touches it */
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
  intake: boolean
  custom_fields: string[]
  expires_at: number | null
  expired: boolean | null
  revoked: boolean
  now: number
  api_access: boolean
  revision: number
  profile_revision: number
}

export type KeyStates = States<KeyState>

const select = sql`
  select k.public_key, k.app_id, k.name, k.center_id, k.secret_hash, k.scopes, k.per_hour, k.per_minute,
    k.allowed_addresses, k.allow_assistants, k.intake, k.custom_fields, k.expires_at, k.expires_at <= clock_timestamp() as expired, k.revoked_at is not null as revoked,
    clock_timestamp() as now, c.api_access, r.revision, r.profile_revision
  from api_keys k
  join centers c on c.center_id = k.center_id
  join center_revisions r on r.center_id = k.center_id`

/** @param clock is set to the database's time with every read */
export const createKeyStates = (database: Database, clock: DatabaseClock): KeyStates =>
  createStates<KeyStateRow, KeyState>(database, clock, {
    select,
    // The only query without a center: the key determines the center.
    named: (publicKeys) => sql`k.public_key = any(${publicKeys})`,
    newest: sql`k.revoked_at is null order by k.last_used_at desc nulls last`,
    toState: toKeyState,
    nameOf: ({ publicKey }) => publicKey,
  })

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
    intake: row.intake,
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
