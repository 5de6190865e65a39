/** A key as commands show it. Secrets are not part of it: they are shown once, when the key is created. */
import { UserError } from '../../errors/user-error.ts'
import type { KeyRow } from './keys-sql.ts'
import { type Quotas, quotasOf } from './quotas.ts'
import type { KeyScope, Scope } from './scopes.ts'

export type KeyStatus = 'active' | 'expired' | 'revoked'

export interface Key {
  readonly appId: string
  readonly publicKey: string
  readonly centerId: string
  readonly name: string
  readonly scopes: readonly KeyScope[]
  /** requests in each window, the key's own or the default; 0: no limit */
  readonly limits: Quotas
  /** where the key may be used from; empty: anywhere */
  readonly allowedAddresses: readonly string[]
  /** custom fields that it may read without guests.personal */
  readonly customFields: readonly string[]
  /** whether assistants may read personal and medical data with it (access/keys/channel.ts) */
  readonly allowAssistants: boolean
  /** whether it is an intake key, which sends records over HTTP and cannot read */
  readonly intake: boolean
  /** the scopes that it may grant; only a key with the scope `administration` has any */
  readonly grants: readonly Scope[]
  /** who answers for it, as staff entered it; null if nobody was named */
  readonly responsible: string | null
  /** the local day by which somebody checks whether it is still required, `YYYY-MM-DD`, or null */
  readonly reviewOn: string | null
  readonly status: KeyStatus
  /** times in ISO 8601, or null */
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface KeyWithSecrets extends Key {
  readonly secretKey: string
  /** public key and secret in one string, as sent after `Authorization: Bearer` */
  readonly apiKey: string
}

/** An action on keys that is not possible. The message says why and how to go on. */
export class KeyError extends UserError {
  override readonly name = 'KeyError'
}

/** Converts a row. @param now epoch ms, for the status */
export function toKey(row: KeyRow, now: number): Key {
  return {
    appId: row.app_id,
    publicKey: row.public_key,
    centerId: row.center_id,
    name: row.name,
    scopes: row.scopes,
    limits: quotasOf({ perMinute: row.per_minute, perHour: row.per_hour }),
    allowedAddresses: row.allowed_addresses,
    customFields: row.custom_fields,
    allowAssistants: row.allow_assistants,
    intake: row.intake,
    grants: row.grants,
    responsible: row.responsible,
    reviewOn: row.review_on,
    status: statusOf(row, now),
    createdAt: iso(row.created_at),
    expiresAt: isoOrNull(row.expires_at),
    revokedAt: isoOrNull(row.revoked_at),
    lastUsedAt: isoOrNull(row.last_used_at),
  }
}

/** A key is refused from the millisecond at which it expires (access/credentials.ts). */
export function statusOf(row: Pick<KeyRow, 'revoked_at' | 'expires_at'>, now: number): KeyStatus {
  if (row.revoked_at !== null) return 'revoked'
  return row.expires_at !== null && now >= row.expires_at ? 'expired' : 'active'
}

/** Epoch ms as ISO 8601. */
export const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

const isoOrNull = (milliseconds: number | null) => (milliseconds === null ? null : iso(milliseconds))
