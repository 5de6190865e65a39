/** Durations that the service counts itself print as those of the library do. */
import { Histogram, Registry } from '@prometheus-io/client'
import { expect, it } from 'vitest'
import { countRoutes } from '../../src/core/monitoring/route-metrics.ts'

const SECONDS = [0.0001, 0.0005, 0.00051, 0.003, 0.003, 0.7, 5, 5.1, 60]

it('durations by route print the same text as the histogram of the library', async () => {
  const own = new Registry()
  const count = countRoutes(own)
  const theirs = new Registry()
  const histogram = new Histogram({
    name: 'sojourn_request_duration_seconds',
    help: 'Seconds from the request’s headers to the end of its answer, by route',
    labelNames: ['route'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [theirs],
  })
  const name = 'sojourn_request_duration_seconds'
  expect(await own.getSingleMetricAsString(name)).toBe(await theirs.getSingleMetricAsString(name))

  for (const [at, seconds] of SECONDS.entries()) {
    const url = at % 3 === 0 ? undefined : '/v1/orders/:id'
    const route = url ?? 'none'
    const reply = { raw: { statusCode: at % 2 === 0 ? 200 : 404 }, elapsedTime: seconds * 1000 }
    count({ routeOptions: { url } }, reply, () => {})
    histogram.observe({ route }, seconds)
  }
  expect(await own.getSingleMetricAsString(name)).toBe(await theirs.getSingleMetricAsString(name))
  expect(await own.getSingleMetricAsString('sojourn_requests_total')).toContain(
    'sojourn_requests_total{route="none",status="404"} 1',
  )
})
