/** Metrics of all webhooks together, without center or receiver. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { WebhookNumbers, WebhookSummary } from '../extras/webhooks/sender.ts'

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
    'Age of the oldest commit that an active webhook has not been told of',
  ],
]

/** Adds the metrics of webhooks to the registry. */
export function registerWebhookMetrics(registry: Registry, numbers: WebhookNumbers): void {
  new Counter({
    name: 'sojourn_webhook_attempts_total',
    help: 'Attempts of this instance to deliver a message, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of numbers.attempts) this.inc({ outcome }, count)
    },
  })
  for (const [field, name, help] of SUMMARY) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(numbers.summary[field])
      },
    })
  }
}
