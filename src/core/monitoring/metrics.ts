/** The metrics in Prometheus' text format. Numbers only: no label contains a center, key or address. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import { countRoutes } from './route-metrics.ts'

/** Each part of the service adds its own. They are read when they are requested, so counting is an addition in memory. */
export interface Metrics {
  readonly registry: Registry
  /** @param help one sentence without its full stop, which the documentation prints, too */
  gauge(name: string, help: string, read: () => number): void
  counter(name: string, help: string, read: () => number): void
  /** A counter for each value of one label. */
  counterBy(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void
}

/** In ms: how often the share of the event loop that is busy is observed. The library's 100 ms is no use to a scrape. */
const BUSY_MS = 1000

/** Counts the app's requests from now on. */
export function createMetrics(app: FastifyInstance): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: BUSY_MS })
  app.addHook('onResponse', countRoutes(registry))
  return {
    registry,
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    counterBy(name, help, label, read) {
      new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [value, count] of read()) this.inc({ [label]: value }, count)
        },
      })
    },
  }
}
