/**
 * What a request costs in CPU beside a version without protections (`--against`): what bounds, fair turns, the audit
 * trail's own connections, counts of use and notes of changes come to.
 */
import { type Bench, BenchFailed, type Finding, type Measurement } from '../support/bench.ts'
import { besideEachOther, type Kinds, type Version } from '../support/beside-each-other.ts'
import { keysCreate } from '../support/commands.ts'
import { bareDatabase } from '../support/database.ts'
import { type RecordsFile, yearOfRecords } from '../support/embedded-data.ts'
import { CENTER } from '../support/records.ts'
import { sojournSays } from '../support/service.ts'

const SESSIONS = 60
const CLIENTS = 8
/**
 * A service runs for days. While V8 compiles, the version with more code pays more for that: a refusal cost 1.17 of the
 * other version's after 1,500 of each kind.
 */
const WARMING = 4000
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'

const session = (n: number) => 1 + (n % SESSIONS)

const KINDS: Kinds = {
  'a repeated page': { status: 200, path: (n) => `/v1/guests?sessionId=${1 + (n % 5)}` },
  'a first page': {
    status: 200,
    path: (n) => `/v1/guests?sessionId=${session(n)}&length=${1 + (Math.floor(n / SESSIONS) % 100)}`,
  },
  'a first report': {
    status: 200,
    path: (n) =>
      `/v1/guests/meal-skipping-report?startDate=${day(n)}&endDate=${day(n, 7 + Math.floor(n / 365))}`,
  },
  'a first list of orders': {
    status: 200,
    path: (n) => `/v1/orders?startDate=${day(n)}&endDate=${day(n, 7 + Math.floor(n / 365))}`,
  },
  'a refused parameter': { status: 400, path: (n) => `/v1/guests?sessionId=${session(n)}&lenght=${n}` },
}

/** Of the year of the records; `later` days on. */
const day = (n: number, later = 0) =>
  Temporal.PlainDate.from('2025-01-01')
    .add({ days: (n % 365) + later })
    .toString()

export const protections: Measurement = {
  name: 'protections',
  title: 'CPU of each kind of request beside a version without protections (--against)',

  async run(bench: Bench): Promise<Finding[]> {
    if (bench.against === undefined) throw new BenchFailed('it needs --against CHECKOUT')
    const records = await yearOfRecords(bench, SESSIONS)
    const versions = [await prepare(bench, records, undefined), await prepare(bench, records, bench.against)]
    return besideEachOther(bench, versions, { kinds: KINDS, clients: CLIENTS, warming: WARMING })
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
