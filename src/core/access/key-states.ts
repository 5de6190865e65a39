/** The state of a key and of its center, as read from the database. */
import sql from 'sql-template-tag'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { type CenterId, centerId } from '../records/centers/center.ts'
import { type CurrentState, createStates, type States } from './credential-cache.ts'
import type { Channel } from './keys/channel.ts'
import { type Quotas, quotasOf } from './keys/quotas.ts'
import { isScope, type KeyScope, type Scope } from './keys/scopes.ts'

export interface KeyState extends CurrentState {
  readonly publicKey: string
  readonly appId: string
  /** the application's name as staff entered it; for the audit trail */
  readonly name: string
  readonly center: CenterId
  /** SHA-256 of the secret */
  readonly secretHash: Buffer
  /** the scopes that are usable through this channel */
  readonly scopes: ReadonlySet<Scope>
  readonly quotas: Quotas
  readonly allowedAddresses: readonly string[]
  /** custom fields that the key may read without guests.personal through this channel */
  readonly customFields: readonly string[]
  /** whether assistants may read everything that the key may */
  readonly allowAssistants: boolean
  /** whether this is an intake key, which sends records and cannot read */
  readonly intake: boolean
  /** whether an intake key sees the stored values that an import would change (the scope `import`) */
  readonly seesStored: boolean
  /** how the request reached the service */
  readonly channel: Channel
  /** what the pseudonyms of its application are made with (pseudonyms.ts); never shown */
  readonly pseudonymSecret: Buffer
  /** epoch ms; null if the key does not expire. For display only: `expired` decides. */
  readonly expiresAt: number | null
  readonly revoked: boolean
  readonly apiAccess: boolean
}

interface KeyStateRow {
  public_key: string
  app_id: string
  name: string
  center_id: string
  /** hexadecimal */
  secret_hash: string
  scopes: KeyScope[]
  per_hour: number | null
  per_minute: number | null
  allowed_addresses: string[]
  allow_assistants: boolean
  intake: boolean
  custom_fields: string[]
  expires_at: number | null
  revoked: boolean
  api_access: boolean
  /** hexadecimal */
  pseudonym_secret: string
}

export type KeyStates = States<KeyState>

/** @param clock is set to the database's time with every read */
export const createKeyStates = (database: Database, clock: DatabaseClock): KeyStates =>
  createStates<KeyStateRow, KeyState>(database, clock, {
    version: sql`concat_ws(' ', k.public_key, k.xmin, c.xmin)`,
    columns: sql`
      'public_key', k.public_key, 'app_id', k.app_id, 'name', k.name, 'center_id', k.center_id,
      'secret_hash', encode(k.secret_hash, 'hex'), 'scopes', k.scopes, 'per_hour', k.per_hour,
      'per_minute', k.per_minute, 'allowed_addresses', k.allowed_addresses,
      'allow_assistants', k.allow_assistants, 'intake', k.intake, 'custom_fields', k.custom_fields,
      'expires_at', floor(extract(epoch from k.expires_at) * 1000), 'revoked', k.revoked_at is not null,
      'api_access', c.api_access, 'pseudonym_secret', encode(k.pseudonym_secret, 'hex')`,
    expired: sql`k.expires_at <= clock_timestamp()`,
    from: sql`api_keys k
    join centers c on c.center_id = k.center_id
    join center_revisions r on r.center_id = k.center_id
    left join lateral (select * from center_moves where center_id = k.center_id offset 0) m on true`,
    // The only query without a center: the key determines the center.
    named: (publicKeys) => sql`k.public_key = any(${publicKeys})`,
    toState: toKeyState,
    nameOf: ({ publicKey }) => publicKey,
  })

function toKeyState(row: KeyStateRow, now: CurrentState): KeyState {
  return {
    publicKey: row.public_key,
    appId: row.app_id,
    name: row.name,
    center: centerId(row.center_id),
    secretHash: Buffer.from(row.secret_hash, 'hex'),
    scopes: new Set(row.scopes.filter(isScope)),
    quotas: quotasOf({ perMinute: row.per_minute, perHour: row.per_hour }),
    allowedAddresses: row.allowed_addresses,
    allowAssistants: row.allow_assistants,
    intake: row.intake,
    seesStored: row.intake && row.scopes.includes('import'),
    customFields: row.custom_fields,
    channel: null,
    pseudonymSecret: Buffer.from(row.pseudonym_secret, 'hex'),
    expiresAt: row.expires_at,
    revoked: row.revoked,
    apiAccess: row.api_access,
    ...now,
  }
}
