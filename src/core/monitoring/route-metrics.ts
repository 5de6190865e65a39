/**
 * Requests and their durations by route. The library of metrics checks and looks up the labels of every observation, which
 * took 3 % of a cached answer, so they are counted here and become metrics when they are asked for.
 */
import { Counter, Gauge, type Registry } from '@prometheus-io/client'

interface RouteCounts {
  /** by status */
  readonly answers: Map<number, number>
  /** requests by the first bucket that they fit in; those longer than all buckets come last */
  readonly buckets: number[]
  seconds: number
  requests: number
}

/** From a cached answer (tens of microseconds) to a time-out (3 s). */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** An answered request, as a hook of Fastify gets it. */
interface Counted {
  readonly request: { readonly routeOptions: { readonly url?: string | undefined } }
  readonly reply: { readonly raw: { readonly statusCode: number }; readonly elapsedTime: number }
}

/** @returns a hook that counts each answered request: synchronously, and only an addition in memory */
export function countRoutes(
  registry: Registry,
): (request: Counted['request'], reply: Counted['reply'], done: () => void) => void {
  const routes = new Map<string, RouteCounts>()
  new Counter({
    name: 'sojourn_requests_total',
    help: 'Answered requests by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [route, { answers }] of routes) {
        for (const [status, count] of answers) this.inc({ route, status }, count)
      }
    },
  })
  registry.registerMetric(new Durations(routes))
  return ({ routeOptions }, { raw, elapsedTime }, done) => {
    // The route's pattern, never the URL itself; requests that match no route share one label.
    const route = routeOptions.url ?? 'none'
    const seconds = elapsedTime / 1000
    let counts = routes.get(route)
    if (counts === undefined) {
      const buckets = new Array(BUCKETS_SECONDS.length + 1).fill(0)
      counts = { answers: new Map(), buckets, seconds: 0, requests: 0 }
      routes.set(route, counts)
    }
    counts.answers.set(raw.statusCode, (counts.answers.get(raw.statusCode) ?? 0) + 1)
    counts.seconds += seconds
    counts.requests += 1
    let at = 0
    while (at < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[at] ?? 0)) at += 1
    counts.buckets[at] = (counts.buckets[at] ?? 0) + 1
    done()
  }
}

const NAME = 'sojourn_request_duration_seconds'

/** A histogram whose values are given, which the library has not: of its metrics, a gauge gives whatever `get` returns. */
class Durations extends Gauge<'route' | 'le'> {
  readonly #routes: ReadonlyMap<string, RouteCounts>

  constructor(routes: ReadonlyMap<string, RouteCounts>) {
    super({
      name: NAME,
      help: 'Seconds from the request’s headers to the end of its answer, by route',
      labelNames: ['route', 'le'],
      registers: [],
    })
    this.#routes = routes
  }

  override async get() {
    const values = [...this.#routes].flatMap(([route, counts]) => valuesOf(route, counts))
    return { ...(await super.get()), type: 'histogram' as const, values }
  }
}

function valuesOf(route: string, { buckets, seconds, requests }: RouteCounts) {
  let within = 0
  const cumulative = [...BUCKETS_SECONDS, '+Inf'].map((le, at) => {
    within += buckets[at] ?? 0
    return { labels: { le, route }, value: within, metricName: `${NAME}_bucket` }
  })
  return [
    ...cumulative,
    { labels: { route }, value: seconds, metricName: `${NAME}_sum` },
    { labels: { route }, value: requests, metricName: `${NAME}_count` },
  ]
}
