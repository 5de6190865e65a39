/** What the audit trail costs by its size: verifying a day, finding who read a guest, pruning, and its bytes. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Entry, entryHash, recordListHash } from '../../src/core/audit/entry.ts'
import { addHeads } from '../../src/core/audit/heads-sql.ts'
import { listReads } from '../../src/core/audit/list-reads.ts'
import { selectListed, wantedOfGuest } from '../../src/core/audit/list-reads-sql.ts'
import { pruneTrail } from '../../src/core/audit/prune-trail.ts'
import { compactMonths, detachedMonths } from '../../src/core/audit/trail-months.ts'
import { verifyPeriod } from '../../src/core/audit/verify/verify-trail.ts'
import { insertBatch } from '../../src/core/audit/write/write-batch-sql.ts'
import type { Database } from '../../src/core/database/database.ts'
import { recordListText } from '../../src/core/database/record-list.ts'
import { type Bench, BenchFailed, type Figure, type Measurement } from '../support/bench.ts'
import { newDatabase } from '../support/database.ts'
import * as statements from '../support/trail-sql.ts'

const { MONTHS } = statements
const SMALL = 100_000
const CENTERS = 50
const DAY_MS = 86_400_000
/** The center that is asked. One entry in ten is of it. */
const SPA = 'spa'
/** A week that is the same in trails of every size. Its days are verified, and its guests are listed. */
const WEEK_ENTRIES = 700
const WEEK_MONTH = 12
const PIECE = 1000

/** What does not depend on the size of the trail. */
const DAY = 'verifying a day'
const WEEK = 'who read a guest in a week (audit list)'
const WEEK_PAGE = 'the same on the administration page'
const NOTHING = 'a day on which nothing is pruned'
const DROP = 'dropping the oldest month'
const SAME: ReadonlySet<string> = new Set([DAY, WEEK, WEEK_PAGE, NOTHING, DROP])
const RATIO_MAX = 2

type Times = Readonly<Record<string, number>>

export const trail: Measurement = {
  name: 'trail',
  title: 'the audit trail by its size: verifying, listing, pruning, bytes',

  async run(bench: Bench): Promise<Figure[]> {
    const small = await measure(bench, SMALL)
    const large = await measure(bench, bench.entries)
    const figures: Figure[] = []
    for (const [what, ms] of Object.entries(large.times)) {
      const before = small.times[what] ?? Number.NaN
      figures.push({ what: `${what}: ${SMALL} entries`, value: before, unit: 'ms' })
      figures.push({ what: `${what}: ${bench.entries} entries`, value: ms, unit: 'ms' })
      if (SAME.has(what)) figures.push({ what: '  of it', value: ms / before, target: { atMost: RATIO_MAX } })
    }
    for (const [what, bytes] of [...Object.entries(small.bytes), ...Object.entries(large.bytes)]) {
      figures.push({ what: `bytes of an entry: ${what}`, value: bytes, unit: 'B' })
    }
    return figures
  },
}

async function measure(bench: Bench, entries: number): Promise<{ times: Times; bytes: Times }> {
  const { database } = await newDatabase(bench)
  const week = await fill(bench, database, entries)
  const bytes: Record<string, number> = {}
  const note = async (when: string, which: (part: string) => boolean) => {
    const sizes = await database.query<{ part: string; bytes: number }>(statements.selectSizes)
    let sum = 0
    for (const { part, bytes: size } of sizes.filter(({ part }) => which(part))) {
      bytes[`${entries}, ${when}: ${part}`] = size / entries
      sum += size / entries
    }
    bytes[`${entries}, ${when}: all`] = sum
  }
  const isOfNow = (part: string) => !part.startsWith('one')
  if (entries <= 1_000_000) {
    for (const statement of [...statements.oneTable, statements.fillOneTable]) await database.query(statement)
    await note('in one table', (part) => !part.startsWith('entries'))
  }
  await note('by the month, as written', isOfNow)
  await compactMonths(database)
  await note('by the month, months that have ended', isOfNow)
  await database.query(statements.analyzeTrail)
  bench.log(`${entries} entries: measuring`)

  const times: Record<string, number> = {}
  const day = { since: week.since + 2 * DAY_MS, until: week.since + 3 * DAY_MS - 1 }
  times[DAY] = await median(bench, async () => {
    const { entries: verified, problems } = await verifyPeriod(database, SPA, day)
    if (verified !== WEEK_ENTRIES / 7 || problems.length > 0) {
      throw new BenchFailed(`${verified} entries were verified: ${JSON.stringify(problems.slice(0, 3))}`)
    }
  })
  const guest = { booking: week.guest }
  const question = { center: SPA, key: undefined, operations: undefined, guest }
  const [since, until] = [() => week.since, () => week.since + 7 * DAY_MS - 1]
  const found = (count: number) => {
    if (count !== week.reads)
      throw new BenchFailed(`${count} reads of the guest were found, not ${week.reads}`)
  }
  times[WEEK] = await median(bench, async () =>
    found((await Array.fromAsync(listReads(database, { ...question, since, until }))).length),
  )
  const within = {
    centers: [SPA],
    since: [new Date(since()).toISOString()],
    until: [new Date(until()).toISOString()],
  }
  const records = wantedOfGuest({ id: SPA, timezone: 'UTC' }, guest)
  const page = selectListed({ within, key: undefined, operations: undefined, records }, undefined, 500)
  times[WEEK_PAGE] = await median(bench, async () => found((await database.query(page)).length))
  times['who read a guest in two years'] = await median(bench, async () => {
    const all = listReads(database, { ...question, since: undefined, until: undefined })
    found((await Array.fromAsync(all)).length)
  })

  const [{ now, second } = { now: 0, second: 0 }] = await database.query<{ now: number; second: number }>(
    statements.selectSecondMonth,
  )
  const days = Math.floor((now - second) / DAY_MS)
  times[NOTHING] = await once(() => pruneTrail(database, { days: days + 40 }))
  const dropping = await dropMonth(bench, database, days)
  times[DROP] = dropping.dropped
  times['and then removing lists that nobody names any more'] = dropping.all - dropping.dropped
  times['deleting 2000 entries one by one'] = await once(async () => {
    const { entries: pruned } = await pruneTrail(database, { days: days - 20, deletedMax: 2000 })
    bench.log(`${pruned} entries were deleted`)
  })
  return { times, bytes }
}

/** @returns ms until the month is no longer part of the trail, and until nothing of it is left */
async function dropMonth(
  bench: Bench,
  database: Database,
  days: number,
): Promise<{ dropped: number; all: number }> {
  const begun = performance.now()
  let all: number | undefined
  const pruning = pruneTrail(database, { days, deletedMax: 0 }).then(({ entries }) => {
    all = performance.now() - begun
    bench.log(`${entries} entries were pruned with their month`)
  })
  while (all === undefined && (await detachedMonths(database)).length === 0) await wait(1)
  const dropped = performance.now() - begun
  await pruning
  return { dropped: Math.min(dropped, all ?? dropped), all: all ?? dropped }
}

interface Week {
  /** epoch ms */
  readonly since: number
  /** a booking that was read in it */
  readonly guest: string
  /** how often */
  readonly reads: number
}

async function fill(bench: Bench, database: Database, entries: number): Promise<Week> {
  const begun = performance.now()
  for (const statement of statements.monthsOfTrail) await database.query(statement)
  const per = Math.round((entries * 0.9) / (CENTERS - 1) / MONTHS)
  for (let month = 0; month < MONTHS; month += 1) {
    await database.query(statements.fillMonth(month, CENTERS - 1, per))
    if (month % 6 === 5) bench.log(`${entries} entries: ${month + 1} months, ${seconds(begun)}`)
  }
  await database.query(statements.fillNow)
  await database.query(statements.fillLists)
  await database.query(statements.fillHeads)
  const week = await fillSpa(database, entries / 10)
  bench.log(`${entries} entries: filled, ${seconds(begun)}`)
  return week
}

/** A trail with a valid chain, evenly over the months, and with a week that has as many entries in trails of every size. */
async function fillSpa(database: Database, count: number): Promise<Week> {
  const [{ first, week, last } = { first: 0, week: 0, last: 0 }] = await database.query<{
    first: number
    week: number
    last: number
  }>(statements.selectWeek(WEEK_MONTH))
  const before = Math.round((count - WEEK_ENTRIES) / 2)
  const after = count - WEEK_ENTRIES - before
  const timeOf = (n: number) => {
    if (n < before) return first + ((week - first) * n) / before
    if (n < before + WEEK_ENTRIES) return week + (7 * DAY_MS * (n - before)) / WEEK_ENTRIES
    return week + 7 * DAY_MS + ((last - week - 7 * DAY_MS) * (n - before - WEEK_ENTRIES)) / after
  }
  await database.query(addHeads([SPA]))
  let hash = '00'.repeat(32)
  const reads = new Map<number, number>()
  let made = new Map<number, { readonly ids: string; readonly recordList: string }>()
  const listOf = (list: number) => {
    const known = made.get(list)
    if (known !== undefined) return known
    const ids = recordListText(Array.from({ length: 25 }, (_, guest) => bookingOf(list, guest)))
    const one = { ids, recordList: recordListHash(ids) }
    if (made.size > 1000) made = new Map()
    made.set(list, one)
    return one
  }
  for (let from = 0; from < count; from += PIECE) {
    const entries: Entry[] = []
    const lists = new Map<string, string>()
    for (let n = from; n < Math.min(count, from + PIECE); n += 1) {
      // Ten lists alternately, twenty times each; those of the week are of it alone.
      const within = n - before
      const isOfWeek = within >= 0 && within < WEEK_ENTRIES
      const list = isOfWeek ? -1 - listNumber(within) : listNumber(n)
      if (isOfWeek) reads.set(list, (reads.get(list) ?? 0) + 1)
      const { ids, recordList } = listOf(list)
      lists.set(recordList, ids)
      const content = {
        center_id: SPA,
        seq: n + 1,
        at: Math.round(timeOf(n)) * 1000,
        batch: `AbCdEfGh${n.toString(16).padStart(8, '0')}`,
        public_key: 'sjn_pk_AAAAAAAAAAAAAAAA',
        app_id: 'sjn_app_AAAAAAAAAAAAAAAA',
        key_name: 'Kitchen and desk',
        operation: 'listGuests',
        query: `sessionId=session-${list}&project=firstName,lastName,skippingMeals`,
        scopes: 'guests',
        records: 25,
        record_list: recordList,
        revision: Math.floor(n / 10),
        reads: 1,
        requests: `0 200 ${uuidOf(`request ${n}`)}`,
        channel: null,
      }
      const previous_hash = hash
      hash = entryHash(content, previous_hash)
      entries.push({ ...content, previous_hash, hash })
    }
    await database.query(
      insertBatch({
        entries,
        recordLists: [...lists].map(([hash, ids]) => ({ center_id: SPA, hash, ids })),
        heads: [{ center_id: SPA, seq: entries.at(-1)?.seq ?? 0, hash }],
        keys: [],
      }),
    )
  }
  return { since: week, guest: bookingOf(-1, 7), reads: reads.get(-1) ?? 0 }
}

const listNumber = (n: number) => Math.floor(n / 200) * 10 + (n % 10)

const bookingOf = (list: number, guest: number) => uuidOf(`booking ${list} ${guest}`)

function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const seconds = (begun: number) => `${Math.round((performance.now() - begun) / 1000)} s`

async function once(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function median(bench: Bench, work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < bench.rounds; round += 1) times.push(await once(work))
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? Number.NaN
}
