/** Resident memory: under load, and while a list of a million orders is streamed. */
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, open } from '../support/client.ts'
import { ask, makeKey, openBookings } from '../support/database.ts'
import { makeOrders } from '../support/make-data.ts'
import { type Service, startService } from '../support/service.ts'
import { makeIntegrations, usualRequests } from '../support/usual-requests.ts'
import { runLoad } from '../support/wrk.ts'

const ORDERS = 1_000_000
const RESIDENT_MB_MAX = 200
const SMALL = 'startDate=2025-03-01&endDate=2025-03-01'
const YEAR = 'startDate=2025-01-01&endDate=2025-12-31'

export const memory: Measurement = {
  name: 'memory',
  title: 'resident memory under load, and while a million orders are streamed',

  async run(bench: Bench): Promise<Figure[]> {
    return [...(await underLoad(bench)), ...(await streaming(bench))]
  },
}

async function underLoad(bench: Bench): Promise<Figure[]> {
  const data = await openBookings(bench, bench.bookings)
  const integrations = await makeIntegrations(data)
  const service = await startService(bench, { databaseUrl: data.url })
  const idle = service.residentMb().now
  // Of many centers, so that the cached answers reach their bound.
  for (let round = 0; round < bench.rounds; round += 1) {
    const requests = usualRequests(integrations, 30_000)
    await runLoad({ url: service.url, requests, connections: 64, seconds: bench.roundSeconds })
  }
  const { peak } = service.residentMb()
  await service.stop()
  return [
    { what: 'resident as it starts', value: idle, unit: 'MB' },
    { what: 'resident under load, peak', value: peak, unit: 'MB', target: { atMost: RESIDENT_MB_MAX } },
  ]
}

async function streaming(bench: Bench): Promise<Figure[]> {
  const url = await makeOrders(await bench.serverUrl(), ORDERS, bench.log)
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 1, purpose: 'command' })
  bench.afterwards(() => database.close())
  await migrate(database)
  const apiKey = await makeKey(database, '1')
  const service = await startService(bench, { databaseUrl: url })
  const request = (range: string) => open(`${service.url}/v1/orders?${range}`, bearer(apiKey))

  const small = await watching(service, async () => {
    for (let time = 0; time < 50; time += 1) await readOrders(await request(SMALL))
  })
  const begun = performance.now()
  const year = await watching(service, async () => {
    const { orders, whole } = await readOrders(await request(YEAR))
    if (!whole || orders !== ORDERS) throw new BenchFailed(`${orders} orders were streamed of ${ORDERS}`)
  })
  const seconds = (performance.now() - begun) / 1000
  const slow = await watching(service, async () => {
    const response = await request(YEAR)
    response.once('data', () => response.pause())
    await wait(3000)
    response.destroy()
  })
  await cutMidway(url, await request(YEAR))
  return [
    { what: 'resident, streaming a day', value: small, unit: 'MB' },
    {
      what: `resident, streaming ${ORDERS.toLocaleString('en')} orders`,
      value: year,
      unit: 'MB',
      target: { atMost: RESIDENT_MB_MAX },
    },
    { what: 'growth with the range', value: year - small, unit: 'MB' },
    { what: 'resident, a client that stops reading', value: slow, unit: 'MB' },
    { what: 'orders streamed', value: ORDERS / seconds, unit: '/s' },
  ]
}

/** @returns the most that was resident meanwhile, in MB */
async function watching(service: Service, work: () => Promise<void>): Promise<number> {
  let peak = service.residentMb().now
  const timer = setInterval(() => {
    peak = Math.max(peak, service.residentMb().now)
  }, 50)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return peak
}

const ORDER_BEGINS = '{"uuid":'

/** Counts, and keeps nothing: the list is larger than this process wants to hold. */
async function readOrders(response: IncomingMessage): Promise<{ orders: number; whole: boolean }> {
  if (response.statusCode !== 200) throw new BenchFailed(`orders were answered ${response.statusCode}`)
  let orders = 0
  let rest = ''
  for await (const chunk of response.setEncoding('latin1')) {
    const text = rest + chunk
    let at = text.indexOf(ORDER_BEGINS)
    let after = 0
    while (at >= 0) {
      orders += 1
      after = at + ORDER_BEGINS.length
      at = text.indexOf(ORDER_BEGINS, after)
    }
    rest = text.slice(Math.max(after, text.length - ORDER_BEGINS.length + 1))
  }
  return { orders, whole: rest.endsWith(']') }
}

/** A list that is cut must never look whole: its connection breaks. */
async function cutMidway(url: string, response: IncomingMessage): Promise<void> {
  let received = 0
  const counted = (async () => {
    for await (const chunk of response) {
      received += chunk.length
      if (received > 20_000_000) {
        received = Number.NEGATIVE_INFINITY
        await ask(
          url,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'sojourn' and query like 'fetch %'`,
        )
      }
    }
  })()
  const broken = await counted.then(
    () => false,
    () => true,
  )
  if (!broken) throw new BenchFailed('a list that the database did not finish was sent as if it were whole')
}
