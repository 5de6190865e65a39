/** How long one request takes, alone, at many bookings against at ten thousand. */
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { check, expectSessions } from '../support/checker.ts'
import { type BenchDatabase, makeKey, openBookings } from '../support/database.ts'
import { FIRST_DAY, findable, GUESTS_PER_SESSION, sessionsOf } from '../support/make-data-sql.ts'
import { pick, randomBelow, shuffled } from '../support/random.ts'
import { figure } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { type LoadResult, type Request, runLoad } from '../support/wrk.ts'

const SMALL = 10_000
const CENTERS_MAX = 400
const REQUESTS = 1000
const WARMING_SECONDS = 5
const BIG_CENTER = 1

type Findable = ReturnType<typeof findable>

/** Finds a guest of a session as somebody would who has only this of them. */
const guest = (query: (guest: Findable) => Readonly<Record<string, string>>) => (session: number) => {
  const booking = session * GUESTS_PER_SESSION + randomBelow(GUESTS_PER_SESSION)
  return `/v1/guests?${new URLSearchParams(query(findable(booking, GUESTS_PER_SESSION)))}`
}

const TEN_YEARS = { startDate: '2020-01-01', endDate: '2029-12-31' }

/** Paths of requests, by the number of a session of the center. */
const KINDS = {
  'session page': (session: number) => `/v1/guests?sessionId=${session}`,
  'week page': (session: number) => `/v1/guests?${weekOf(session)}`,
  'session report': (session: number) => `/v1/guests/meal-skipping-report?sessionId=${session}`,
  'page of two statuses': (session: number) => `/v1/guests?sessionId=${session}&status=paid,arrived`,
  'page of who arrives': guest(({ starts }) => ({ arriving: `${starts}` })),
  'an e-mail address in ten years': guest(({ email }) => ({ ...TEN_YEARS, email })),
  'a phone number in ten years': guest(({ phone }) => ({ ...TEN_YEARS, phone })),
  'a name in ten years': guest(({ name }) => ({ ...TEN_YEARS, q: name })),
  'a booking identifier in ten years': guest(({ bookingId }) => ({ ...TEN_YEARS, bookingId })),
} as const

/** Those that find one guest of their center. */
const OF_ONE = (Object.keys(KINDS) as Kind[]).filter((kind) => kind.endsWith('in ten years'))

type Kind = keyof typeof KINDS

export const size: Measurement = {
  name: 'size',
  title: 'p50 of pages, a report and finding a guest at many bookings against 10,000 (--bookings)',

  async run(bench: Bench): Promise<Figure[]> {
    const small = await prepare(bench, SMALL)
    const large = await prepare(bench, bench.bookings)
    const figures: Figure[] = []
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const results = await compare(bench, kind, small, large, 'ordinary')
      figures.push(
        { ...ratios(`${kind}, p50`, results, (result) => result.p50Ms), target: { atMost: 1.5 } },
        ratios(`${kind}, p99`, results, (result) => result.p99Ms),
        latency(`${kind} at ${bench.bookings.toLocaleString('en')}, p50`, results, (result) => result.p50Ms),
        latency(`${kind} at ${bench.bookings.toLocaleString('en')}, p99`, results, (result) => result.p99Ms),
      )
    }
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const results = await compare(bench, kind, small, large, 'big')
      figures.push(
        ratios(`big center: ${kind}, p50`, results, (result) => result.p50Ms),
        latency(`big center: ${kind}, p50`, results, (result) => result.p50Ms),
      )
    }
    return figures
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
  for (const kind of OF_ONE) {
    const path = KINDS[kind](randomBelow(sessionsOf(data.size, center)))
    const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${apiKey}` } })
    const { total } = (await answer.json()) as { total?: number }
    // A name is found by the beginning of each word: `Popescu 39` is `Popescu 397`, too.
    const isFound = kind === 'a name in ten years' ? (total ?? 0) >= 1 : total === 1
    if (!isFound) throw new BenchFailed(`${path} is one guest, and not ${total} (${answer.status})`)
  }
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

const ratios = (what: string, results: Results, of: (result: LoadResult) => number): Figure =>
  figure(
    `${what}, large : small`,
    results.map(({ small, large }) => of(large) / of(small)),
  )

const latency = (what: string, results: Results, of: (result: LoadResult) => number): Figure => ({
  ...figure(
    what,
    results.map(({ large }) => of(large)),
  ),
  unit: 'ms',
})
