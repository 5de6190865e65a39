/**
 * Sends messages of webhooks for all centers: once a second it looks for webhooks with something to send, and gives
 * each a turn. A slow or failing receiver does not delay others: each center, and all slow receivers together, have a
 * share of the turns, and a failing receiver is called less and less often. Instances divide the work by leases in the
 * database.
 */
import type { Attempt, Outcome } from './send.ts'
import { type TurnOptions, type TurnTarget, takeOneTurn } from './take-turn.ts'
import { selectDue, selectSummary } from './webhooks-sql.ts'

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
  /** Resolves when no turn is in progress. */
  settled(): Promise<void>
  /** Ends the turns in progress. Messages not accepted yet are sent again later. Never rejects. */
  close(): Promise<void>
}

export interface SenderOptions extends Omit<TurnOptions, 'onAttempt'> {
  /** calls back regularly until stopped */
  readonly every: (ms: number, act: () => void) => () => void
}

const LOOK_MS = 1000
/** A turn is mostly spent waiting for a receiver. */
const TURNS_MAX = 32
const CENTER_TURNS_MAX = 4
const SLOW_TURNS_MAX = 16
const DUE_MAX = 200
/** The numbers for the metrics are read every this many looks. */
const LOOKS_A_SUMMARY = 15

/** Starts looking for messages at once. */
export function createSender(options: SenderOptions): WebhookSender {
  const { database, log } = options
  const ending = new AbortController()
  /** by identifier of the webhook */
  const turns = new Map<
    string,
    { readonly center: string; readonly isSlow: boolean; readonly done: Promise<void> }
  >()
  const slow = new Set<string>()
  const attempts = new Map<Outcome, number>()
  let summary: WebhookSummary = { active: 0, failing: 0, paused: 0, stopped: 0, lag_seconds: 0 }
  let looks = 0
  let looking: Promise<void> | undefined
  let failing = false

  const countTurns = (which: (turn: { center: string; isSlow: boolean }) => boolean) =>
    [...turns.values()].filter(which).length

  const hasRoom = ({ center_id, id }: TurnTarget) =>
    !turns.has(id) &&
    turns.size < TURNS_MAX &&
    countTurns(({ center }) => center === center_id) < CENTER_TURNS_MAX &&
    (!slow.has(id) || countTurns(({ isSlow }) => isSlow) < SLOW_TURNS_MAX)

  const onAttempt = ({ outcome }: Attempt) => attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1)

  const begin = (target: TurnTarget) => {
    const done = takeOneTurn({ ...options, onAttempt }, target, ending.signal)
      .then((isSlow) => {
        if (isSlow) slow.add(target.id)
        else slow.delete(target.id)
      })
      // The webhook continues when its lease has expired.
      .catch(fail)
      .finally(() => turns.delete(target.id))
    turns.set(target.id, { center: target.center_id, isSlow: slow.has(target.id), done })
  }

  const fail = (error: unknown) => {
    if (failing || ending.signal.aborted) return
    failing = true
    log.warn({ name: error instanceof Error ? error.name : typeof error }, 'webhooks cannot be sent for now')
  }

  const look = async () => {
    try {
      const due = await database.query<TurnTarget>(selectDue(DUE_MAX))
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
    while (turns.size > 0) await Promise.all([...turns.values()].map(({ done }) => done))
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
