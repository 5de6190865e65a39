/**
 * What another center notices while one center abuses the service, compared with quiet times. Both alternate in one
 * run. A client in a separate process reads at the same steady rate throughout, and the abuser is a third process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { createKey } from '../../src/core/access/keys/create-key.ts'
import type { Database } from '../../src/core/database/database.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { localFiles } from '../../src/core/intake/lines/files.ts'
import { readFiles } from '../../src/core/intake/lines/read-files.ts'
import { saveMapping } from '../../src/core/intake/stored-mappings.ts'
import { freePort } from '../../test/support/free-port.ts'
import type { Bench, Figure } from './bench.ts'
import { databaseCpu, makeKey, newDatabase } from './database.ts'
import { fillWith, makeFolder, openFolder, type RecordsFile, smallRecords } from './folder-data.ts'
import { largeMapping } from './hostile-files.ts'
import { cpuMicros } from './processes.ts'
import { CENTER } from './records.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

/** What a center or a stranger does to the service. */
export const ABUSES = [
  'streams',
  'slow readers',
  'projections',
  'wide reports',
  'reports at once',
  'wrong credentials',
  'metrics',
  'files',
  'searches',
  'search words',
  'links',
  'deliveries',
] as const
/** What costs the service much each time, and each once stopped it: files of the import page, mappings, and actions. */
export const ATTACKS = [
  'workbooks',
  'long cells',
  'rows of long cells',
  'mappings',
  'long patterns',
  'contradictions',
  'erasures',
  'report runs',
  'new keys',
] as const
export type Abuse = (typeof ABUSES)[number] | (typeof ATTACKS)[number]

/** The number of answers by kind and status. */
export type Answers = Record<string, number>

export interface Span {
  readonly seconds: number
}

export interface Reads {
  /** duration of each read, in ms */
  readonly times: readonly number[]
  readonly refused: number
}

/** A rate that the machine easily handles in quiet times. */
export const PER_SECOND = 40
export const OTHER_SESSIONS = 20

const OTHER_CENTER = '2'
const RECORDS = 40_000
const TOKEN = 'token-of-the-collector'
/** A center may have one delivery at a time, so the request limits of this key have no effect. */
const INTAKE_KEY = { centerId: '1', name: 'booking system', scopes: ['import'], intake: true } as const
/** In ms. By then the rest of the abuse has ended: a heavy read waits at most ten seconds. */
const SETTLING_MS = 2000
const WARMING_SECONDS = 5

interface Spans {
  readonly quietSeconds: number
  readonly abusedSeconds: number
}

/** Measures with a service on PostgreSQL and with one on the database of a folder. */
export const duringAbuse = (bench: Bench, kinds: readonly Abuse[], lengths: Spans): Promise<Figure[]> =>
  onBoth(bench, (side) => compare(bench, side, kinds, lengths))

/** Measures with a service on PostgreSQL and with one on the database of a folder, each with two centers. */
export async function onBoth(
  bench: Bench,
  measure: (side: Side) => Promise<Figure[]>,
  options: Pick<ServiceOptions, 'env' | 'nodeArgs'> = {},
): Promise<Figure[]> {
  const records = await smallRecords(bench, RECORDS)
  const others = recordsOfOther(records)
  const figures: Figure[] = []
  if (bench.engine !== 'folder') figures.push(...(await onPostgres()))
  if (bench.engine !== 'postgres') figures.push(...(await onFolder()))
  return figures

  async function onPostgres(): Promise<Figure[]> {
    const { database, url } = await newDatabase(bench)
    const abuser = await fillWith(database, records)
    const keys = { abuser, other: await addOther(database, others), ...(await addKeys(database)) }
    const intakePort = await freePort()
    const service = await startService(bench, { databaseUrl: url, ...serviceWith(intakePort, options) })
    const ofDatabase = await databaseCpu(url)
    return measure({ service, intakePort, ...keys, where: 'PostgreSQL', ofDatabase }).finally(service.stop)
  }

  async function onFolder(): Promise<Figure[]> {
    const { dataDir, apiKey: abuser } = await makeFolder(bench, records)
    const database = await openFolder(dataDir)
    const keys = { abuser, other: await addOther(database, others), ...(await addKeys(database)) }
    await database.close()
    const intakePort = await freePort()
    const service = await startService(bench, { dataDir, ...serviceWith(intakePort, options) })
    return measure({ service, intakePort, ...keys, where: 'folder' }).finally(service.stop)
  }
}

const serviceWith = (
  intakePort: number,
  { env, nodeArgs = [] }: Pick<ServiceOptions, 'env' | 'nodeArgs'>,
): ServiceOptions => ({
  answerCacheMb: 0,
  nodeArgs,
  env: { METRICS_TOKEN: TOKEN, INTAKE_PORT: String(intakePort), ...env },
})

/** The first sessions of the same records, for another center. */
function recordsOfOther({ file }: RecordsFile): string {
  const lines = readFileSync(file, 'utf8').split('\n', 1 + OTHER_SESSIONS * 101)
  const theirs = lines.map((line) =>
    line
      .replace('"centerId":"1"', `"centerId":"${OTHER_CENTER}"`)
      .replace('"kind":"center","id":"1"', `"kind":"center","id":"${OTHER_CENTER}"`),
  )
  const path = `${file}.other.ndjson`
  writeFileSync(path, theirs.join('\n'))
  return path
}

async function addOther(database: Database, file: string): Promise<string> {
  await importRecords(database, await readFiles([file], localFiles(process.stdin)))
  return makeKey(database, OTHER_CENTER)
}

/** The keys of attacks on the import page and of actions; and somebody whom a mapping of 64 kB names. */
async function addKeys(
  database: Database,
): Promise<Pick<Side, 'intake' | 'administration' | 'rights' | 'named'>> {
  const keyOf = async (key: Parameters<typeof createKey>[1]) =>
    (await createKey(database, key, { random: randomBytes, now: Date.now() })).apiKey
  const ofAbuser = { centerId: CENTER, name: 'desk', perHour: 0, perMinute: 0 }
  const [person] = await database.query<{ id: string; name: string }>(sql`
    select id, first_name || ' ' || last_name as name from customers
    where center_id = ${CENTER} order by id limit 1`)
  const { id: named, name } = person ?? { id: '', name: '' }
  const body = largeMapping(`values of ${name}`)
  await saveMapping(database, { centerId: CENTER, name: 'large', body, user: 'bench' })
  return {
    intake: await keyOf(INTAKE_KEY),
    administration: await keyOf({ ...ofAbuser, scopes: ['administration'] }),
    rights: await keyOf({ ...ofAbuser, scopes: ['rights'] }),
    named,
  }
}

export interface Side {
  readonly service: Service
  readonly intakePort: number
  /** API keys */
  readonly abuser: string
  readonly other: string
  readonly intake: string
  readonly administration: string
  readonly rights: string
  /** a customer whom a stored mapping names */
  readonly named: string
  readonly where: string
  /** CPU time of the database's own processes */
  readonly ofDatabase?: () => number
}

/** What the abuser's process is given. */
export interface AbuserWith extends Pick<Side, 'abuser' | 'intake' | 'administration' | 'rights' | 'named'> {
  readonly url: string
  readonly token: string
  readonly intakeUrl: string
  readonly kinds: readonly Abuse[]
}

// The priorities imitate separate machines: the other center's client is never late, and the abuser gets the
// remaining CPU.
export const readerOf = (bench: Bench, { service, other }: Side): Process =>
  startProcess(bench, 'reader-process.ts', [service.url, other], -10)

/** @param nice 0 if what the service does for it is to be measured also where other programs take all CPU */
export function abuserOf(bench: Bench, side: Side, kinds: readonly Abuse[], nice = 19): Process {
  const { service, intakePort, abuser, intake, administration, rights, named } = side
  const intakeUrl = `http://127.0.0.1:${intakePort}/intake`
  const keys = { abuser, intake, administration, rights, named }
  const given: AbuserWith = { url: service.url, token: TOKEN, intakeUrl, ...keys, kinds }
  return startProcess(bench, 'abuser-process.ts', [JSON.stringify(given)], nice)
}

async function compare(
  bench: Bench,
  side: Side,
  kinds: readonly Abuse[],
  { quietSeconds, abusedSeconds }: Spans,
): Promise<Figure[]> {
  const { service, where, ofDatabase } = side
  const reader = readerOf(bench, side)
  const abusing = abuserOf(bench, side, kinds)
  const readFor = (seconds: number) => reader.ask<Reads>({ seconds })
  const cpu = () => [service.cpuMicros(), ofDatabase?.() ?? 0, cpuMicros(abusing.pid), cpuMicros(reader.pid)]

  await readFor(WARMING_SECONDS)
  const quiet: Reads[] = []
  const abused: Reads[] = []
  const answers: Answers = {}
  const spent = [0, 0, 0, 0]
  for (let round = 0; round < bench.rounds; round += 1) {
    quiet.push(await readFor(quietSeconds))
    const before = cpu()
    await abusing.ask({})
    abused.push(await readFor(abusedSeconds))
    for (const [name, count] of Object.entries(await abusing.ask<Answers>({}))) {
      answers[name] = (answers[name] ?? 0) + count
    }
    for (const [at, micros] of cpu().entries()) spent[at] = (spent[at] ?? 0) + micros - (before[at] ?? 0)
    await wait(SETTLING_MS)
  }
  bench.log(`${where}: the abuser was answered ${JSON.stringify(answers)}`)
  const cores = spent.map((micros) => (micros / 1e6 / abusedSeconds / bench.rounds).toFixed(2))
  bench.log(
    `${where}: cores while abused: service ${cores[0]}, database ${cores[1]}, abuser ${cores[2]}, client ${cores[3]}`,
  )
  return [
    ...figuresOf(`${where}: in quiet`, quiet),
    ...figuresOf(`${where}: next to the abuse`, abused),
    {
      what: `${where}: p99 next to the abuse against quiet`,
      value: percentile(abused, 0.99) / percentile(quiet, 0.99),
      // Computed per round, because other work on the machine affects both halves of a round about equally.
      spread: spreadOf(
        abused.map((one, round) => percentile([one], 0.99) / percentile(quiet.slice(round, round + 1), 0.99)),
      ),
      target: { atMost: 3 },
    },
    { what: `${where}: refused`, value: refusedOf([...quiet, ...abused]), target: { atMost: 0 } },
    { what: `${where}: resident at most`, value: service.residentMb().peak, unit: 'MB' },
  ]
}

const figuresOf = (what: string, spans: readonly Reads[]): Figure[] => [
  { what: `${what}, reads`, value: timesOf(spans).length },
  { what: `${what}, p50`, value: percentile(spans, 0.5), unit: 'ms' },
  {
    what: `${what}, p99`,
    value: percentile(spans, 0.99),
    unit: 'ms',
    spread: spreadOf(spans.map((one) => percentile([one], 0.99))),
  },
  { what: `${what}, longest`, value: percentile(spans, 1), unit: 'ms' },
]

export const timesOf = (spans: readonly Reads[]) => spans.flatMap(({ times }) => times)
export const refusedOf = (spans: readonly Reads[]) => spans.reduce((sum, { refused }) => sum + refused, 0)
const spreadOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)]

export function percentile(spans: readonly Reads[], share: number): number {
  const times = timesOf(spans).sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

export interface Process {
  readonly pid: number
  end(): void
  ask<Answer>(message: object): Promise<Answer>
}

/** Starts a process of this folder that answers each message with one. @param nice only root may go below 0 */
function startProcess(bench: Bench, file: string, args: readonly string[], nice: number): Process {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), args)
  bench.afterwards(() => child.kill())
  const pid = child.pid ?? 0
  try {
    setPriority(pid, nice)
  } catch {
    bench.log(`${file} runs with the priority of all others`)
  }
  return {
    pid,
    end: () => void child.kill(),
    async ask<Answer>(message: object) {
      const answered = once(child, 'message')
      child.send(message)
      const [answer] = await answered
      // Defined by the file that sends it.
      return answer as Answer
    },
  }
}
