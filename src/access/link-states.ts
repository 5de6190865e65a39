/**
 * The state of a link, combined with that of its application's newest active key. A link can read no more than that
 * key.
 */
import sql from 'sql-template-tag'
import { centerId } from '../centers/center.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { LINK, usedThrough } from '../keys/channel.ts'
import type { Scope } from '../keys/scopes.ts'
import type { KeyState } from './key-states.ts'
import { createStates, type States } from './states.ts'

/**
 * A link, represented as a key: an application of its own with its own limits, name and expiry, and the scopes of its
 * application's key. `publicKey` is the key's, or empty if none is active.
 */
export interface LinkState extends KeyState {
  /** path and query as saved */
  readonly question: string
  /** a language tag; null: the center's language */
  readonly language: string | null
  /** the key's address list, which also applies to the link */
  readonly keyAddresses: readonly string[]
}

interface LinkStateRow {
  id: string
  center_id: string
  name: string
  secret_hash: Buffer
  question: string
  language: string | null
  allow_sensitive: boolean
  per_hour: number
  per_minute: number
  allowed_addresses: string[]
  public_key: string | null
  scopes: Scope[] | null
  custom_fields: string[] | null
  key_addresses: string[] | null
  expires_at: number
  expired: boolean
  revoked: boolean
  now: number
  api_access: boolean
  revision: number
  profile_revision: number
}

// After a rotation, two keys of an application are active for a while, with the same scopes.
const select = sql`
  select l.id, l.center_id, l.name, l.secret_hash, l.question, l.language, l.allow_sensitive, l.per_hour, l.per_minute,
    l.allowed_addresses, k.public_key, k.scopes, k.custom_fields, k.allowed_addresses as key_addresses,
    least(l.expires_at, k.expires_at) as expires_at, l.expires_at <= clock_timestamp() as expired,
    l.revoked_at is not null or k.public_key is null as revoked,
    clock_timestamp() as now, c.api_access, r.revision, r.profile_revision
  from links l
  join centers c on c.center_id = l.center_id
  join center_revisions r on r.center_id = l.center_id
  left join lateral (
    select * from api_keys k
    where k.center_id = l.center_id and k.app_id = l.app_id and k.revoked_at is null
      and coalesce(k.expires_at > clock_timestamp(), true)
    order by k.created_at desc, k.public_key
    limit 1
  ) k on true`

/** @param clock is set to the database's time with every read */
export const createLinkStates = (database: Database, clock: DatabaseClock): States<LinkState> =>
  createStates<LinkStateRow, LinkState>(database, clock, {
    select,
    // As with keys, the link determines the center.
    named: (ids) => sql`l.id = any(${ids})`,
    newest: sql`l.revoked_at is null order by l.created_at desc`,
    toState: toLinkState,
    nameOf: ({ appId }) => appId,
  })

function toLinkState(row: LinkStateRow): LinkState {
  const state: LinkState = {
    publicKey: row.public_key ?? '',
    appId: row.id,
    name: row.name,
    center: centerId(row.center_id),
    secretHash: Buffer.from(row.secret_hash),
    scopes: new Set(row.scopes),
    perHour: row.per_hour,
    perMinute: row.per_minute,
    allowedAddresses: row.allowed_addresses,
    allowAssistants: false,
    intake: false,
    customFields: row.custom_fields ?? [],
    channel: null,
    expiresAt: row.expires_at,
    expired: row.expired,
    revoked: row.revoked,
    apiAccess: row.api_access,
    revision: row.revision,
    profileRevision: row.profile_revision,
    question: row.question,
    language: row.language,
    keyAddresses: row.key_addresses ?? [],
  }
  // The scopes are final here: an assistant gets no more from a link than anyone else does.
  return { ...usedThrough({ ...state, allowAssistants: row.allow_sensitive }, LINK), allowAssistants: false }
}
