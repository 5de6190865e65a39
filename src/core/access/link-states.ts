/**
 * The state of a link, combined with that of its application's newest active key. A link can read no more than that
 * key.
 */
import sql from 'sql-template-tag'
import type { DatabaseClock } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { centerId } from '../records/centers/center.ts'
import { type CurrentState, createStates, type States } from './credential-cache.ts'
import type { KeyState } from './key-states.ts'
import { LINK, usedThrough } from './keys/channel.ts'
import type { Scope } from './keys/scopes.ts'

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
  /** hexadecimal */
  secret_hash: string
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
  revoked: boolean
  api_access: boolean
}

const NO_SECRET = Buffer.alloc(0)

/** @param clock is set to the database's time with every read */
export const createLinkStates = (database: Database, clock: DatabaseClock): States<LinkState> =>
  createStates<LinkStateRow, LinkState>(database, clock, {
    version: sql`concat_ws(' ', l.id, l.xmin, c.xmin, k.public_key, k.xmin)`,
    columns: sql`
      'id', l.id, 'center_id', l.center_id, 'name', l.name, 'secret_hash', encode(l.secret_hash, 'hex'),
      'question', l.question, 'language', l.language, 'allow_sensitive', l.allow_sensitive,
      'per_hour', l.per_hour, 'per_minute', l.per_minute, 'allowed_addresses', l.allowed_addresses,
      'public_key', k.public_key, 'scopes', k.scopes, 'custom_fields', k.custom_fields,
      'key_addresses', k.allowed_addresses,
      'expires_at', floor(extract(epoch from least(l.expires_at, k.expires_at)) * 1000),
      'revoked', l.revoked_at is not null or k.public_key is null, 'api_access', c.api_access`,
    expired: sql`l.expires_at <= clock_timestamp()`,
    // After a rotation, two keys of an application are active for a while, with the same scopes.
    from: sql`links l
    join centers c on c.center_id = l.center_id
    join center_revisions r on r.center_id = l.center_id
    left join lateral (select * from center_moves where center_id = l.center_id offset 0) m on true
    left join lateral (
      select k.*, k.xmin
      from api_keys k
      where k.center_id = l.center_id and k.app_id = l.app_id and k.revoked_at is null
        and coalesce(k.expires_at > clock_timestamp(), true)
      order by k.created_at desc, k.public_key
      limit 1
    ) k on true`,
    // As with keys, the link determines the center.
    named: (ids) => sql`l.id = any(${ids})`,
    toState: toLinkState,
    nameOf: ({ appId }) => appId,
  })

function toLinkState(row: LinkStateRow, now: CurrentState): LinkState {
  const state: LinkState = {
    publicKey: row.public_key ?? '',
    appId: row.id,
    name: row.name,
    center: centerId(row.center_id),
    secretHash: Buffer.from(row.secret_hash, 'hex'),
    scopes: new Set(row.scopes),
    quotas: { perMinute: row.per_minute, perHour: row.per_hour },
    allowedAddresses: row.allowed_addresses,
    allowAssistants: false,
    intake: false,
    seesStored: false,
    customFields: row.custom_fields ?? [],
    channel: null,
    // A link never reads under pseudonyms.
    pseudonymSecret: NO_SECRET,
    expiresAt: row.expires_at,
    revoked: row.revoked,
    apiAccess: row.api_access,
    ...now,
    question: row.question,
    language: row.language,
    keyAddresses: row.key_addresses ?? [],
  }
  // The scopes are final here: an assistant gets no more from a link than anyone else does.
  return { ...usedThrough({ ...state, allowAssistants: row.allow_sensitive }, LINK), allowAssistants: false }
}
