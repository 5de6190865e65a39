/** Gives a report to one destination, within a bound of time. Never rejects. */

import type { Printers } from '../../../core/config/printers.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import type { Destination } from '../report.ts'
import { type Outcome, type ReportDelivery, wait } from './delivery.ts'
import { type FileMemory, toFolder } from './to-folder.ts'
import { toMail } from './to-mail.ts'
import { toPrinter } from './to-printer.ts'
import { toWebhook, type WebhookSending } from './to-webhook.ts'

export interface Ways {
  /** the value of `REPORTS_FOLDER` */
  readonly folder: string | undefined
  readonly printers: Printers
  readonly sendMail: SendMail | undefined
  readonly webhooks: WebhookSending | undefined
}

/** Longer than each way takes for itself. */
const MS_MAX = 150_000

export interface Delivery {
  readonly center: string
  readonly destination: Destination
  readonly delivery: ReportDelivery
  /** of a file in a folder */
  readonly memory: FileMemory
}

export async function deliver(ways: Ways, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
  const late = Promise.withResolvers<Outcome>()
  const given = new AbortController()
  const timer = setTimeout(() => {
    // What is given up must not arrive later.
    given.abort()
    late.resolve(wait('It took too long.'))
  }, MS_MAX).unref()
  try {
    const way = giveTo(ways, delivery, AbortSignal.any([signal, given.signal]))
    return await Promise.race([way, late.promise])
  } catch (error) {
    return wait(`It failed: ${error instanceof Error ? error.name : typeof error}.`)
  } finally {
    clearTimeout(timer)
  }
}

function giveTo(
  { folder, printers, sendMail, webhooks }: Ways,
  { center, destination, delivery, memory }: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  switch (destination.kind) {
    case 'folder':
      return toFolder(folder, center, destination.path, delivery, memory, signal)
    case 'printer':
      return toPrinter(printers, center, destination.name, delivery, signal)
    case 'mail':
      return toMail(sendMail, destination.to, delivery, signal)
    case 'webhook':
      return toWebhook(webhooks, center, destination.id, delivery, signal)
  }
}
