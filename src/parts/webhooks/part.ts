import type { Metrics } from '../../core/monitoring/metrics.ts'
import type { Part } from '../../core/part.ts'
import { addWebhookAction } from './acts/add-webhook.ts'
import { listWebhooks } from './acts/list-webhooks.ts'
import { removeWebhookAction } from './acts/remove-webhook.ts'
import { testWebhookAction } from './acts/test-webhook.ts'
import type { WebhookNumbers, WebhookSummary } from './sender.ts'
import { startWebhooks } from './start-webhooks.ts'

/** Webhooks: messages, signatures, retries. */
export const webhooks: Part = {
  name: 'webhooks',
  needs: ['changes'],
  operations: () => [listWebhooks],
  actions: [addWebhookAction, testWebhookAction, removeWebhookAction],
  start({ app, options, database, databaseClock, metrics }) {
    const { webhooksKey, webhooksAllowedAddresses = [] } = options
    if (webhooksKey === undefined) return
    const { numbers } = startWebhooks(app, {
      database,
      key: webhooksKey,
      allowedAddresses: webhooksAllowedAddresses,
      clock: databaseClock,
    })
    addMetrics(metrics, numbers)
  },
}

const SUMMARY: readonly (readonly [field: keyof WebhookSummary, name: string, help: string])[] = [
  ['active', 'sojourn_webhooks_active', 'Webhooks that are sent to'],
  ['failing', 'sojourn_webhooks_failing', 'Active webhooks whose last attempt failed'],
  ['paused', 'sojourn_webhooks_paused', 'Webhooks that were paused by a command'],
  [
    'stopped',
    'sojourn_webhooks_stopped',
    'Webhooks that the service stopped: nothing was accepted for three days, or the receiver answered 410',
  ],
  [
    'lag_seconds',
    'sojourn_webhooks_lag_seconds',
    'Age of the oldest commit that an active webhook has not received',
  ],
]

/** Of all webhooks together, without center or receiver. */
function addMetrics(metrics: Metrics, numbers: WebhookNumbers): void {
  metrics.counterBy(
    'sojourn_webhook_attempts_total',
    'Attempts of this instance to deliver a message, by outcome',
    'outcome',
    () => numbers.attempts,
  )
  for (const [field, name, help] of SUMMARY) metrics.gauge(name, help, () => numbers.summary[field])
}
