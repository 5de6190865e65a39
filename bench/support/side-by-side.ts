/**
 * The CPU cost of a request, for one version of Sojourn or for two versions measured side by side, each on its own
 * database.
 *
 * Both versions run at the same time and receive short bursts alternately, so that other work on the machine affects both.
 * The CPU is that of the service's process and of its connections to PostgreSQL, so delayed writes of one version, such
 * as its audit trail, are never counted for the other. The cost differs between starts of the same process, so each
 * round starts both anew.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, BenchFailed, type Figure } from './bench.ts'
import { chosen } from './chosen.ts'
import { bearer, openClient } from './client.ts'
import { backendsCpu } from './database.ts'
import { figure } from './rounds.ts'
import { type ServiceOptions, startService } from './service.ts'

/**
 * Requests until the compiler has seen a kind often enough. Before that, starts of the same version differ by more than
 * half.
 */
const WARMING = 1500
/**
 * Each kind is warmed in so many parts, alternately with the others: V8 compiles for what it sees, and a service sees all
 * kinds.
 */
const PARTS_OF_WARMING = 8
/** Number of the first request that is measured. Those for warming come after the last. */
const FIRST = 1500
const BURST = 100
/** before each kind */
const REST_MS = 3000
/** bursts of each version for each kind */
const BURSTS = 20
/**
 * Since the start. The work of a day begins a minute after it; a measurement of seconds would count it for thousands of
 * times its share.
 */
const NOT_BEFORE_MS = 75_000

export interface Kind {
  readonly status: number
  /** @param n increases with each request, so that uncached kinds never repeat */
  readonly path: (n: number) => string
  /** A text of every answer's body: an answer without records would be measured unnoticed. */
  readonly shows: string
  /** requests before it is measured, if not as many as for the other kinds */
  readonly warming?: number
  /** bursts that are measured, if not as many as for the other kinds */
  readonly bursts?: number
  /** value of `X-LOCALE` */
  readonly locale?: string
}

export type Kinds = Readonly<Record<string, Kind>>

export interface Version extends ServiceOptions {
  readonly databaseUrl: string
  readonly apiKey: string
}

interface Load {
  readonly kinds: Kinds
  /** concurrent requests */
  readonly clients: number
  /** requests of each kind before measuring */
  readonly warming?: number
  /** for the CPU as a share of the other version's */
  readonly target?: Figure['target']
}

/**
 * All kinds are warmed; those of `--kinds` are measured, or all without it.
 * @param versions this one, and optionally another
 */
export async function inOneRun(
  bench: Bench,
  versions: readonly Version[],
  { kinds, clients, warming = WARMING, target }: Load,
): Promise<Figure[]> {
  const names = chosen('kind', bench.kinds, Object.keys(kinds))
  const rounds: (readonly CpuOfKinds[])[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const started = await Promise.all(versions.map((version) => start(bench, version, clients)))
    const since = performance.now()
    await warm(started, kinds, warming)
    await pause(Math.max(0, NOT_BEFORE_MS - (performance.now() - since)))
    const cpu = await inBursts(started, kinds, names)
    rounds.push(cpu)
    for (const name of names) bench.log(`${name}: ${microsOf(cpu, name)}`)
    await Promise.all(started.map((side) => side.stop()))
  }
  return names.flatMap((name) => {
    const of = (version: number, part: (cpu: Cpu) => number) =>
      rounds.map((sides) => part(sides[version]?.get(name) ?? NO_CPU))
    const micros = (what: string, version: number, part: (cpu: Cpu) => number): Figure => ({
      ...figure(what, of(version, part)),
      unit: 'µs',
    })
    const ratio = (what: string, part: (cpu: Cpu) => number): Figure => {
      const others = of(1, part)
      return figure(
        what,
        of(0, part).map((cpu, round) => cpu / (others[round] ?? Number.NaN)),
      )
    }
    const ours = [
      micros(name, 0, inAll),
      micros('… of the service', 0, ofService),
      micros('… of PostgreSQL', 0, ofDatabase),
    ]
    if (versions.length === 1) return ours
    return [
      ...ours,
      micros('… of the service, the other version', 1, ofService),
      micros('… of PostgreSQL, the other version', 1, ofDatabase),
      { ...ratio('… in all, of the other version', inAll), ...(target === undefined ? {} : { target }) },
      ratio('… of the service alone', ofService),
      ratio('… of PostgreSQL alone', ofDatabase),
    ]
  })
}

/** In µs per request. */
interface Cpu {
  readonly service: number
  readonly database: number
}

const NO_CPU: Cpu = { service: Number.NaN, database: Number.NaN }
const ofService = ({ service }: Cpu) => service
const ofDatabase = ({ database }: Cpu) => database
const inAll = (cpu: Cpu) => cpu.service + cpu.database

/** By name of the kind. */
type CpuOfKinds = ReadonlyMap<string, Cpu>

interface Side {
  /** Sends this many requests, beginning with this number. */
  load(kind: Kind, first: number, count: number): Promise<void>
  /** used so far, in µs */
  cpu(): Promise<Cpu>
  stop(): Promise<void>
}

/** Of each version, for who looks on. */
const microsOf = (sides: readonly CpuOfKinds[], name: string) =>
  sides
    .map((side) => side.get(name) ?? NO_CPU)
    .map(({ service, database }) => `${service.toFixed(1)} + ${database.toFixed(1)} µs`)
    .join(', the other version ')

async function warm(sides: readonly Side[], kinds: Kinds, warming: number): Promise<void> {
  for (let part = 0; part < PARTS_OF_WARMING; part += 1) {
    for (const kind of Object.values(kinds)) {
      const count = Math.ceil((kind.warming ?? warming) / PARTS_OF_WARMING)
      const behind = FIRST + burstsOf(kind) * BURST
      for (const side of sides) await side.load(kind, behind + part * count, count)
    }
  }
}

const burstsOf = ({ bursts = BURSTS }: Kind) => bursts

async function inBursts(
  sides: readonly Side[],
  kinds: Kinds,
  names: readonly string[],
): Promise<readonly CpuOfKinds[]> {
  const measured = sides.map(() => new Map<string, Cpu>())
  for (const [name, kind] of Object.entries(kinds)) {
    if (!names.includes(name)) continue
    const bursts = burstsOf(kind)
    // The trail of the requests before is written by then, and what they left behind is collected.
    await pause(REST_MS)
    const begun = await Promise.all(sides.map((side) => side.cpu()))
    for (let burst = 0; burst < bursts; burst += 1) {
      // The order alternates, so that neither always follows the other.
      const order = burst % 2 === 0 ? sides : sides.toReversed()
      for (const side of order) {
        await side.load(kind, FIRST + burst * BURST, BURST)
        await side.cpu()
      }
    }
    for (const [at, side] of sides.entries()) {
      const { service, database } = await side.cpu()
      const before = begun[at] ?? NO_CPU
      const requests = bursts * BURST
      measured[at]?.set(name, {
        service: (service - before.service) / requests,
        database: (database - before.database) / requests,
      })
    }
  }
  return measured
}

async function start(bench: Bench, version: Version, clients: number): Promise<Side> {
  const service = await startService(bench, version)
  const client = openClient()
  /** What each connection took; one that rests for long ends, and what it took stays. */
  const connections = new Map<number, number>()
  return {
    async load({ status, path, shows, locale }, first, count) {
      const headers = { ...bearer(version.apiKey), ...(locale === undefined ? {} : { 'x-locale': locale }) }
      let asked = first
      const one = async () => {
        while (asked < first + count) {
          const url = service.url + path(asked++)
          const got = await client.get(url, headers)
          if (got.status !== status || !got.body.includes(shows)) {
            throw new BenchFailed(`${url} answered ${got.status} without ${shows}: ${got.body}`)
          }
        }
      }
      await Promise.all(Array.from({ length: clients }, one))
    },
    async cpu() {
      for (const [pid, micros] of await backendsCpu(version.databaseUrl)) connections.set(pid, micros)
      return {
        service: service.cpuMicros(),
        database: [...connections.values()].reduce((sum, micros) => sum + micros, 0),
      }
    },
    async stop() {
      client.close()
      await service.stop()
    },
  }
}
