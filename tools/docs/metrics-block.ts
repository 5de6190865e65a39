import Fastify from 'fastify'
import { createMetrics } from '../../src/core/monitoring/metrics.ts'
import { addServiceMetrics, type Measured } from '../../src/core/monitoring/service-metrics.ts'
import type { Service, Serving } from '../../src/core/part.ts'
import { reports } from '../../src/parts/reports/part.ts'
import { PARTS } from '../../src/parts.ts'
import { code, table } from './markdown.ts'

/** Everything that can be measured; what each metric says does not depend on the numbers. */
const MEASURED: Measured = {
  cacheNumbers: () => ({ hits: 0, misses: 0, entries: 0, bytes: 0 }),
  limits: { refused: 0, store: { away: 0, outages: 0, insured: 0 } },
  credentialLimits: { refused: 0 },
  audit: { written: 0, lost: 0, refused: 0, failures: 0, recovered: 0, waiting: 0 },
  queue: { waiting: 0, refused: 0 },
  streams: { longLists: () => 0, changes: () => 0, waiting: () => 0 },
  replicas: {
    reads: 0,
    fallbacks: { late: 0, empty: 0, conflict: 0, failed: 0, error: 0 },
    without: 0,
    usable: 0,
    lagSeconds: 0,
  },
  poolWaits: () => [],
  revisionReads: { batches: 0, callers: 0 },
  pruning: { pruned: 0, refused: 0, clockImplausible: false },
  intake: {
    deliveries: { done: 0, refused: 0, repeated: 0, failed: 0 },
    changes: 0,
    bytes: 0,
    underWay: () => 0,
  },
  isShortOfMemory: () => false,
  diskFreeBytes: () => 0,
  failedDailyWork: () => 0,
}

/** Every metric of the service's own. Those whose names end in `_total` count; the others are as they are now. */
export function metricsBlock(): string {
  const app = Fastify()
  const metrics = createMetrics(app)
  addServiceMetrics(metrics, MEASURED)
  // Extras add theirs when they start; nothing queries the database before the service is ready.
  const service = {
    app,
    metrics,
    options: { webhooksKey: 'a key', notifies: true, sendsReports: { copiesFolder: undefined, drive() {} } },
    databaseClock: Date.now,
    onBrokenOff() {},
  }
  for (const { start } of PARTS) start?.(service as unknown as Service)
  reports.serve?.({ ...service, operations: [], handlerOf() {} } as unknown as Serving)
  const rows = metrics.registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith('sojourn_'))
    .map(({ name, help }) => [code(name), help])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return table(['metric', 'what it says'], rows)
}
