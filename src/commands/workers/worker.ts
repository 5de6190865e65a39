/** One process of a service of several: what it shares with the others, through the process that started it. */
import type { Registry } from '@prometheus-io/client'
import type { SharedCounters } from '../../access/shared-counters.ts'
import type { Config, Environment } from '../../config/config.ts'
import type { MetricsText } from '../../monitoring/serve-metrics.ts'
import type { Orders } from '../ending.ts'
import { type FromWorker, Questions, type ToWorker, WORKER_VARIABLE } from './messages.ts'

export interface Worker {
  /** whether it is the first: it does what is done once for all, and receives records */
  readonly isFirst: boolean
  readonly orders: Orders
  readonly counters: SharedCounters
  /** @returns the metrics of all processes */
  shareMetrics(own: Registry): MetricsText
  /** Its part of the settings that bound a process. */
  shareOf(config: Config): Config
  /** @param text where it listens */
  reportListening(text: string): void
}

/** @returns undefined if this process was not started by another one of the service */
export function workerOf(env: Environment): Worker | undefined {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(env[WORKER_VARIABLE] ?? '') ?? []
  if (number === undefined || process.send === undefined) return undefined
  const questions = new Questions()
  const send = (message: FromWorker) => {
    // A process that has ended is noticed by the end of the channel.
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }
  let registry: Registry | undefined
  const orders: Orders = { stop: undefined, hurry: undefined }
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'answer') questions.answer(message.id, message.value)
    else if (message.kind === 'metrics') {
      const { id } = message
      void (registry?.getMetricsAsJSON() ?? Promise.resolve([])).then((value) =>
        send({ kind: 'answer', id, value }),
      )
    } else orders[message.kind]?.()
  })
  process.on('disconnect', () => orders.stop?.())
  // The process ends when it no longer serves, although the channel is open.
  process.channel?.unref()
  return {
    isFirst: number === '1',
    orders,
    counters: {
      count: (requests) => questions.ask((id) => send({ kind: 'count', id, requests })),
      failed: (address) => questions.ask((id) => send({ kind: 'failed', id, address })),
    },
    shareMetrics(own) {
      registry = own
      return {
        contentType: own.contentType,
        metrics: () => questions.ask((id) => send({ kind: 'allMetrics', id })),
      }
    },
    shareOf: (config) => shareOf(config, Number(count)),
    reportListening: (text) => send({ kind: 'listening', text }),
  }
}

/** The bounds of the service, divided by its processes and rounded up. */
export function shareOf(config: Config, processes: number): Config {
  const part = (whole: number, atLeast: number) => Math.max(atLeast, Math.ceil(whole / processes))
  return {
    ...config,
    databasePoolSize: part(config.databasePoolSize, 2),
    connectionsMax: part(config.connectionsMax, 2),
    answerCacheMb: config.answerCacheMb === 0 ? 0 : part(config.answerCacheMb, 1),
  }
}
