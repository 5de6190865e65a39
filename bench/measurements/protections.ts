/**
 * What a request costs in CPU beside a version without protections (`--against`), each on a database of its own: what
 * bounds, fair turns, the audit trail's own connections, counts of use and notes of changes come to.
 *
 * Both versions are up at the same time and are asked in short bursts in turns, so that what else the machine does meets
 * both. The CPU is that of the service's process and of its own connections to PostgreSQL, so what one version writes
 * later, such as its trail, is never counted to the other.
 */
import { type Bench, BenchFailed, type Finding, type Measurement } from '../support/bench.ts'
import { bearer, openClient } from '../support/client.ts'
import { keysCreate } from '../support/commands.ts'
import { backendsCpu, bareDatabase } from '../support/database.ts'
import { type RecordsFile, yearOfRecords } from '../support/embedded-data.ts'
import { CENTER } from '../support/records.ts'
import { figure } from '../support/rounds.ts'
import { sojournSays, startService } from '../support/service.ts'

const SESSIONS = 60
/** Until the compiler has seen a kind often enough; before, starts of one version differ by more than half. */
const WARMING = 1500
const BURST = 100
/** of each version for each kind */
const BURSTS = 16
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
    const sides = [await prepare(bench, records, undefined), await prepare(bench, records, bench.against)]
    const rounds: (readonly CpuOfKinds[])[] = []
    for (let round = 0; round < bench.rounds; round += 1) {
      const started = await Promise.all(sides.map((start) => start()))
      rounds.push(await besideEachOther(started))
      await Promise.all(started.map((side) => side.stop()))
    }
    const findings: Finding[] = []
    for (const name of Object.keys(KINDS)) {
      const of = (side: number, part: (cpu: Cpu) => number) =>
        rounds.map((sides) => part(sides[side]?.get(name) ?? NO_CPU))
      const ratios = (part: (cpu: Cpu) => number) => {
        const others = of(1, part)
        return of(0, part).map((micros, round) => micros / (others[round] ?? Number.NaN))
      }
      findings.push(
        { ...figure(name, of(0, inAll)), unit: 'µs' },
        figure('… of the other version', ratios(inAll)),
        figure(
          '… of its service alone',
          ratios(({ service }) => service),
        ),
      )
    }
    return findings
  },
}

/** In µs a request. */
interface Cpu {
  readonly service: number
  readonly database: number
}

const NO_CPU: Cpu = { service: Number.NaN, database: Number.NaN }
const inAll = ({ service, database }: Cpu) => service + database

/** By the name of the kind. */
type CpuOfKinds = ReadonlyMap<string, Cpu>

interface Side {
  /** Asks so many, the first one with this number. */
  load(kind: Kind, first: number, count: number): Promise<void>
  /** so far, in µs */
  cpu(): Promise<Cpu>
  stop(): Promise<void>
}

async function besideEachOther(sides: readonly Side[]): Promise<readonly CpuOfKinds[]> {
  const measured = sides.map(() => new Map<string, Cpu>())
  for (const kind of Object.values(KINDS)) for (const side of sides) await side.load(kind, 0, WARMING)
  for (const [name, kind] of Object.entries(KINDS)) {
    const begun = await Promise.all(sides.map((side) => side.cpu()))
    for (let burst = 0; burst < BURSTS; burst += 1) {
      // Who comes first changes, so that neither always follows the other.
      const order = burst % 2 === 0 ? sides : sides.toReversed()
      for (const side of order) await side.load(kind, WARMING + burst * BURST, BURST)
    }
    for (const [at, side] of sides.entries()) {
      const { service, database } = await side.cpu()
      const before = begun[at] ?? NO_CPU
      const requests = BURSTS * BURST
      measured[at]?.set(name, {
        service: (service - before.service) / requests,
        database: (database - before.database) / requests,
      })
    }
  }
  return measured
}

/** @returns what starts the version anew: what a process costs differs from one start to the next */
async function prepare(bench: Bench, { file }: RecordsFile, checkout: string | undefined) {
  const { url: databaseUrl } = await bareDatabase(bench)
  const options = { databaseUrl, checkout }
  await sojournSays(['migrate'], options)
  await sojournSays(['import', file], options)
  const created = await sojournSays(keysCreate(CENTER, 'bench', ['--scopes', SCOPES]), options)
  const headers = bearer(JSON.parse(created).apiKey)

  return async (): Promise<Side> => {
    const service = await startService(bench, options)
    const client = openClient()
    return {
      async load({ status, url }, first, count) {
        let asked = first
        const one = async () => {
          while (asked < first + count) {
            const path = url(asked++)
            const got = await client.get(service.url + path, headers)
            if (got.status !== status) throw new BenchFailed(`${path} answered ${got.status}: ${got.body}`)
          }
        }
        await Promise.all(Array.from({ length: CLIENTS }, one))
      },
      cpu: async () => ({ service: service.cpuMicros(), database: await backendsCpu(databaseUrl) }),
      async stop() {
        client.close()
        await service.stop()
      },
    }
  }
}
