/**
 * Freshness under fire: writers change data at random while readers read; no answer is ever older than the newest
 * commit that had finished before its request began.
 */
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Database, Queryable } from '../../src/core/database/database.ts'
import { sojourn } from '../../test/support/run-sojourn.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { bearer, type Client, openClient } from '../support/client.ts'
import { newDatabase } from '../support/database.ts'
import { fillWith, makeFolder, openFolder, smallRecords } from '../support/folder-data.ts'
import { pick, randomBelow } from '../support/random.ts'
import { startService } from '../support/service.ts'
import { Versions } from '../support/versions.ts'

const READS = 100_000
const READERS = 32
const SECONDS_MAX = 900

export const fire: Measurement = {
  name: 'fire',
  title: 'writers change data while 32 readers read; no answer is older than its request, on both databases',

  async run(bench: Bench): Promise<Figure[]> {
    const records = await smallRecords(bench)

    const server = await newDatabase(bench)
    const serverKey = await fillWith(server.database, records)
    const instances = [
      (await startService(bench, { databaseUrl: server.url })).url,
      (await startService(bench, { databaseUrl: server.url })).url,
    ]
    const serverRows = await rowsOf(server.database)
    const onServer = await underFire(throughSql(server.database), serverRows, instances, serverKey, 4)

    const folder = await makeFolder(bench, records)
    const closed = await openFolder(folder.dataDir)
    const folderRows = await rowsOf(closed)
    await closed.close()
    const one = await startService(bench, { dataDir: folder.dataDir })
    const onFolder = await underFire(throughImports(folder.dataDir), folderRows, [one.url], folder.apiKey, 2)

    return [
      ...figures('PostgreSQL, two instances', onServer),
      ...figures('folder, by imports through the service', onFolder),
    ]
  },
}

interface Outcome {
  reads: number
  /** of those 304 */
  notModified: number
  /** older than the newest commit that had finished before the request began */
  stale: number
  /** values that no transaction ever committed */
  unreal: number
  commits: number
  seconds: number
}

const figures = (where: string, outcome: Outcome): Figure[] => [
  { what: `${where}: reads`, value: outcome.reads, target: { atLeast: READS } },
  { what: `${where}: of those 304`, value: outcome.notModified },
  { what: `${where}: commits meanwhile`, value: outcome.commits },
  { what: `${where}: stale answers`, value: outcome.stale, target: { atMost: 0 } },
  { what: `${where}: answers with what was never committed`, value: outcome.unreal, target: { atMost: 0 } },
]

async function underFire(
  commit: Commit,
  rows: readonly VersionedRow[],
  instances: readonly string[],
  apiKey: string,
  writers: number,
): Promise<Outcome> {
  const outcome: Outcome = { reads: 0, notModified: 0, stale: 0, unreal: 0, commits: 0, seconds: 0 }
  const versions = new Versions()
  await commit(rows, () => 0, { isUndone: false })
  for (const { name } of rows) versions.committed(name, versions.next(name))
  const client = openClient()
  const begun = performance.now()
  const isOver = () => outcome.reads >= READS || performance.now() - begun > SECONDS_MAX * 1000
  try {
    await Promise.all([
      ...Array.from({ length: writers }, (_, writer) =>
        // Each writer has rows of its own, so that versions are in commit order.
        write(
          commit,
          versions,
          rows.filter((_row, index) => index % writers === writer),
          outcome,
          isOver,
        ),
      ),
      ...readersOf(client, instances, apiKey, versions, outcome, isOver),
    ])
  } finally {
    client.close()
  }
  outcome.seconds = (performance.now() - begun) / 1000
  return outcome
}

/** Where the version of a row is, and where it shows: names, staff, order numbers. */
const TABLES = {
  c: { table: 'customers', key: 'id', column: 'last_name' },
  b: { table: 'bookings', key: 'id', column: 'doctor_name' },
  o: { table: 'orders', key: 'uuid', column: 'number' },
  s: { table: 'sessions', key: 'id', column: 'name' },
} as const

interface VersionedRow {
  /** its letter and its number among its kind */
  readonly name: string
  readonly kind: keyof typeof TABLES
  readonly id: string
}

async function rowsOf(database: Database): Promise<VersionedRow[]> {
  const rows: VersionedRow[] = []
  for (const kind of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    const { table, key } = TABLES[kind]
    const found = await database.query<{ id: string }>(
      sql`select ${raw(key)} as id from ${raw(table)} where center_id = '1' order by 1`,
    )
    rows.push(...found.map(({ id }, index) => ({ name: `${kind}${index}`, kind, id })))
  }
  return rows
}

type VersionOf = (name: string) => number | 'never'

/** Writes versions into rows in one transaction, which commits unless it is to be undone. */
type Commit = (
  rows: readonly VersionedRow[],
  versionOf: VersionOf,
  options: { isUndone: boolean },
) => Promise<void>

class RolledBack extends Error {}

const throughSql =
  (database: Database): Commit =>
  async (rows, versionOf, { isUndone }) => {
    try {
      await database.transaction(async (tx) => {
        await setVersions(tx, rows, versionOf)
        if (isUndone) throw new RolledBack()
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    }
  }

/** Each commit is an import that another process asks the service for; a dry run is undone. */
const throughImports =
  (dataDir: string): Commit =>
  async (rows, versionOf, { isUndone }) => {
    const lines = rows.map(({ name, kind, id }) => {
      const { kind: record, key, field } = RECORDS[kind]
      const text = `~${name}:${versionOf(name)}~`
      return `${JSON.stringify({ kind: record, centerId: '1', [key]: id, [field]: text })}\n`
    })
    const ran = await sojourn(
      ['import', '-', ...(isUndone ? ['--dry-run'] : [])],
      { DATA_DIR: dataDir },
      { stdin: lines.join('') },
    )
    if (ran.code !== 0) throw new BenchFailed(`an import was refused: ${ran.stdout}${ran.stderr}`)
  }

/** The same columns as fields of records. */
const RECORDS = {
  c: { kind: 'customer', key: 'id', field: 'lastName' },
  b: { kind: 'booking', key: 'id', field: 'doctorName' },
  o: { kind: 'order', key: 'uuid', field: 'number' },
  s: { kind: 'session', key: 'id', field: 'name' },
} as const

async function setVersions(
  tx: Queryable,
  rows: readonly VersionedRow[],
  versionOf: VersionOf,
): Promise<void> {
  for (const kind of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    const ofKind = rows.filter((row) => row.kind === kind)
    if (ofKind.length === 0) continue
    const { table, key, column } = TABLES[kind]
    await tx.query(sql`
      update ${raw(table)} t set ${raw(column)} = v.text
      from unnest(
        ${ofKind.map(({ id }) => id)}::text[],
        ${ofKind.map(({ name }) => `~${name}:${versionOf(name)}~`)}::text[]
      ) as v (id, text)
      where t.center_id = '1' and t.${raw(key)} = v.id`)
  }
}

async function write(
  commit: Commit,
  versions: Versions,
  rows: readonly VersionedRow[],
  outcome: Outcome,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const chosen = [...new Set(Array.from({ length: pick([1, 1, 1, 5, 50]) }, () => pick(rows)))]
    const undone = Math.random() < 0.1
    const next = new Map(chosen.map(({ name }) => [name, undone ? ('never' as const) : versions.next(name)]))
    await commit(chosen, (name) => next.get(name) ?? 'never', { isUndone: undone })
    if (!undone) outcome.commits += 1
    for (const [name, version] of next) if (version !== 'never') versions.committed(name, version)
    // Now and then a rest, in which answers can be retained.
    await wait(Math.random() < 0.05 ? 300 : randomBelow(30))
  }
}

/** Pages of guests, a report, orders and sessions; a few, so that many readers ask for the same. */
const PATHS = [
  ...Array.from(
    { length: 12 },
    (_, session) => `/v1/guests?sessionId=${session}&project=lastName,doctorName`,
  ),
  '/v1/guests?startDate=2024-03-01&endDate=2024-03-07&length=100',
  '/v1/guests/meal-skipping-report?sessionId=2',
  '/v1/orders?startDate=2024-02-01&endDate=2024-02-20&includeGuestNames=true',
  '/v1/sessions?startDate=2024-01-01&endDate=2024-12-31',
]

function readersOf(
  client: Client,
  instances: readonly string[],
  apiKey: string,
  versions: Versions,
  outcome: Outcome,
  isOver: () => boolean,
): Promise<void>[] {
  // The newest answer to each path, from whichever instance: its tag is good at all of them.
  const stored = new Map<string, { etag: string; shown: ReadonlyMap<string, number> }>()
  return Array.from({ length: READERS }, async () => {
    while (!isOver()) {
      const path = pick(PATHS)
      const known = Math.random() < 0.5 ? stored.get(path) : undefined
      const moment = versions.now
      const answer = await client.get(pick(instances) + path, {
        ...bearer(apiKey),
        ...(known === undefined ? {} : { 'if-none-match': known.etag }),
      })
      outcome.reads += 1
      let shown: ReadonlyMap<string, number>
      if (answer.status === 304 && known !== undefined) {
        outcome.notModified += 1
        shown = known.shown
      } else {
        if (answer.status !== 200) throw new BenchFailed(`${path} was answered ${answer.status}`)
        if (answer.body.includes(':never~')) outcome.unreal += 1
        shown = versionsIn(answer.body)
        if (shown.size === 0) throw new BenchFailed(`${path} shows no version`)
        stored.set(path, { etag: answer.headers.etag ?? '', shown })
      }
      if ([...shown].some(([name, version]) => version < versions.at(name, moment))) outcome.stale += 1
      if ([...shown].some(([name, version]) => version > versions.newest(name))) outcome.unreal += 1
    }
  })
}

const versionsIn = (body: string): ReadonlyMap<string, number> =>
  new Map([...body.matchAll(/~([cbos]\d+):(\d+)~/g)].map(([, name = '', version]) => [name, Number(version)]))
