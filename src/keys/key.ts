/** A key as the commands show it. Secrets are not part of it: they are shown once, when the key is made. */
import type { KeyRow } from './keys-sql.ts'
import { type Quotas, quotasOf } from './quotas.ts'
import type { Scope } from './scopes.ts'

export type KeyStatus = 'active' | 'expired' | 'revoked'

export interface Key {
  readonly appId: string
  readonly publicKey: string
  readonly centerId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** requests in each window, its own or the service's default; 0: no limit */
  readonly limits: Quotas
  /** where the key may be used from; empty: anywhere */
  readonly allowedAddresses: readonly string[]
  /** custom fields that it may read without guests.personal */
  readonly customFields: readonly string[]
  /** whether assistants may read personal and medical data with it (keys/channel.ts) */
  readonly allowAssistants: boolean
  /** whether it brings records in over HTTP, and reads nothing */
  readonly intake: boolean
  readonly status: KeyStatus
  /** moments in ISO 8601, or null */
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface KeyWithSecrets extends Key {
  readonly secretKey: string
  /** both halves in the one string that follows `Authorization: Bearer` */
  readonly apiKey: string
}

/** Something a person asked of keys that cannot be done; the message says what and how to go on. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
}

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
    status: statusOf(row, now),
    createdAt: iso(row.created_at),
    expiresAt: isoOrNull(row.expires_at),
    revokedAt: isoOrNull(row.revoked_at),
    lastUsedAt: isoOrNull(row.last_used_at),
  }
}

/** A key is refused from the very millisecond it expires at (access/credentials.ts). */
export function statusOf(row: Pick<KeyRow, 'revoked_at' | 'expires_at'>, now: number): KeyStatus {
  if (row.revoked_at !== null) return 'revoked'
  return row.expires_at !== null && now >= row.expires_at ? 'expired' : 'active'
}

export const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

const isoOrNull = (milliseconds: number | null) => (milliseconds === null ? null : iso(milliseconds))
