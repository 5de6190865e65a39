/** A link as the commands show it, without its token, which is shown only once, when the link is created. */
import { iso } from '../../core/access/keys/key.ts'

export interface NewLinkRow {
  id: string
  center_id: string
  app_id: string
  name: string
  secret_hash: Buffer
  question: string
  language: string | null
  allow_sensitive: boolean
  per_hour: number
  per_minute: number
  allowed_addresses: readonly string[]
  /** ISO */
  created_at: string
  expires_at: string
}

export interface LinkRow extends Omit<NewLinkRow, 'secret_hash' | 'created_at' | 'expires_at'> {
  /** epoch ms */
  created_at: number
  expires_at: number
  revoked_at: number | null
  has_key: boolean
  requests: number
  last_day: string | null
}

/** `stopped`: its application has no active key. */
export type LinkStatus = 'active' | 'expired' | 'revoked' | 'stopped'

export interface Link {
  readonly id: string
  readonly centerId: string
  /** the application that it belongs to; the link works only while that application has an active key */
  readonly appId: string
  readonly name: string
  /** path and query as they were saved */
  readonly question: string
  readonly language: string | null
  readonly allowSensitive: boolean
  readonly limits: { readonly perMinute: number; readonly perHour: number }
  readonly allowedAddresses: readonly string[]
  readonly status: LinkStatus
  /** timestamps in ISO 8601, or null */
  readonly createdAt: string
  readonly expiresAt: string
  readonly revokedAt: string | null
  /** in the last 30 days, as far as they are counted already */
  readonly requests: number
  /** the last day (UTC) on which it was used, or null */
  readonly lastUsed: string | null
}

export function toLink(row: LinkRow, now: number): Link {
  return {
    id: row.id,
    centerId: row.center_id,
    appId: row.app_id,
    name: row.name,
    question: row.question,
    language: row.language,
    allowSensitive: row.allow_sensitive,
    limits: { perMinute: row.per_minute, perHour: row.per_hour },
    allowedAddresses: row.allowed_addresses,
    status: statusOf(row, now),
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    revokedAt: row.revoked_at === null ? null : iso(row.revoked_at),
    requests: row.requests,
    lastUsed: row.last_day,
  }
}

function statusOf({ revoked_at, expires_at, has_key }: LinkRow, now: number): LinkStatus {
  if (revoked_at !== null) return 'revoked'
  if (now >= expires_at) return 'expired'
  return has_key ? 'active' : 'stopped'
}
