/** How long one request takes, alone, at many bookings against at ten thousand. */
import type { Bench, Finding, Measurement } from '../support/bench.ts'
import { check, expectSessions } from '../support/checker.ts'
import { type BenchDatabase, makeKey, openBookings } from '../support/database.ts'
import { FIRST_DAY, sessionsOf } from '../support/make-data-sql.ts'
import { pick, randomBelow, shuffled } from '../support/random.ts'
import { figure } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { type LoadResult, type Request, runLoad } from '../support/wrk.ts'

const SMALL = 10_000
const CENTERS_MAX = 400
const REQUESTS = 1000
const WARMING_SECONDS = 5
const BIG_CENTER = 1

const KINDS = {
  'session page': (session: number) => `/v1/guests?sessionId=${session}`,
  'week page': (session: number) => `/v1/guests?${weekOf(session)}`,
  'session report': (session: number) => `/v1/guests/meal-skipping-report?sessionId=${session}`,
} as const

type Kind = keyof typeof KINDS

export const size: Measurement = {
  name: 'size',
  title: 'p50 of a session page, a week and a report at many bookings against 10,000 (--bookings)',

  async run(bench: Bench): Promise<Finding[]> {
    const small = await prepare(bench, SMALL)
    const large = await prepare(bench, bench.bookings)
    const findings: Finding[] = []
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const results = await compare(bench, kind, small, large, 'ordinary')
      findings.push(
        { ...ratios(`${kind}, p50`, results, (result) => result.p50Ms), target: { atMost: 1.5 } },
        ratios(`${kind}, p99`, results, (result) => result.p99Ms),
        latency(`${kind} at ${bench.bookings.toLocaleString('en')}, p50`, results, (result) => result.p50Ms),
        latency(`${kind} at ${bench.bookings.toLocaleString('en')}, p99`, results, (result) => result.p99Ms),
      )
    }
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const results = await compare(bench, kind, small, large, 'big')
      findings.push(
        ratios(`big center: ${kind}, p50`, results, (result) => result.p50Ms),
        latency(`big center: ${kind}, p50`, results, (result) => result.p50Ms),
      )
    }
    return findings
  },
}

interface Side {
  readonly service: Service
  readonly data: BenchDatabase
  /** keys by center */
  readonly ordinary: ReadonlyMap<number, string>
  readonly big: ReadonlyMap<number, string>
}

async function prepare(bench: Bench, bookings: number): Promise<Side> {
  const data = await openBookings(bench, bookings)
  const service = await startService(bench, { databaseUrl: data.url, answerCacheMb: 0 })
  const keys = async (centers: readonly number[]) => {
    const made = new Map<number, string>()
    for (const center of centers) made.set(center, await makeKey(data.database, String(center)))
    return made
  }
  // Ordinary centers are numbered from 2.
  const ordinary = await keys(
    shuffled(data.size.centers - 1)
      .slice(0, CENTERS_MAX)
      .map((n) => n + 2),
  )
  const [center = 2, apiKey = ''] = pick([...ordinary])
  for (const page of await expectSessions(data, center, apiKey, 20)) await check(service.url, page)
  return { service, data, ordinary, big: await keys([BIG_CENTER]) }
}

type Results = readonly { readonly small: LoadResult; readonly large: LoadResult }[]

async function compare(
  bench: Bench,
  kind: Kind,
  small: Side,
  large: Side,
  centers: 'ordinary' | 'big',
): Promise<Results> {
  const decks = new Map([small, large].map((side) => [side, deck(kind, side, centers)]))
  const ask = (side: Side, seconds: number, connections = 1) =>
    runLoad({ url: side.service.url, requests: decks.get(side) ?? [], connections, seconds })
  // Every page once before: what is compared is the way through the data, not the disk's speed.
  await ask(small, 2, 4)
  await ask(large, WARMING_SECONDS, 4)
  const results = []
  for (let round = 0; round < bench.rounds; round += 1) {
    results.push({ small: await ask(small, bench.roundSeconds), large: await ask(large, bench.roundSeconds) })
  }
  return results
}

function deck(kind: Kind, side: Side, which: 'ordinary' | 'big'): Request[] {
  const keys = [...side[which]]
  return Array.from({ length: REQUESTS }, () => {
    const [center, apiKey] = pick(keys)
    return { path: KINDS[kind](randomBelow(sessionsOf(side.data.size, center))), apiKey }
  })
}

/** The week of the session's first full day. */
function weekOf(session: number): string {
  const first = Temporal.PlainDate.from(FIRST_DAY).add({ days: (session % 100) * 10 + 1 })
  return `startDate=${first}&endDate=${first.add({ days: 6 })}&length=50`
}

const ratios = (what: string, results: Results, of: (result: LoadResult) => number): Finding =>
  figure(
    `${what}, large : small`,
    results.map(({ small, large }) => of(large) / of(small)),
  )

const latency = (what: string, results: Results, of: (result: LoadResult) => number): Finding => ({
  ...figure(
    what,
    results.map(({ large }) => of(large)),
  ),
  unit: 'ms',
})
