/** A webhook as commands show it. */

import type { Scope } from '../../core/access/keys/scopes.ts'
import { UserError } from '../../core/errors/user-error.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { FEED_KINDS, type FeedKind } from '../changes/change-schema.ts'
import type { WebhookRow } from './webhooks-sql.ts'

/**
 * `failed`: nothing was accepted for three days. `gone`: the receiver answered 410, which asks not to be called again.
 */
export type WebhookState = 'active' | 'paused' | 'failed' | 'gone'

export interface Webhook {
  readonly id: string
  readonly centerId: string
  readonly name: string
  readonly url: string
  readonly scopes: readonly Scope[]
  /** the kinds of changes that are sent */
  readonly kinds: readonly FeedKind[]
  readonly state: WebhookState
  /** times in ISO 8601, or null */
  readonly createdAt: string
  readonly deliveredAt: string | null
  readonly failingSince: string | null
  /** until then, messages also have a signature of the secret before the rotation */
  readonly earlierSecretUntil: string | null
  readonly nextAttemptAt: string | null
  /** failed attempts of the current message */
  readonly attempts: number
  /** everything up to this cursor was delivered */
  readonly cursor: string
}

/** A stored delivery attempt. */
export interface DeliveryRow {
  at: number
  message_id: string
  attempt: number
  entries: number
  outcome: string
  status: number | null
  duration_ms: number
}

/** An action on webhooks that is not possible. The message says why and how to go on. */
export class WebhookError extends UserError {
  override readonly name = 'WebhookError'
}

/** The kinds that these scopes include. */
export const kindsOf = (scopes: readonly Scope[]): FeedKind[] =>
  FEED_KINDS.filter((kind) => scopes.includes(kind))

/** The kinds that a webhook is sent. */
export const kindsReported = ({ scopes, kinds }: Pick<WebhookRow, 'scopes' | 'kinds'>): FeedKind[] =>
  kindsOf(scopes).filter((kind) => kinds === null || kinds.includes(kind))

const moment = (at: number | null) => (at === null ? null : isoMoment(at))

/** Converts a row. */
export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  centerId: row.center_id,
  name: row.name,
  url: row.url,
  scopes: row.scopes,
  kinds: kindsReported(row),
  state: row.state,
  createdAt: isoMoment(row.created_at),
  deliveredAt: moment(row.delivered_at),
  failingSince: moment(row.failing_since),
  earlierSecretUntil: moment(row.earlier_until),
  nextAttemptAt: moment(row.next_attempt_at),
  attempts: row.attempts,
  cursor: row.cursor,
})
