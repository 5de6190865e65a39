/** How many keys at their full allowed rate the machine serves, when they ask as users do. */
import type { Bench, Figure, Measurement } from '../support/bench.ts'
import { expectSessions } from '../support/checker.ts'
import { openBookings } from '../support/database.ts'
import { loadService } from '../support/measure-service.ts'
import { pick } from '../support/random.ts'
import { cpuOf, figure, rateOf } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { firstRound, makeIntegrations, usualRequests } from '../support/usual-requests.ts'
import { type LoadResult, runLoad } from '../support/wrk.ts'

const CONNECTIONS = 64
const REQUESTS = 60_000
/** every repeated page is stored by then */
const WARMING_SECONDS = 8
/** requests in an hour that a key may make unless it says otherwise */
const ALLOWED_PER_SECOND = 1000 / 3600
/** of the most that can be had: where a service should be run at */
const PACED_SHARE = 0.5
const PACED_CONNECTIONS = 400

export const mixed: Measurement = {
  name: 'mixed',
  title: '70 % repeated pages, 15 % first reads, 10 % reports, 5 % orders, in three languages',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, bench.bookings)
    const integrations = await makeIntegrations(data)
    const { center, apiKey } = pick(integrations)
    const expected = await expectSessions(data, center, apiKey, 30)
    const service = await startService(bench, { databaseUrl: data.url })
    const requests = firstRound(integrations)
    await runLoad({ url: service.url, requests, connections: CONNECTIONS, seconds: WARMING_SECONDS })

    const most: Awaited<ReturnType<typeof loadService>>[] = []
    const paced: LoadResult[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      // New ones each time: a first read would otherwise be a repeated one in the second round.
      const anew = () => usualRequests(integrations, REQUESTS)
      const load = { connections: CONNECTIONS, seconds: bench.roundSeconds }
      const full = await loadService(service, { ...load, requests: anew() }, expected)
      most.push(full)
      const pauseMs = (PACED_CONNECTIONS / (full.perSecond * PACED_SHARE)) * 1000
      paced.push(
        await loadService(
          service,
          { ...load, connections: PACED_CONNECTIONS, pauseMs, requests: anew() },
          expected,
        ),
      )
    }
    bench.log(
      `${integrations.length} centers with a key each, of ${bench.bookings.toLocaleString('en')} bookings`,
    )
    const keysServed = (rate: number) => rate / ALLOWED_PER_SECOND
    return [
      figure(
        'keys at 1000 requests an hour, at most',
        most.map(({ perSecond }) => keysServed(perSecond)),
      ),
      rateOf('requests, at most', most),
      cpuOf('CPU of the service a request', most),
      ...latencies('at most', most),
      figure(
        'keys at 1000 requests an hour, at half of that',
        paced.map(({ perSecond }) => keysServed(perSecond)),
      ),
      ...latencies('at half of that', paced),
    ]
  },
}

const latencies = (when: string, results: readonly LoadResult[]): Figure[] => [
  {
    ...figure(
      `p50 ${when}`,
      results.map(({ p50Ms }) => p50Ms),
    ),
    unit: 'ms',
  },
  {
    ...figure(
      `p99 ${when}`,
      results.map(({ p99Ms }) => p99Ms),
    ),
    unit: 'ms',
  },
]
