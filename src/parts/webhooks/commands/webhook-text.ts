/** Webhooks as text for the terminal, and what their commands share. */

import type { DatabaseUse } from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import type { Config } from '../../../core/config/config.ts'
import { isoMoment } from '../../../core/locale/dates.ts'
import { createSend, type Send } from '../send.ts'
import { type AllowsAddress, createAddressRule } from '../target.ts'
import type { DeliveryRow, Webhook } from '../webhook.ts'

export interface WebhookSurroundings {
  readonly key: string | undefined
  readonly allows: AllowsAddress
  readonly hasAllowed: boolean
  readonly send: Send
}

export function webhookSurroundings({ webhooksKey, webhooksAllowedAddresses }: Config): WebhookSurroundings {
  const allows = createAddressRule(webhooksAllowedAddresses)
  return {
    key: webhooksKey,
    allows,
    hasAllowed: webhooksAllowedAddresses.length > 0,
    send: createSend({ allows }),
  }
}

/** How a command that changes webhooks uses the database, and what it prints if it is interrupted. */
export const WEBHOOKS_CHANGE: DatabaseUse = {
  outcomes: {
    nothing: 'No webhook was changed.',
    unknown: 'The change may have been saved: check with "sojourn webhooks list" before you run it again.',
  },
}

/** A line for each property of a webhook. */
export function webhookLines(webhook: Webhook & { readonly secret?: string }): string[] {
  const rows: [string, string | null | undefined][] = [
    ['id', webhook.id],
    ['secret', webhook.secret],
    ['name', webhook.name],
    ['center', webhook.centerId],
    ['url', webhook.url],
    ['scopes', webhook.scopes.join(', ')],
    ['kinds', webhook.kinds.join(', ')],
    ['state', webhook.state],
    ['created', webhook.createdAt],
    ['delivered', webhook.deliveredAt ?? 'never'],
    ['failing since', webhook.failingSince],
    ['next attempt', webhook.nextAttemptAt],
    ['old secret', webhook.earlierSecretUntil === null ? null : `until ${webhook.earlierSecretUntil}`],
    ['cursor', webhook.cursor],
  ]
  return rows.flatMap(([label, value]) => (value == null ? [] : [`${label.padEnd(13)} ${value}`]))
}

export const webhookTable = (webhooks: readonly Webhook[]): string[] =>
  tableLines([
    ['id', 'name', 'center', 'url', 'state', 'delivered', 'failing since'],
    ...webhooks.map(({ id, name, centerId, url, state, deliveredAt, failingSince }) => [
      id,
      name,
      centerId,
      url,
      state,
      deliveredAt ?? 'never',
      failingSince ?? '',
    ]),
  ])

export const deliveryTable = (deliveries: readonly DeliveryRow[]): string[] =>
  tableLines([
    ['at', 'message', 'attempt', 'changes', 'outcome', 'status', 'ms'],
    ...deliveries.map((row) => [
      isoMoment(row.at),
      row.message_id,
      ...[row.attempt, row.entries, row.outcome, row.status ?? '', row.duration_ms].map(String),
    ]),
  ])
