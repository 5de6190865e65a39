/**
 * What a request costs in CPU beside a version without protections (`--against`), each on a database of its own: what
 * bounds, fair turns, the audit trail's own connections, counts of use and notes of changes come to.
 */
import { type Bench, BenchFailed, type Finding, type Measurement } from '../support/bench.ts'
import { bearer, openClient } from '../support/client.ts'
import { keysCreate } from '../support/commands.ts'
import { bareDatabase, databaseCpu } from '../support/database.ts'
import { type RecordsFile, yearOfRecords } from '../support/embedded-data.ts'
import { CENTER } from '../support/records.ts'
import { figure } from '../support/rounds.ts'
import { sojournSays, startService } from '../support/service.ts'

const SESSIONS = 60
const REQUESTS = 600
const CLIENTS = 8
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'

interface Kind {
  readonly status: number
  /** @param n counts on, so that what is never kept is never the same */
  readonly url: (n: number) => string
}

const session = (n: number) => 1 + (n % SESSIONS)

const KINDS: Readonly<Record<string, Kind>> = {
  'a repeated page': { status: 200, url: (n) => `/v1/guests?sessionId=${1 + (n % 5)}` },
  'a first page': {
    status: 200,
    url: (n) => `/v1/guests?sessionId=${session(n)}&length=${1 + (Math.floor(n / SESSIONS) % 100)}`,
  },
  'a first report': {
    status: 200,
    url: (n) =>
      `/v1/guests/meal-skipping-report?startDate=${day(n)}&endDate=${day(n, 7 + Math.floor(n / 365))}`,
  },
  'a first list of orders': {
    status: 200,
    url: (n) => `/v1/orders?startDate=${day(n)}&endDate=${day(n, 7 + Math.floor(n / 365))}`,
  },
  'a refused parameter': { status: 400, url: (n) => `/v1/guests?sessionId=${session(n)}&lenght=${n}` },
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
    const now = await prepare(bench, records, undefined)
    const before = await prepare(bench, records, bench.against)
    const ours: CpuOfKinds[] = []
    const theirs: CpuOfKinds[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      ours.push(await now())
      theirs.push(await before())
    }
    const findings: Finding[] = []
    for (const name of Object.keys(KINDS)) {
      const of = (rounds: readonly CpuOfKinds[]) => rounds.map((micros) => micros.get(name) ?? Number.NaN)
      const [mine, others] = [of(ours), of(theirs)]
      const ratios = mine.map((micros, round) => micros / (others[round] ?? Number.NaN))
      findings.push({ ...figure(name, mine), unit: 'µs' }, figure('… of the other version', ratios))
    }
    return findings
  },
}

/** By the name of the kind, µs a request, of the service and of PostgreSQL. */
type CpuOfKinds = ReadonlyMap<string, number>

/**
 * @returns what starts the version anew and measures it once it is warm: what a process costs differs from one start to
 * the next by more than is looked for here
 */
async function prepare(bench: Bench, { file }: RecordsFile, checkout: string | undefined) {
  const { url: databaseUrl } = await bareDatabase(bench)
  const options = { databaseUrl, checkout }
  await sojournSays(['migrate'], options)
  await sojournSays(['import', file], options)
  const created = await sojournSays(keysCreate(CENTER, 'bench', ['--scopes', SCOPES]), options)
  const headers = bearer(JSON.parse(created).apiKey)
  const inDatabase = await databaseCpu(databaseUrl)

  return async (): Promise<CpuOfKinds> => {
    const service = await startService(bench, options)
    const client = openClient()
    const load = async ({ status, url }: Kind, first: number) => {
      let asked = first
      const ask = async () => {
        while (asked < first + REQUESTS) {
          const path = url(asked++)
          const got = await client.get(service.url + path, headers)
          if (got.status !== status) throw new BenchFailed(`${path} answered ${got.status}: ${got.body}`)
        }
      }
      await Promise.all(Array.from({ length: CLIENTS }, ask))
    }
    const measured = new Map<string, number>()
    for (const kind of Object.values(KINDS)) await load(kind, 0)
    for (const [name, kind] of Object.entries(KINDS)) {
      const begun = service.cpuMicros() + inDatabase()
      await load(kind, REQUESTS)
      measured.set(name, (service.cpuMicros() + inDatabase() - begun) / REQUESTS)
    }
    client.close()
    await service.stop()
    return measured
  }
}
