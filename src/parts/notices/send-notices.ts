/**
 * Sends the e-mail of notices: one message at a time, by one instance at a time. What the mail server does not take is sent
 * later, less and less often, for a week. Each attempt has the same text and the same Message-ID.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../core/database/database.ts'
import type { MailOutcome, SendMail } from '../mail/send-mail.ts'
import { type DueMailRow, endAttempt, releaseMail, takeMail } from './notices-sql.ts'

export interface NoticeSenderOptions {
  readonly database: Database
  readonly sendMail: SendMail
  /** epoch ms by the database's clock */
  readonly clock: () => number
  /** identifies this instance as the holder of its leases */
  readonly holder: string
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

export interface NoticeSender {
  /** attempts of this instance by outcome */
  readonly attempts: ReadonlyMap<'accepted' | 'postponed', number>
  /** Sends what is due. Never rejects. */
  look(): Promise<void>
  /** Breaks off the attempt under way; another instance, or the next start, makes it again. Never rejects. */
  close(): Promise<void>
}

/** Longer than an attempt can take, so that a lease is only lost together with its instance. */
const LEASE_SECONDS = 180
const MINUTE_S = 60
const DELAYS_S = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_S)
const GIVING_UP_MS = 7 * 24 * 60 * 60_000

export function createNoticeSender(options: NoticeSenderOptions): NoticeSender {
  const { database, holder, log } = options
  const ending = new AbortController()
  const attempts = new Map<'accepted' | 'postponed', number>()
  let looking: Promise<void> | undefined
  let isFailing = false

  const look = async () => {
    try {
      while (!ending.signal.aborted) {
        const [mail] = await write<DueMailRow>(database, takeMail(holder, LEASE_SECONDS))
        if (mail === undefined) break
        const outcome = await options.sendMail(messageOf(mail), ending.signal)
        if (ending.signal.aborted && outcome.accepted.length === 0) {
          await write(database, releaseMail(mail, holder))
          break
        }
        await store(mail, outcome)
        // The next one would wait for the same server.
        if (outcome.accepted.length === 0) break
      }
    } catch (error) {
      fail({ name: error instanceof Error ? error.name : typeof error })
    }
  }

  const store = async (mail: DueMailRow, { accepted, reason }: MailOutcome) => {
    const remaining = mail.addresses.filter((address) => !accepted.includes(address))
    const isOld = options.clock() - mail.created_at >= GIVING_UP_MS
    const state = remaining.length === 0 ? 'sent' : isOld ? 'failed' : 'waiting'
    const delaySeconds = DELAYS_S[Math.min(mail.attempts, DELAYS_S.length - 1)] ?? MINUTE_S
    await write(database, endAttempt(mail, holder, { remaining, state, reason, delaySeconds }))
    const outcome = remaining.length === 0 ? 'accepted' : 'postponed'
    attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1)
    if (state === 'failed')
      log.error({ reason }, 'a notice was not accepted for a week, and is not sent any more')
    else if (state === 'waiting') fail({ reason })
    else isFailing = false
  }

  const fail = (facts: object) => {
    if (isFailing || ending.signal.aborted) return
    isFailing = true
    log.warn(facts, 'notices cannot be sent by e-mail for now')
  }

  return {
    attempts,
    look() {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    async close() {
      ending.abort()
      await looking
    },
  }
}

const messageOf = ({ problem, event, subject, body, addresses }: DueMailRow) => ({
  to: addresses,
  subject,
  text: body,
  messageId: `${problem}.${event}`,
})

/** Such writes change nothing that answers are made from. */
const write = <R extends object>(database: Database, statement: ReturnType<typeof takeMail>): Promise<R[]> =>
  database.transaction((tx) => tx.query<R>(statement))
