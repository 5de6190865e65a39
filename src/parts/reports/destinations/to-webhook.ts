/** Sends a report to a webhook of its center: its address, its secrets and its rules are those of the webhook. */
import type { Queryable } from '../../../core/database/database.ts'
import { secretsOf, signedHeaders } from '../../webhooks/secrets.ts'
import type { Send } from '../../webhooks/send.ts'
import { selectWebhook, type WebhookRow } from '../../webhooks/webhooks-sql.ts'
import { fail, type Outcome, type ReportDelivery, SENT, wait } from './delivery.ts'

export interface WebhookSending {
  readonly database: Queryable
  /** the value of `WEBHOOKS_KEY` */
  readonly key: string
  readonly send: Send
  /** epoch ms by the database's clock */
  readonly clock: () => number
}

const BYTES_MAX = 4_000_000

/** @param sending undefined without `WEBHOOKS_KEY` */
export async function toWebhook(
  sending: WebhookSending | undefined,
  center: string,
  id: string,
  delivery: ReportDelivery,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (sending === undefined) return wait('WEBHOOKS_KEY is not set.')
  const { rendered, report } = delivery
  if (rendered.bytes.length > BYTES_MAX) return fail('The report is too long for a webhook.')
  const { database, key, send, clock } = sending
  const [webhook] = await database.query<WebhookRow>(selectWebhook(id, center))
  if (webhook === undefined) return fail('The center has no such webhook.')
  if (webhook.state !== 'active') return wait(`The webhook is ${webhook.state}.`)
  const secrets = secretsOf(key, webhook, clock())
  if (secrets === undefined) return wait('The webhook has a secret of another WEBHOOKS_KEY.')
  const body = JSON.stringify({
    type: 'report',
    report,
    scheduledAt: new Date(delivery.scheduledAt).toISOString(),
    asOf: new Date(delivery.asOf).toISOString(),
    copy: delivery.isCopy,
    file: {
      name: `${delivery.fileName}.${rendered.extension}`,
      type: rendered.type,
      content: Buffer.from(rendered.bytes).toString('base64'),
    },
  })
  const { outcome, status } = await send(
    { url: webhook.url, headers: signedHeaders(secrets, delivery.id, clock(), body), body },
    signal,
  )
  if (outcome === 'delivered') return SENT
  if (outcome === 'gone') return fail('The receiver answered 410.')
  return wait(`The receiver did not accept it: ${outcome}${status === undefined ? '' : ` ${status}`}.`)
}
