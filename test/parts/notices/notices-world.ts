/** A center with a source, a mail server, a receiver of webhooks, and an instance that notifies, in simulated time. */
import { randomBytes } from 'node:crypto'
import { verifyWebhook, type WebhookMessage } from '../../../client/src/webhooks.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { createSendMail, type SendMail } from '../../../src/parts/mail/send-mail.ts'
import type { HeartbeatOutcome } from '../../../src/parts/notices/heartbeat.ts'
import { createNotices, type Notices } from '../../../src/parts/notices/start-notices.ts'
import { addWebhook } from '../../../src/parts/webhooks/manage-webhooks.ts'
import { createSend } from '../../../src/parts/webhooks/send.ts'
import { createSender } from '../../../src/parts/webhooks/sender.ts'
import { createAddressRule } from '../../../src/parts/webhooks/target.ts'
import { afterwards } from '../../support/database.ts'
import { LOOPBACK_CERTIFICATE } from '../../support/loopback-certificate.ts'
import { startMailServer, type TestMailServer } from '../../support/mail-server.ts'
import { startReceiver } from '../webhooks/receiver.ts'

export const MINUTE = 60_000
const KEY = randomBytes(32).toString('base64')
const HERE = createAddressRule(['127.0.0.1'])

/** A mail server that ends with the test. */
export async function mailServer(): Promise<TestMailServer> {
  const server = await startMailServer()
  afterwards(async () => server[Symbol.asyncDispose]())
  return server
}

export const mailTo = (server: TestMailServer): SendMail =>
  createSendMail({
    server: server.server('starttls'),
    from: { name: undefined, address: 'sojourn@center.example' },
    ca: LOOPBACK_CERTIFICATE,
  })

interface InstanceOptions {
  readonly database: Database
  readonly now: () => number
  readonly sendMail?: SendMail | undefined
  readonly addresses?: readonly string[]
  readonly beat?: () => Promise<HeartbeatOutcome>
  readonly log?: (text: string) => void
}

/** An instance that has just started. It looks when the test says so. */
export function startInstance({
  database,
  now,
  sendMail,
  addresses = ['it@center.example'],
  beat,
  log,
}: InstanceOptions): Notices {
  const note = (_: unknown, text: string) => log?.(text)
  const notices = createNotices({
    database,
    clock: now,
    monotonic: now,
    sendMail,
    addresses,
    beat,
    log: { warn: note, error: note } as never,
    every: () => () => {},
  })
  afterwards(() => notices.close())
  return notices
}

export interface WebhookWorld {
  /** Sends what is due. @returns the messages so far, each verified */
  messages(): Promise<readonly SourceMessage[]>
  /** the next answers of the receiver */
  answerWith(status: number): void
}

export type SourceMessage = WebhookMessage & { readonly id: string; readonly text: string }

/** A webhook of a center, and an instance that sends it what is due. */
export async function startWebhook(
  database: Database,
  now: () => number,
  { centerId = 'spa', scopes = ['sources'] }: { centerId?: string; scopes?: string[] } = {},
): Promise<WebhookWorld> {
  let status = 204
  const messages: SourceMessage[] = []
  const receiver = await startReceiver()
  receiver.answer = (_, response) => void response.writeHead(status).end()
  const { secret } = await addWebhook(
    database,
    { centerId, name: 'IT', url: receiver.url, scopes },
    { random: randomBytes, key: KEY, allows: HERE, hasAllowed: true },
  )
  const sender = createSender({
    database,
    key: KEY,
    send: createSend({ allows: HERE }),
    clock: now,
    chance: () => 0.5,
    holder: 'one',
    log: { error() {}, warn() {} } as never,
    every: () => () => {},
  })
  afterwards(() => sender.close())
  return {
    async messages() {
      await sender.look()
      await sender.settled()
      const read = receiver.received.slice(messages.length).map(async ({ headers, text }) => {
        const message = await verifyWebhook({ body: text, headers }, secret, { now: now() })
        return { ...message, id: headers['webhook-id'] ?? '', text }
      })
      messages.push(...(await Promise.all(read)))
      return messages
    },
    answerWith(given) {
      status = given
    },
  }
}
