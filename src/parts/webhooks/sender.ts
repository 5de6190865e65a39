/**
 * Sends messages of webhooks for all centers: once a second it looks for webhooks with something to send, and gives
 * each under a lease. A slow or failing receiver does not delay others: each center, and all slow receivers together, have a
 * share of them, and a failing receiver is called less and less often. Instances divide the work by leases in the
 * database.
 */
import type { Attempt, Outcome } from './send.ts'
import { type SendingOptions, sendMessages, type WebhookId } from './send-messages.ts'
import { selectDue, selectNextWebhooks, selectSummary } from './webhooks-sql.ts'

export interface WebhookSummary {
  readonly active: number
  readonly failing: number
  readonly paused: number
  readonly stopped: number
  readonly lag_seconds: number
}

export interface WebhookNumbers {
  /** number of attempts of this instance, by outcome */
  readonly attempts: ReadonlyMap<Outcome, number>
  /** counts of all webhooks, up to a few seconds old */
  readonly summary: WebhookSummary
}

export interface WebhookSender {
  readonly numbers: WebhookNumbers
  /** Looks for messages to send once, and starts sending them. Never rejects. */
  look(): Promise<void>
  /** Resolves when nothing is being sent. */
  settled(): Promise<void>
  /** Ends what is being sent. Messages not accepted yet are sent again later. Never rejects. */
  close(): Promise<void>
}

export interface SenderOptions extends Omit<SendingOptions, 'onAttempt'> {
  /** calls back regularly until stopped */
  readonly every: (ms: number, act: () => void) => () => void
}

const LOOK_MS = 1000
/** Most of the time is spent waiting for a receiver. */
const SENDING_MAX = 32
const CENTER_SENDING_MAX = 4
const SLOW_SENDING_MAX = 16
const DUE_MAX = 200
/** A look is at those that may have something to send, and at so many others: all of them, one after the other. */
const OTHERS_MAX = 200
const FIRST: WebhookId = { center_id: '', id: '' }
/** The numbers for the metrics are read every this many looks. */
const LOOKS_A_SUMMARY = 15

/** Starts looking for messages at once. */
export function createSender(options: SenderOptions): WebhookSender {
  const { database, log } = options
  const ending = new AbortController()
  /** by identifier of the webhook */
  const sending = new Map<
    string,
    { readonly center: string; readonly isSlow: boolean; readonly done: Promise<void> }
  >()
  const slow = new Set<string>()
  const attempts = new Map<Outcome, number>()
  let summary: WebhookSummary = { active: 0, failing: 0, paused: 0, stopped: 0, lag_seconds: 0 }
  let looks = 0
  let after = FIRST
  let looking: Promise<void> | undefined
  let failing = false

  const countSending = (which: (one: { center: string; isSlow: boolean }) => boolean) =>
    [...sending.values()].filter(which).length

  const hasRoom = ({ center_id, id }: WebhookId) =>
    !sending.has(id) &&
    sending.size < SENDING_MAX &&
    countSending(({ center }) => center === center_id) < CENTER_SENDING_MAX &&
    (!slow.has(id) || countSending(({ isSlow }) => isSlow) < SLOW_SENDING_MAX)

  const onAttempt = ({ outcome }: Attempt) => attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1)

  const begin = (target: WebhookId) => {
    const done = sendMessages({ ...options, onAttempt }, target, ending.signal)
      .then((isSlow) => {
        if (isSlow) slow.add(target.id)
        else slow.delete(target.id)
      })
      // The webhook continues when its lease has expired.
      .catch(fail)
      .finally(() => sending.delete(target.id))
    sending.set(target.id, { center: target.center_id, isSlow: slow.has(target.id), done })
  }

  const fail = (error: unknown) => {
    if (failing || ending.signal.aborted) return
    failing = true
    log.warn({ name: error instanceof Error ? error.name : typeof error }, 'webhooks cannot be sent for now')
  }

  const look = async () => {
    try {
      const others = await database.query<WebhookId>(selectNextWebhooks(after, OTHERS_MAX))
      const due = await database.query<WebhookId>(selectDue(DUE_MAX, others))
      after = (others.length < OTHERS_MAX ? undefined : others.at(-1)) ?? FIRST
      for (const target of due) {
        if (!ending.signal.aborted && hasRoom(target)) begin(target)
      }
      if (looks++ % LOOKS_A_SUMMARY === 0) {
        const [row] = await database.query<WebhookSummary>(selectSummary)
        if (row !== undefined) summary = row
      }
      failing = false
    } catch (error) {
      fail(error)
    }
  }

  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const stop = options.every(LOOK_MS, () => void lookOnce())

  const settled = async () => {
    while (sending.size > 0) await Promise.all([...sending.values()].map(({ done }) => done))
  }

  return {
    numbers: {
      attempts,
      get summary() {
        return summary
      },
    },
    look: lookOnce,
    settled,
    async close() {
      stop()
      ending.abort()
      await looking
      await settled()
    },
  }
}
