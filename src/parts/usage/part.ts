import { onceADay } from '../../core/monitoring/once-a-day.ts'
import type { Part } from '../../core/part.ts'
import { getUsage } from './get-usage.ts'
import { pruneUsage } from './prune-usage.ts'
import { countRequests, createUsage } from './usage.ts'

/** Usage: what each application requested, and its errors. */
export const usage: Part = {
  name: 'usage',
  operations: () => [getUsage],
  start({ app, options, database, databaseClock, metrics, onBrokenOff }) {
    const counting = createUsage({
      database,
      clock: databaseClock,
      log: app.log,
      flushMs: options.usageFlushMs,
    })
    onBrokenOff(countRequests(app, counting))
    app.addHook('onClose', () => counting.close())
    const { usageDays } = options
    if (usageDays !== undefined)
      onceADay(app, 'the use of the interface', () => pruneUsage(database, usageDays))
    const { numbers } = counting
    metrics.counter(
      'sojourn_usage_lost_total',
      'Requests that were not counted because too many waited to be stored',
      () => numbers.lost,
    )
    metrics.counter(
      'sojourn_usage_failures_total',
      'Attempts to store usage that failed',
      () => numbers.failures,
    )
    metrics.gauge('sojourn_usage_waiting', 'Requests whose usage is not stored yet', () => numbers.waiting)
  },
}
