/** Starts the webhooks of a running service. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../core/database/database.ts'
import { createSend } from './send.ts'
import { createSender, type WebhookSender } from './sender.ts'
import { createAddressRule } from './target.ts'

export interface WebhookOptions {
  readonly database: Database
  /** the value of `WEBHOOKS_KEY` */
  readonly key: string
  readonly allowedAddresses: readonly string[]
  /** epoch ms by the database's clock */
  readonly clock: () => number
}

/** Sends until the service closes. Does not keep the process alive. */
export function startWebhooks(app: FastifyInstance, options: WebhookOptions): WebhookSender {
  const { database, key, clock } = options
  const sender = createSender({
    database,
    key,
    send: createSend({ allows: createAddressRule(options.allowedAddresses) }),
    clock,
    chance: Math.random,
    holder: randomUUID(),
    log: app.log,
    every(ms, act) {
      const timer = setInterval(act, ms).unref()
      return () => clearInterval(timer)
    },
  })
  app.addHook('onClose', () => sender.close())
  return sender
}
