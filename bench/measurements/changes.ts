/** A feed of a million changes, read in pages; and what the notes of commits cost those who write. */
import sql from 'sql-template-tag'
import { pruneChanges } from '../../src/core/changes/prune-changes.ts'
import { readChanges } from '../../src/core/changes/read-feed.ts'
import type { Database } from '../../src/core/database/database.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { BOOKINGS, manyCommits, switchNotes } from '../support/changes-sql.ts'
import { newDatabase } from '../support/database.ts'
import { exactCpuMicros } from '../support/processes.ts'
import { figure, median } from '../support/rounds.ts'

const CENTER = centerId('c1')
const COMMITS = 100_000
const CHANGES = COMMITS * 10
const PAGE = 1000
const UPDATES = 1000
const WARMING = 30
let touched = 0
const IMPORTED = 4000

export const changes: Measurement = {
  name: 'changes',
  title: 'a feed of 1,000,000 changes in pages; what noting changes costs an update and an import',

  async run(bench: Bench): Promise<Figure[]> {
    const { database } = await newDatabase(bench)
    await importLines(database, [
      { kind: 'center', id: CENTER, name: 'C', timezone: 'UTC', currency: 'EUR' },
      ...people('k', 5000),
    ])
    await database.query(BOOKINGS)
    return [...(await writers(bench, database)), ...(await feed(database))]
  },
}

/** With and without notes, alternately. */
async function writers(bench: Bench, database: Database): Promise<Figure[]> {
  const alternately = async (pairs: number, work: (round: number) => Promise<number>) => {
    const found = { noted: [] as number[], bare: [] as number[] }
    for (let round = 0; round < pairs; round += 1) {
      found.noted.push(await work(2 * round))
      for (const statement of switchNotes('disable')) await database.query(statement)
      found.bare.push(await work(2 * round + 1))
      for (const statement of switchNotes('enable')) await database.query(statement)
    }
    return found
  }
  const update = await alternately(bench.rounds * 4, () => updates(database))
  const more = update.noted.map((ms, round) => ms - (update.bare[round] ?? Number.NaN))
  const imports = await alternately(bench.rounds, (round) => imported(database, `${round}-`))
  const ratios = imports.noted.map((ms, round) => ms / (imports.bare[round] ?? Number.NaN))
  return [
    { ...figure('a single update, CPU', update.noted), unit: 'ms' },
    { ...figure('the same without notes', update.bare), unit: 'ms' },
    { ...figure('what notes cost a single update', more), unit: 'ms', target: { atMost: 0.2 } },
    { ...figure('import with notes : without', ratios), target: { atMost: 1.1 } },
  ]
}

/**
 * Of the connection's own process, because the clock and the other processes tell of the whole machine.
 * @returns milliseconds of CPU
 */
async function cpuOf(database: Database, work: () => Promise<unknown>): Promise<number> {
  const connection = async () => {
    const [row] = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    return row?.pid ?? 0
  }
  const pid = await connection()
  const before = exactCpuMicros(pid)
  await work()
  const after = exactCpuMicros(pid)
  if ((await connection()) !== pid) throw new BenchFailed('the work was done on several connections')
  return (after - before) / 1000
}

/** @returns milliseconds of CPU for an update, each a commit */
async function updates(database: Database): Promise<number> {
  const update = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      touched += 1
      await database.query(sql`
        update bookings set therapist_name = ${`T${touched}`}
        where center_id = ${CENTER} and id = ${`b${1 + (touched % 5000)}`}`)
    }
  }
  // What was switched is planned anew.
  await update(WARMING)
  return (await cpuOf(database, () => update(UPDATES))) / UPDATES
}

/** @returns milliseconds of CPU */
async function imported(database: Database, prefix: string): Promise<number> {
  const stays = people(prefix, IMPORTED).flatMap((person) => [
    person,
    {
      kind: 'booking',
      centerId: CENTER,
      id: `of-${person.id}`,
      customerId: person.id,
      role: 'guest',
      status: 'confirmed',
      startDate: '2025-03-01T14:00',
      endDate: '2025-03-08T10:00',
      sessionIds: [],
    },
  ])
  return cpuOf(database, () => importLines(database, stays))
}

const people = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    kind: 'customer',
    centerId: CENTER,
    id: `${prefix}${n + 1}`,
    firstName: 'Ana',
    lastName: 'Pop',
  }))

async function importLines(database: Database, records: readonly object[]): Promise<void> {
  const lines = records.map((record, at) => ({ file: 'bench', line: at + 1, text: JSON.stringify(record) }))
  const { applied } = await importRecords(database, lines, { onProblem: () => {} })
  if (!applied) throw new BenchFailed('the records of the bench were refused')
}

/** The first, the middle and the last pages, and all of them while the notes are pruned. */
async function feed(database: Database): Promise<Figure[]> {
  const start = await readChanges(database, CENTER, undefined, PAGE)
  if (start.outcome !== 'read') throw new BenchFailed('there is no cursor to start from')
  for (const statement of manyCommits(CENTER, COMMITS)) await database.query(statement)
  const { times, cursors } = await readThrough(database, start.cursor)
  if (times.length !== CHANGES / PAGE) throw new BenchFailed(`${times.length} pages were read`)
  const tenth = Math.floor(times.length / 10)
  const first = median(times.slice(0, tenth))
  const last = median(times.slice(-tenth))
  // The commits are a second apart: those of the first seventh go, and the follower is behind them.
  const [, adjacent] = await Promise.all([
    pruneChanges(database, 1),
    readThrough(database, cursors[Math.floor(cursors.length / 5)] ?? ''),
  ])
  return [
    { ...figure(`a page of ${PAGE} of ${CHANGES.toLocaleString('en')} changes`, times), unit: 'ms' },
    { what: 'the last tenth of them : the first', value: last / first, target: { atMost: 1.5 } },
    { ...figure('a page while notes are pruned', adjacent.times), unit: 'ms' },
  ]
}

/** @returns milliseconds of each page, and the cursor after it */
async function readThrough(
  database: Database,
  from: string,
): Promise<{ times: number[]; cursors: string[] }> {
  const times: number[] = []
  const cursors: string[] = []
  for (let cursor = from, more = true; more; ) {
    const begun = performance.now()
    const page = await readChanges(database, CENTER, cursor, PAGE)
    times.push(performance.now() - begun)
    if (page.outcome !== 'read') throw new BenchFailed('the feed was broken off')
    ;({ cursor, more } = page)
    cursors.push(cursor)
  }
  return { times, cursors }
}
