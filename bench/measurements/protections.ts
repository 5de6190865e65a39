/**
 * What a request costs in CPU next to a version without protections (`--against`): what bounds, a fair order, the audit
 * trail's own connections, counts of use and notes of changes come to.
 */
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { keysCreate } from '../support/commands.ts'
import { bareDatabase } from '../support/database.ts'
import { type RecordsFile, YEAR_SESSIONS, yearOfRecords } from '../support/folder-data.ts'
import { DAYS_PER_SESSION, FIRST_DAY } from '../support/make-data-sql.ts'
import { CENTER } from '../support/records.ts'
import { sojournSays } from '../support/service.ts'
import { inOneRun, type Kinds, type Version } from '../support/side-by-side.ts'

const SESSIONS = 60
const CLIENTS = 8
/**
 * A service runs for days. While V8 compiles, the version with more code pays more for that: a refusal cost 1.17 of the
 * other version's after 1,500 of each kind.
 */
const WARMING = 4000
/** After 4,000 of what takes 150 µs, V8 still compiles, and the version with more code pays more for that. */
const WARMING_OF_CHEAP = 12_000
/** 10,000 requests: among 2,000 of 150 µs each, one collection of V8's whole heap is a tenth. */
const BURSTS_OF_CHEAP = 100
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'

const GUEST = '"firstName"'

const session = (n: number) => n % SESSIONS

const KINDS: Kinds = {
  'a repeated page': {
    status: 200,
    shows: GUEST,
    warming: WARMING_OF_CHEAP,
    bursts: BURSTS_OF_CHEAP,
    path: (n) => `/v1/guests?sessionId=${1 + (n % 5)}`,
  },
  'a first page': {
    status: 200,
    shows: GUEST,
    path: (n) => `/v1/guests?sessionId=${session(n)}&length=${1 + (Math.floor(n / SESSIONS) % 100)}`,
  },
  'a first report': {
    status: 200,
    shows: '"breakfast"',
    path: (n) => `/v1/guests/meal-skipping-report?${range(n)}`,
  },
  'a first list of orders': {
    status: 200,
    shows: '"orderNumber"',
    path: (n) => `/v1/orders?${range(n)}`,
  },
  'a refused parameter': {
    status: 400,
    shows: 'lenght',
    warming: WARMING_OF_CHEAP,
    bursts: BURSTS_OF_CHEAP,
    path: (n) => `/v1/guests?sessionId=${session(n)}&lenght=${n}`,
  },
}

/**
 * Days of the year in which the records are, another range for each `n`. All have orders and guests: it is longer than
 * the time between two sessions, and ends before the last one does.
 */
function range(n: number): string {
  const days = (YEAR_SESSIONS - 1) * DAYS_PER_SESSION
  const startDate = Temporal.PlainDate.from(FIRST_DAY).add({ days: n % days })
  const endDate = startDate.add({ days: DAYS_PER_SESSION + Math.floor(n / days) })
  return `startDate=${startDate}&endDate=${endDate}`
}

export const protections: Measurement = {
  name: 'protections',
  title: 'CPU of each kind of request next to a version without protections (--against)',

  async run(bench: Bench): Promise<Figure[]> {
    if (bench.against === undefined) throw new BenchFailed('it needs --against CHECKOUT')
    const records = await yearOfRecords(bench, SESSIONS)
    const versions = [await prepare(bench, records, undefined), await prepare(bench, records, bench.against)]
    return inOneRun(bench, versions, { kinds: KINDS, clients: CLIENTS, warming: WARMING })
  },
}

async function prepare(bench: Bench, { file }: RecordsFile, checkout: string | undefined): Promise<Version> {
  const { url: databaseUrl } = await bareDatabase(bench)
  const options = { databaseUrl, checkout }
  await sojournSays(['migrate'], options)
  await sojournSays(['import', file], options)
  const created = await sojournSays(keysCreate(CENTER, 'bench', ['--scopes', SCOPES]), options)
  return { ...options, apiKey: JSON.parse(created).apiKey }
}
