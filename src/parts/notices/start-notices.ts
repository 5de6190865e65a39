/** Notifies people of problems of sources while the service runs. */
import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../core/database/database.ts'
import type { SendMail } from '../mail/send-mail.ts'
import type { HeartbeatOutcome } from './heartbeat.ts'
import { judgeSources } from './judge-sources.ts'
import { type NoticeNumbersRow, selectNoticeNumbers } from './notices-sql.ts'
import { createNoticeSender, type NoticeSender } from './send-notices.ts'

export interface NoticesOptions {
  readonly database: Database
  /** epoch ms by the database's clock */
  readonly clock: () => number
  /** monotonic clock, ms */
  readonly monotonic: () => number
  /** undefined: no e-mail is sent */
  readonly sendMail: SendMail | undefined
  /** of all centers */
  readonly addresses: readonly string[]
  /** undefined: there is no dead man's switch */
  readonly beat: ((signal: AbortSignal) => Promise<HeartbeatOutcome>) | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** calls back regularly until stopped */
  readonly every: (ms: number, act: () => void) => () => void
}

export interface NoticesNumbers extends NoticeNumbersRow {
  readonly mails: ReadonlyMap<string, number>
  readonly beats: ReadonlyMap<HeartbeatOutcome, number>
}

export interface Notices {
  readonly numbers: NoticesNumbers
  /** Judges, unless the service has just started, sends what is due, and calls the dead man's switch. Never rejects. */
  look(): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}

/** People learn of a problem within five minutes, of which a delivery may be four late. */
const LOOK_MS = 20_000
/**
 * After the start, watchers report again, and senders repeat what was refused meanwhile. What is judged before that is the
 * outage of this service.
 */
const SETTLE_MS = 3 * 60_000
const BEAT_MS = 60_000
/** All is well if the sources were judged, and no notice has waited longer than this. */
const JUDGED_WITHIN_MS = 3 * 60_000
const WAITING_SECONDS_MAX = 15 * 60

/** Starts looking at once. */
export function createNotices(options: NoticesOptions): Notices {
  const { database, monotonic, log, sendMail } = options
  const startedAt = monotonic()
  const ending = new AbortController()
  // All from the start: Prometheus sees no increase of a counter that begins with its first failure.
  const beats = new Map<HeartbeatOutcome, number>([
    ['called', 0],
    ['refused', 0],
    ['failed', 0],
  ])
  const sender: NoticeSender | undefined =
    sendMail && createNoticeSender({ database, sendMail, clock: options.clock, holder: randomUUID(), log })
  let counted: NoticeNumbersRow = { open: 0, waiting: 0, waiting_seconds: 0 }
  let judgedAt = startedAt
  let beatAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let isFailing = false

  const fail = (error: unknown) => {
    if (isFailing || ending.signal.aborted) return
    isFailing = true
    log.warn({ name: error instanceof Error ? error.name : typeof error }, 'sources cannot be judged for now')
  }

  const judge = async () => {
    if (monotonic() - startedAt < SETTLE_MS) return
    const addresses = sender === undefined ? undefined : options.addresses
    const isComplete = await judgeSources({ database, addresses, onFailure: fail })
    if (!isComplete) return
    judgedAt = monotonic()
    isFailing = false
  }

  const beat = async () => {
    if (options.beat === undefined || monotonic() - beatAt < BEAT_MS) return
    const isWell =
      monotonic() - judgedAt <= Math.max(JUDGED_WITHIN_MS, SETTLE_MS) &&
      counted.waiting_seconds <= WAITING_SECONDS_MAX
    if (!isWell) return
    beatAt = monotonic()
    const outcome = await options.beat(ending.signal)
    beats.set(outcome, (beats.get(outcome) ?? 0) + 1)
  }

  const look = async () => {
    try {
      await judge()
      const [row] = await database.query<NoticeNumbersRow>(selectNoticeNumbers)
      if (row !== undefined) counted = row
      await beat()
    } catch (error) {
      fail(error)
    }
    if (!ending.signal.aborted) void sender?.look()
  }

  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const stop = options.every(LOOK_MS, () => void lookOnce())

  return {
    get numbers() {
      return { ...counted, mails: sender?.attempts ?? new Map(), beats }
    },
    async look() {
      await lookOnce()
      await sender?.look()
    },
    async close() {
      stop()
      ending.abort()
      await sender?.close()
      await looking
    },
  }
}
