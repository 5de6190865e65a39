/** The same page from the same PostgreSQL by every engine, alternately: Sojourn first and repeated, and what is next to it. */
import { loadBareServer, startBareServer } from '../support/bare.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { checksOneOf, type Expected, expectSessions } from '../support/checker.ts'
import { bearer } from '../support/client.ts'
import { databaseCpu, makeKey, openBookings } from '../support/database.ts'
import { plainScript, postgrestPath } from '../support/engines-sql.ts'
import { sessionsOf } from '../support/make-data-sql.ts'
import { loadChecked, loadService } from '../support/measure-service.ts'
import { runPgbench } from '../support/pgbench.ts'
import { checkPostgrest, startPostgrest, WITH_TOTAL } from '../support/postgrest.ts'
import { shuffled } from '../support/random.ts'
import {
  allAlternately,
  cpuOf,
  figure,
  microsOf,
  rateOf,
  ratioOf,
  type Sample,
  wholeCpu,
} from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { type LoadOptions, type Request, runLoad } from '../support/wrk.ts'

const CONNECTIONS = 16
const CENTER = '1'
const BOOKINGS = 80_000
/** of a session; a page is half of them, so that there is something to count and to leave out */
const GUESTS = 100
const LENGTH = 50
// A service runs for days. V8 goes on compiling for half a minute: the first thousands of reads take twice the CPU, and
// repeated ones 64 µs in the first 25 s and 56 after them.
const WARMING_SECONDS = 30
const pathOf = (session: number) => `/v1/guests?sessionId=${session}&length=${LENGTH}`

export const amongEngines: Measurement = {
  name: 'among-engines',
  title: 'the same page by PostgREST, pgbench, bare node:http and Sojourn, first and repeated',

  async run(bench: Bench): Promise<Figure[]> {
    const data = await openBookings(bench, BOOKINGS, GUESTS)
    const apiKey = await makeKey(data.database, CENTER)
    const sessions = shuffled(sessionsOf(data.size, Number(CENTER)))
    const expected = await expectSessions(data, Number(CENTER), apiKey, 30)
    const inDatabase = await databaseCpu(data.url)
    const load = (requests: readonly Request[]) => ({
      requests,
      connections: CONNECTIONS,
      seconds: bench.roundSeconds,
    })
    const pages = load(sessions.map((session) => ({ path: pathOf(session), apiKey })))
    const again = load([{ path: pathOf(0), apiKey }])

    const firstReads = async (checkout?: string) => {
      const service = await startService(bench, {
        databaseUrl: data.url,
        answerCacheMb: 0,
        ...(checkout === undefined ? {} : { checkout }),
      })
      await runLoad({ ...pages, url: service.url, seconds: WARMING_SECONDS })
      return () => loadService(service, pages, expected, inDatabase)
    }
    const repeatedReads = async (checkout?: string) => {
      const service = await startService(bench, {
        databaseUrl: data.url,
        ...(checkout === undefined ? {} : { checkout }),
      })
      await runLoad({ ...again, url: service.url, seconds: WARMING_SECONDS })
      return { url: service.url, load: () => loadService(service, again, expected, inDatabase) }
    }
    const repeated = await repeatedReads()
    const body = await fetch(repeated.url + pathOf(0), { headers: bearer(apiKey) })
    const bare = await startBareServer(bench, Buffer.from(await body.arrayBuffer()))
    await runLoad({ ...again, url: bare.url, seconds: WARMING_SECONDS })
    const { against } = bench
    const sides = {
      first: await firstReads(),
      ...(against === undefined ? {} : { firstAgainst: await firstReads(against) }),
      postgrest: await postgrestReads(bench, data, sessions, expected, inDatabase),
      pgbench: () => plainReads(bench, data.url, sessions.length, inDatabase),
      repeated: repeated.load,
      ...(against === undefined ? {} : { repeatedAgainst: (await repeatedReads(against)).load }),
      bare: () => loadBareServer(bare, again),
    }
    const samples = await allAlternately<string>(bench.rounds, sides)
    bench.log(`a page of ${LENGTH} of ${GUESTS} guests, ${BOOKINGS} bookings, ${CONNECTIONS} connections`)
    return figuresOf(samples)
  },
}

async function postgrestReads(
  bench: Bench,
  data: Awaited<ReturnType<typeof openBookings>>,
  sessions: readonly number[],
  expected: readonly Expected[],
  inDatabase: () => number,
): Promise<() => Promise<Sample>> {
  const engine = await startPostgrest(bench, data)
  const load: LoadOptions = {
    url: engine.url,
    requests: sessions.map((session) => ({ path: postgrestPath(CENTER, session, LENGTH) })),
    headers: WITH_TOTAL,
    connections: CONNECTIONS,
    seconds: bench.roundSeconds,
  }
  const checkPage = (page: Expected) => {
    const session = Number(/sessionId=(\d+)/.exec(page.request.path)?.[1])
    return checkPostgrest(engine.url + postgrestPath(CENTER, session, LENGTH), page)
  }
  for (const page of expected) await checkPage(page)
  await runLoad({ ...load, seconds: WARMING_SECONDS })
  return () => loadChecked(engine, load, checksOneOf(expected, checkPage), inDatabase)
}

async function plainReads(
  bench: Bench,
  url: string,
  sessions: number,
  inDatabase: () => number,
): Promise<Sample> {
  const before = inDatabase()
  const perSecond = await runPgbench({
    url,
    script: plainScript(CENTER, sessions, LENGTH),
    connections: 4,
    seconds: bench.roundSeconds,
  })
  return { perSecond, databaseMicros: (inDatabase() - before) / (perSecond * bench.roundSeconds) }
}

/** What is gained, then what each side did. */
function figuresOf(samples: Record<string, Sample[]>): Figure[] {
  const of = (side: string): readonly Sample[] => {
    const found = samples[side]
    if (found === undefined) throw new BenchFailed(`${side} was not measured`)
    return found
  }
  const ratio = (what: string, ours: string, floor: string, target?: Figure['target']) =>
    ratioOf(what, { ours: of(ours), floor: of(floor) }, target)
  const { firstAgainst, repeatedAgainst } = samples
  return [
    ratio('first reads : PostgREST', 'first', 'postgrest', { atLeast: 2 }),
    ratio('first reads : pgbench', 'first', 'pgbench'),
    ratio('repeated reads : bare node:http', 'repeated', 'bare', { atLeast: 0.55 }),
    ratio('repeated reads : PostgREST', 'repeated', 'postgrest', { atLeast: 20 }),
    rateOf('first reads', of('first')),
    cpuOf('… CPU of the service', of('first')),
    microsOf('… CPU of PostgreSQL', of('first'), ({ databaseMicros }) => databaseMicros),
    { ...microsOf('… CPU in all', of('first'), wholeCpu), target: { atMost: 600 } },
    ...(firstAgainst === undefined
      ? []
      : [
          rateOf('first reads, the other version', firstAgainst),
          cpuOf('… CPU of the service', firstAgainst),
          microsOf('… CPU of PostgreSQL', firstAgainst, ({ databaseMicros }) => databaseMicros),
          microsOf('… CPU in all', firstAgainst, wholeCpu),
        ]),
    rateOf('PostgREST', of('postgrest')),
    cpuOf('… CPU of PostgREST', of('postgrest')),
    microsOf('… CPU of PostgreSQL', of('postgrest'), ({ databaseMicros }) => databaseMicros),
    rateOf('pgbench, the plain statement', of('pgbench')),
    microsOf('… CPU of PostgreSQL', of('pgbench'), ({ databaseMicros }) => databaseMicros),
    rateOf('repeated reads', of('repeated')),
    cpuOf('… CPU of the service', of('repeated')),
    { ...latencyOf('… p99', of('repeated')), target: { atMost: 2 } },
    ...(repeatedAgainst === undefined
      ? []
      : [
          rateOf('repeated reads, the other version', repeatedAgainst),
          cpuOf('… CPU of the service', repeatedAgainst),
          latencyOf('… p99', repeatedAgainst),
        ]),
    rateOf('bare node:http', of('bare')),
    cpuOf('… CPU of it', of('bare')),
    latencyOf('… p99', of('bare')),
  ]
}

const latencyOf = (what: string, samples: readonly Sample[]): Figure => ({
  ...figure(
    what,
    samples.map(({ p99Ms }) => p99Ms ?? Number.NaN),
  ),
  unit: 'ms',
})
