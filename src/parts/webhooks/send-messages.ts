/**
 * What a webhook sends under one lease: its messages are sent one after the other in commit order, until there are no more, one is not
 * accepted, or the time is over. The cursor only advances past accepted messages, so each change is sent at least once
 * and never before an earlier one.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Sql } from 'sql-template-tag'
import type { Database } from '../../core/database/database.ts'
import { type NextMessage, nextMessage } from './message.ts'
import { retryDelay } from './retries.ts'
import { secretsOf, signedHeaders } from './secrets.ts'
import type { Attempt, Send } from './send.ts'
import type { WebhookState } from './webhook.ts'
import {
  advance,
  endLease,
  eventDelivered,
  extendLease,
  insertDelivery,
  postpone,
  selectNextEvent,
  settleMessage,
  takeLease,
  type WebhookEventRow,
  type WebhookRow,
} from './webhooks-sql.ts'

export interface SendingOptions {
  readonly database: Database
  /** the value of `WEBHOOKS_KEY` */
  readonly key: string
  readonly send: Send
  /** epoch ms by the database's clock */
  readonly clock: () => number
  /** a random number from 0 to 1 */
  readonly chance: () => number
  /** identifies this instance as the holder of its leases */
  readonly holder: string
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** called after every attempt */
  readonly onAttempt: (attempt: Attempt) => void
}

export interface WebhookId {
  readonly center_id: string
  readonly id: string
}

/** Longer than an attempt can take, so that a lease is only lost together with its instance. */
const LEASE_SECONDS = 60
const SENDING_MS = 20_000
/** A receiver that takes longer than this for a message gets one message per lease. */
export const SLOW_MS = 2000
/** Attempts stored for each webhook. */
export const DELIVERIES_STORED_MAX = 100

/**
 * Leases a webhook and sends its messages.
 * @param signal aborted when the service stops
 * @returns whether the receiver was slow
 * @throws {DatabaseUnavailable}
 */
export async function sendMessages(
  options: SendingOptions,
  { center_id: center, id }: WebhookId,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, holder, clock } = options
  const began = clock()
  let [webhook] = await write(database, takeLease(center, id, holder, LEASE_SECONDS))
  let isSlow = false
  let isIdle = false
  while (webhook !== undefined && !signal.aborted && !isSlow && clock() - began < SENDING_MS) {
    const at = clock()
    const [event] = await database.query<WebhookEventRow>(selectNextEvent(center, id))
    if (event !== undefined) {
      webhook = await deliverEvent(options, webhook, event, signal)
      isSlow = clock() - at > SLOW_MS
      continue
    }
    const next = await nextMessage(database, webhook)
    if (next === undefined) {
      isIdle = true
      break
    }
    webhook = await deliver(options, webhook, next, signal)
    isSlow = clock() - at > SLOW_MS
    if (!next.more) {
      isIdle = webhook !== undefined
      break
    }
  }
  await write(database, endLease(center, id, holder, isIdle))
  return isSlow
}

/** @returns the webhook's new row; undefined if it cannot continue now, or the lease was lost */
async function deliver(
  options: SendingOptions,
  webhook: WebhookRow,
  next: NextMessage,
  signal: AbortSignal,
): Promise<WebhookRow | undefined> {
  const { database, holder } = options
  const { center_id: center, id } = webhook
  const { notes, cursor, revision, message } = next
  if (message === undefined) {
    const [moved] = await write(database, advance(center, id, holder, { cursor, revision, delivered: false }))
    return moved
  }
  const settled = { notes, cursor, leaseSeconds: LEASE_SECONDS }
  const [held] = await write(database, settleMessage(center, id, holder, settled))
  if (held === undefined || !(await attempt(options, held, message, signal))) return undefined
  const [moved] = await write(database, advance(center, id, holder, { cursor, revision, delivered: true }))
  return moved
}

/** Sends what is not a change of a record, and is stored in full. @returns as `deliver` */
async function deliverEvent(
  options: SendingOptions,
  webhook: WebhookRow,
  { seq, message_id, body }: WebhookEventRow,
  signal: AbortSignal,
): Promise<WebhookRow | undefined> {
  const { database, holder } = options
  const { center_id: center, id } = webhook
  const [held] = await write(database, extendLease(center, id, holder, LEASE_SECONDS))
  const message = { id: message_id, body, changes: 0 }
  if (held === undefined || !(await attempt(options, held, message, signal))) return undefined
  const [moved] = await write(database, eventDelivered(center, id, holder, seq))
  return moved
}

/** Sends a message once, and records how that ended. @returns whether it was accepted */
async function attempt(
  options: SendingOptions,
  webhook: WebhookRow,
  message: NonNullable<NextMessage['message']>,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, clock } = options
  const { center_id: center, id } = webhook
  const at = clock()
  const result = await sendSigned(options, webhook, message, signal)
  // An attempt cut off because the service stops says nothing about the receiver.
  if (result === undefined || (signal.aborted && result.status === undefined)) return false
  options.onAttempt(result)
  const { outcome, status = null } = result
  const delivery = {
    message_id: message.id,
    attempt: webhook.attempts + 1,
    entries: message.changes,
    outcome,
    status,
    duration_ms: Math.max(0, Math.round(clock() - at)),
  }
  await write(database, insertDelivery(center, id, delivery, DELIVERIES_STORED_MAX))
  if (outcome === 'delivered') return true
  await fail(options, webhook, result)
  return false
}

/** @returns undefined if the message cannot be signed */
async function sendSigned(
  { key, send, clock, log }: SendingOptions,
  webhook: WebhookRow,
  message: NonNullable<NextMessage['message']>,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const at = clock()
  const secrets = secretsOf(key, webhook, at)
  if (secrets === undefined) {
    log.error(
      { webhook: webhook.id },
      'a webhook has a secret of another WEBHOOKS_KEY, so nothing is sent: set that key again, or give the webhook a new secret with "sojourn webhooks rotate"',
    )
    return undefined
  }
  const headers = signedHeaders(secrets, message.id, at, message.body)
  return send({ url: webhook.url, headers, body: message.body }, signal)
}

async function fail(
  options: SendingOptions,
  webhook: WebhookRow,
  { outcome, status, retryAfterMs }: Attempt,
): Promise<void> {
  const { database, holder, clock, chance, log } = options
  const { center_id: center, id, attempts, failing_since } = webhook
  const failingMs = failing_since === null ? 0 : clock() - failing_since
  const delay = outcome === 'gone' ? undefined : retryDelay(attempts + 1, failingMs, chance(), retryAfterMs)
  const state: WebhookState = outcome === 'gone' ? 'gone' : delay === undefined ? 'failed' : 'active'
  await write(database, postpone(center, id, holder, { delaySeconds: (delay ?? 0) / 1000, state }))
  if (state === 'active') return
  log.error(
    { webhook: id, outcome, status },
    state === 'gone'
      ? 'a webhook is stopped: its receiver answered 410'
      : 'a webhook is stopped: its receiver accepted nothing for three days',
  )
}

/** Such writes change nothing that answers are made from. */
const write = (database: Database, statement: Sql): Promise<WebhookRow[]> =>
  database.transaction((tx) => tx.query<WebhookRow>(statement))
