/** Gives a report to one destination, within a bound of time. Never rejects. */
import type { SendMail } from '../../mail/send-mail.ts'
import type { Destination } from '../report.ts'
import { type Outcome, type Parcel, wait } from './parcel.ts'
import { toFolder } from './to-folder.ts'
import { toMail } from './to-mail.ts'
import { type Printers, toPrinter } from './to-printer.ts'
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

export async function deliver(
  ways: Ways,
  center: string,
  destination: Destination,
  parcel: Parcel,
  signal?: AbortSignal,
): Promise<Outcome> {
  const late = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => late.resolve(wait('It took too long.')), MS_MAX).unref()
  try {
    return await Promise.race([giveTo(ways, center, destination, parcel, signal), late.promise])
  } catch (error) {
    return wait(`It failed: ${error instanceof Error ? error.name : typeof error}.`)
  } finally {
    clearTimeout(timer)
  }
}

function giveTo(
  { folder, printers, sendMail, webhooks }: Ways,
  center: string,
  destination: Destination,
  parcel: Parcel,
  signal?: AbortSignal,
): Promise<Outcome> {
  switch (destination.kind) {
    case 'folder':
      return toFolder(folder, destination.path, parcel)
    case 'printer':
      return toPrinter(printers, destination.name, parcel, signal)
    case 'mail':
      return toMail(sendMail, destination.to, parcel, signal)
    case 'webhook':
      return toWebhook(webhooks, center, destination.id, parcel, signal)
  }
}
