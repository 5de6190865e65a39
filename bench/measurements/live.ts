/**
 * A live center: twenty integrations poll five pages each every minute, in three languages, while the desk saves
 * something every two seconds, somewhere in a year of sessions. Nobody waits here: what counts is that thirty commits lie
 * between two polls of a page.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, type Client, openClient } from '../support/client.ts'
import { keysCreate } from '../support/commands.ts'
import { bareDatabase, databaseCpu } from '../support/database.ts'
import { type DeskAct, deskAct } from '../support/desk-sql.ts'
import { type RecordsFile, yearOfRecords } from '../support/folder-data.ts'
import { randomBelow } from '../support/random.ts'
import { CENTER, GUESTS } from '../support/records.ts'
import { type Service, type ServiceOptions, sojournSays, startService } from '../support/service.ts'

const INTEGRATIONS = 20
const PAGES = 5
const COMMITS_A_MINUTE = 30
/** A commit on the database of a folder is an import by the command, which takes a second. */
const MINUTES = { PostgreSQL: 60, folder: 20 }
const WARMING_MINUTES = 10
/** Ten days each, six at a time: what a center of 240 beds has in a year. */
const SESSIONS = 208
const LOCALES = ['en', 'ro', 'no']
/** A version that knows no tokens shows its metrics to everybody. */
const METRICS_TOKEN = 'only-for-the-time-of-the-bench'
const SCOPES = 'guests,guests.personal,guests.medical,guests.financial,meals,sessions,orders'

/** What an integration reads of a session. */
const KINDS: readonly ((session: number) => string)[] = [
  (session) => `/v1/guests?sessionId=${session}`,
  (session) => `/v1/guests?sessionId=${session}&length=100&project=name,status,acc.roomId,startDate,endDate`,
  (session) => `/v1/guests?sessionId=${session}&length=100&project=name,dob,weight1,weight2,height,bmi2`,
  (session) => `/v1/guests?sessionId=${session}&length=100&project=name,orderNumber,financial.total`,
  (session) => `/v1/guests/meal-skipping-report?sessionId=${session}`,
]

export const live: Measurement = {
  name: 'live',
  title: 'twenty integrations poll while the desk saves something every two seconds, on both databases',

  async run(bench: Bench): Promise<Figure[]> {
    const records = await yearOfRecords(bench, SESSIONS)
    const figures: Figure[] = []
    const engines = { postgres: onServer, folder: onFolder }
    for (const [engine, start] of Object.entries(engines)) {
      if (bench.engine !== undefined && bench.engine !== engine) continue
      for (const checkout of bench.against === undefined ? [undefined] : [undefined, bench.against]) {
        const side = await start(bench, records, checkout)
        const found = await poll(side, checkout)
        for (const { what, value } of found) bench.log(`${what} ${value.toFixed(3)}`)
        figures.push(...found)
        await side.service.stop()
      }
    }
    return figures
  },
}

interface Side {
  readonly where: keyof typeof MINUTES
  readonly service: Service
  readonly apiKey: string
  readonly commit: (act: DeskAct) => Promise<unknown>
  /** µs, of the database's own processes; none where the service has it in its own */
  readonly databaseMicros: (() => number) | undefined
}

async function onServer(bench: Bench, records: RecordsFile, checkout: string | undefined): Promise<Side> {
  const { url, database } = await bareDatabase(bench)
  const options = { databaseUrl: url, checkout }
  await sojournSays(['migrate'], options)
  return {
    where: 'PostgreSQL',
    ...(await filled(bench, records, options)),
    commit: (act) =>
      database.transaction(async (tx) => {
        for (const statement of act.statements) await tx.query(statement)
      }),
    databaseMicros: await databaseCpu(url),
  }
}

async function onFolder(bench: Bench, records: RecordsFile, checkout: string | undefined): Promise<Side> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
  bench.afterwards(() => rmSync(dataDir, { recursive: true }))
  // A service lets only commands of its own version in.
  const { sojourn }: typeof import('../../test/support/run-sojourn.ts') = await import(
    join(checkout ?? join(import.meta.dirname, '..', '..'), 'test', 'support', 'run-sojourn.ts')
  )
  return {
    where: 'folder',
    ...(await filled(bench, records, { dataDir, checkout })),
    async commit(act) {
      const stdin = act.records.map((record) => `${JSON.stringify(record)}\n`).join('')
      const ran = await sojourn(['import', '-'], { DATA_DIR: dataDir }, { stdin })
      if (ran.code !== 0) throw new BenchFailed(`an import was refused: ${ran.stdout}${ran.stderr}`)
    },
    databaseMicros: undefined,
  }
}

/** With the records and a key, by the commands of the version that is measured. */
async function filled(bench: Bench, { file }: RecordsFile, options: ServiceOptions) {
  await sojournSays(['import', file], options)
  const created = await sojournSays(keysCreate(CENTER, 'live', ['--scopes', SCOPES]), options)
  const { apiKey } = JSON.parse(created)
  return {
    service: await startService(bench, { ...options, env: { METRICS_TOKEN } }),
    apiKey: String(apiKey),
  }
}

interface Page {
  readonly url: string
  readonly locale: string
  etag: string | undefined
  body: string
}

const NOTHING = { polls: 0, notModified: 0, different: 0 }

interface Counts {
  polls: number
  notModified: number
  /** that differ from what the integration had */
  different: number
}

async function poll(side: Side, checkout: string | undefined): Promise<Figure[]> {
  const { service } = side
  const client = openClient()
  const pages = Array.from({ length: INTEGRATIONS }, (_, integration) => {
    const kind = KINDS[integration % KINDS.length]
    const locale = LOCALES[integration % LOCALES.length] ?? 'en'
    return Array.from(
      { length: PAGES },
      (): Page => ({
        url: `${service.url}${kind?.(randomBelow(SESSIONS))}`,
        locale,
        etag: undefined,
        body: '',
      }),
    )
  }).flat()
  try {
    // The code is compiled by then, and every page is retained.
    await minutes(client, side, pages, WARMING_MINUTES)
    const length = MINUTES[side.where]
    const alone = await measured(side, () => save(side, length * COMMITS_A_MINUTE))
    await minutes(client, side, pages, 1)
    const stored = await cachedBy(client, side)
    let counts: Counts = NOTHING
    const work = await measured(side, async () => {
      counts = await minutes(client, side, pages, length)
    })
    const after = await cachedBy(client, side)
    const read = after.misses - stored.misses
    const where = `${side.where}${checkout === undefined ? '' : ', the other version'}`
    const micros = (of: 'service' | 'database') => (work[of] - alone[of]) / counts.polls
    return [
      {
        what: `${where}: polls answered without reading guests`,
        value: 1 - read / counts.polls,
        ...(checkout === undefined ? { target: { atLeast: 0.95 } } : {}),
      },
      { what: `${where}: of them 304`, value: counts.notModified / counts.polls },
      { what: `${where}: polls whose page had changed`, value: counts.different / counts.polls },
      {
        what: `${where}: polls that read though it had not`,
        value: (read - counts.different) / counts.polls,
      },
      { what: `${where}: polls`, value: counts.polls },
      { what: `${where}: CPU of the service a poll`, value: micros('service'), unit: 'µs' },
      ...(side.databaseMicros === undefined
        ? []
        : [{ what: `${where}: CPU of PostgreSQL a poll`, value: micros('database'), unit: 'µs' }]),
    ]
  } finally {
    client.close()
  }
}

/** Each page once a minute, and the desk's commits evenly between them. */
async function minutes(client: Client, side: Side, pages: readonly Page[], count: number): Promise<Counts> {
  const counts = { ...NOTHING }
  let due = 0
  for (let minute = 0; minute < count; minute += 1) {
    for (const page of pages) {
      due += COMMITS_A_MINUTE / pages.length
      for (; due >= 1; due -= 1) await save(side, 1)
      await ask(client, side, page, counts)
    }
  }
  return counts
}

/** With the tag of what the integration has. */
async function ask(client: Client, { apiKey }: Side, page: Page, counts: Counts): Promise<void> {
  const tag = page.etag === undefined ? {} : { 'if-none-match': page.etag }
  const headers = { ...bearer(apiKey), 'x-locale': page.locale, ...tag }
  const { status, body, headers: got } = await client.get(page.url, headers)
  counts.polls += 1
  if (status === 304) counts.notModified += 1
  else if (status !== 200) throw new BenchFailed(`${page.url} was answered ${status}: ${body}`)
  else {
    if (body !== page.body) counts.different += 1
    page.body = body
    page.etag = got.etag
  }
}

async function save({ commit }: Side, commits: number): Promise<void> {
  for (let saved = 0; saved < commits; saved += 1) await commit(deskAct(SESSIONS, GUESTS))
}

/** µs of CPU meanwhile. */
async function measured({ service, databaseMicros = () => 0 }: Side, work: () => Promise<unknown>) {
  const before = { service: service.cpuMicros(), database: databaseMicros() }
  await work()
  return { service: service.cpuMicros() - before.service, database: databaseMicros() - before.database }
}

async function cachedBy(client: Client, { service }: Side): Promise<{ misses: number }> {
  const { body } = await client.get(`${service.url}/metrics`, bearer(METRICS_TOKEN))
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(body)?.[1])
  return { misses: value('sojourn_answer_cache_misses_total') }
}
