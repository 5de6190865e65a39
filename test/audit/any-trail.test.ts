/**
 * Trails at random, seeded, next to a short model of what should be said of them: which of their moments count, what of them
 * is pruned, and which reads a question is answered with.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordsRead } from '../../src/core/answer/read-event.ts'
import { listGuests } from '../../src/core/api/guests/list-guests.ts'
import { mealSkippingReport } from '../../src/core/api/meal-skipping/meal-skipping-report.ts'
import { getOrder } from '../../src/core/api/orders/get-order.ts'
import { listOrders } from '../../src/core/api/orders/list-orders.ts'
import { listSessions } from '../../src/core/api/sessions/list-sessions.ts'
import { addHeads } from '../../src/core/audit/heads-sql.ts'
import { listReads, type ReadsQuestion } from '../../src/core/audit/list-reads.ts'
import { pruneTrail } from '../../src/core/audit/prune-trail.ts'
import {
  type NewestTimesRow,
  selectNewestTimes,
  selectTimesAround,
  type TimesAroundRow,
} from '../../src/core/audit/prune-trail-sql.ts'
import { pruningContent, readPruning } from '../../src/core/audit/pruning.ts'
import { judgeClock } from '../../src/core/audit/verify/plausible-clock.ts'
import { insertBatch, selectBatch } from '../../src/core/audit/write/write-batch-sql.ts'
import type { Database } from '../../src/core/database/database.ts'
import { startTestApi } from '../support/api.ts'
import { clockedDatabase } from '../support/clocked-database.ts'
import { openTestDatabase } from '../support/database.ts'
import { seededRandom } from '../support/random-center.ts'
import { booking, customer, LODGE, lodge, order, SPA, spa } from '../support/world.ts'
import { entriesOf, read, START, startAudit } from './reads.ts'

const DAY_MS = 86_400_000
const NOW = START + 100 * DAY_MS
const at = (day: number) => NOW + day * DAY_MS
type TimesRow = NewestTimesRow & TimesAroundRow
const NO_HASH = '00'.repeat(32)

interface Noted {
  /** days from now */
  readonly day: number
  readonly reads: number
}

let database: Database
beforeAll(async () => {
  database = clockedDatabase(await openTestDatabase(), () => NOW)
})

const clear = () => database.runScript('truncate audit_entries, audit_heads, audit_record_lists')

/** Entries of a center in this order, with hashes that nobody looks at. */
async function note(center: string, entries: readonly Noted[]): Promise<void> {
  await database.query(addHeads([center]))
  const rows = entries.map(({ day, reads }, index) => ({
    ...pruningContent(
      { center_id: center, seq: index + 1, at: at(day) * 1000, batch: `batch of ${center}` },
      { through: 0, hash: '', entries: 0, reads: 0, days: 0, before: 0, newest: 0 },
    ),
    operation: 'listGuests',
    reads,
    previous_hash: NO_HASH,
    hash: NO_HASH,
  }))
  const heads = [{ center_id: center, seq: rows.length, hash: NO_HASH }]
  await database.query(insertBatch({ entries: rows, recordLists: [], heads, keys: [] }))
}

describe('of trails at random', () => {
  beforeEach(clear)

  const greatest = (days: readonly number[]) => (days.length === 0 ? null : at(Math.max(...days)))

  test('the newest moments are reported, and those on both sides of a span before them', async () => {
    const random = seededRandom(7)
    const SPAN = 5
    for (let round = 0; round < 30; round += 1) {
      await clear()
      const days: number[] = []
      for (const center of ['spa', 'lodge']) {
        // The last center has nothing but a head now and then.
        const own = Array.from({ length: random.below(5) }, () => random.below(24) - 20)
        days.push(...own)
        await note(
          center,
          own.map((day) => ({ day, reads: 1 })),
        )
      }
      const past = days.filter((day) => day <= 0)
      const start = Math.max(...past) - SPAN
      const after = past.filter((day) => day > start)
      const centers = ['spa', 'lodge']
      const [newest] = await database.query<NewestTimesRow>(selectNewestTimes(centers))
      expect(newest).toEqual({ now: NOW, newest: greatest(days), newest_past: greatest(past) })
      if (past.length === 0) continue
      const [around] = await database.query<TimesAroundRow>(
        selectTimesAround(centers, new Date(at(start)).toISOString(), new Date(NOW).toISOString()),
      )
      expect(around).toEqual({
        before_span: greatest(past.filter((day) => day <= start)),
        after_span: after.length === 0 ? null : at(Math.min(...after)),
      })
    }
  })

  test('as much of the beginning goes as is old or between what is old, and never the newest read', async () => {
    const random = seededRandom(8)
    const DAYS = 10
    for (let round = 0; round < 40; round += 1) {
      await clear()
      // Somebody else's reads make the clock credible.
      await note('lodge', [
        { day: -DAYS, reads: 1 },
        { day: 0, reads: 1 },
      ])
      const entries = Array.from({ length: 1 + random.below(7) }, (_, index) => ({
        day: random.pick([-DAYS - 2, -DAYS - 1, -DAYS - 1, -DAYS, 0, 3]) + (index > 4 ? 1 : 0),
        reads: random.below(3),
      }))
      await note('spa', entries)
      const isOld = ({ day }: Noted) => day < -DAYS
      const newestRead = entries.findLastIndex(({ reads }) => reads > 0)
      const mayGo = (count: number) =>
        count === 0 ||
        (isOld(entries[count - 1]!) &&
          count <= newestRead &&
          entries.slice(0, count).every((entry) => isOld(entry) || entry.day > 0))
      const count = entries.map((_, index) => index + 1).findLast(mayGo) ?? 0
      const gone = entries.slice(0, count)

      expect(await pruneTrail(database, { days: DAYS })).toMatchObject({ entries: count, daysAhead: 0 })
      const left = (await entriesOf(database)).filter(({ center_id }) => center_id === 'spa')
      const seqs = entries.map((_, index) => index + 1).slice(count)
      expect(left.map(({ seq }) => seq)).toEqual(count === 0 ? seqs : [...seqs, entries.length + 1])
      if (count === 0) continue
      expect(readPruning(left.at(-1)!)).toEqual({
        through: count,
        hash: NO_HASH,
        entries: count,
        reads: gone.reduce((sum, { reads }) => sum + reads, 0),
        days: DAYS,
        before: at(-DAYS),
        newest: greatest(gone.filter(isOld).map(({ day }) => day)),
      })
    }
  })

  test('a batch is found by its center, its moment and its name', async () => {
    await note('spa', [{ day: 0, reads: 1 }])
    const found = async (center: string, batch: string, since: number) =>
      (await database.query(selectBatch(center, batch, new Date(since).toISOString()))).length
    expect(await found('spa', 'batch of spa', NOW)).toBe(1)
    expect(await found('spa', 'batch of spa', NOW + 1)).toBe(0)
    expect(await found('spa', 'batch of lodge', NOW)).toBe(0)
    expect(await found('lodge', 'batch of spa', NOW)).toBe(0)
  })
})

describe('the clock', () => {
  const times = (fields: Partial<TimesRow>): TimesRow => ({
    now: NOW,
    newest: null,
    newest_past: null,
    before_span: null,
    after_span: null,
    ...fields,
  })
  const plausible = { now: NOW, daysAhead: 0, daysBehind: 0 }
  const STEP = 14

  test.each<[string, TimesRow[], object]>([
    ['of an empty trail is believed', [times({})], plausible],
    ['as far ahead as a trail may pause is believed', [times({ newest_past: at(-STEP) })], plausible],
    ['further ahead is not', [times({ newest_past: at(-STEP) - 1 })], { ...plausible, daysAhead: STEP }],
    ['as far behind is believed', [times({ newest: at(STEP) })], plausible],
    [
      'further behind is reported',
      [times({ newest: at(STEP) + DAY_MS })],
      { ...plausible, daysBehind: STEP + 1 },
    ],
    [
      'is held against the moment before a step',
      [times({ newest_past: NOW, before_span: at(-100), after_span: at(-1) })],
      { ...plausible, daysAhead: 100 },
    ],
    [
      'is believed where the trail paused no longer than it may',
      [times({ newest_past: NOW, before_span: at(-1 - STEP), after_span: at(-1) })],
      plausible,
    ],
    [
      'is believed where nothing came before, or nothing after',
      [times({ newest_past: NOW, after_span: at(-1) })],
      plausible,
    ],
    ['is believed where nothing came after', [times({ newest_past: NOW, before_span: at(-100) })], plausible],
  ])('%s', async (_, rows, judged) => {
    expect(await judgeClock({ query: async () => rows as never[] }, ['spa'], 30)).toEqual(judged)
  })

  test('is not asked for in vain', async () => {
    await expect(judgeClock({ query: async () => [] }, ['spa'], 30)).rejects.toThrow('did not say its time')
  })
})

test('a question about the trail is answered with the reads that it is about', async () => {
  const orders = ['2025-01-03', '2025-01-05', '2025-01-07'].map((day, index) => ({ day, uuid: `o${index}` }))
  const GUESTS = [
    { id: 'b0', customerId: 'ana', bookingId: 'n0', orderUuid: 'o0' },
    { id: 'b1', customerId: 'ana', orderUuid: 'o1' },
    { id: 'b2', customerId: 'ion', bookingId: 'b1' },
    { id: 'b10', customerId: 'ion' },
  ]
  const { database } = await startTestApi({
    records: [spa({ timezone: 'UTC' }), lodge({ timezone: 'UTC' })].concat(
      [SPA, LODGE].flatMap((centerId) => [
        customer('ana', { centerId }),
        customer('ion', { centerId }),
        ...orders.map(({ uuid, day }) => order(uuid, { centerId, orderDate: `${day}T12:00` })),
        // The lodge has the same bookings without orders.
        ...GUESTS.map(({ id, orderUuid, ...fields }) =>
          booking(id, { centerId, ...fields, ...(centerId === SPA && orderUuid && { orderUuid }) }),
        ),
      ]),
    ),
  })
  const { audit, time } = startAudit(database)
  const random = seededRandom(9)
  const OPERATIONS = [listGuests, mealSkippingReport, listOrders, getOrder, listSessions]
  const OF_ORDERS = ['listOrders', 'getOrder']
  const KEYS = [
    { publicKey: 'k0', appId: 'a' },
    { publicKey: 'k1', appId: 'a' },
    { publicKey: 'k2', appId: 'k1' },
  ]
  const reads = Array.from({ length: 160 }, (_, n) => {
    time.now += random.pick([0, 0, 1, 400, 999, 1000])
    const operation = random.pick(OPERATIONS)
    // What else a session is called may be a booking's identifier.
    const known = OF_ORDERS.includes(operation.name) ? ['o0', 'o1', 'o2'] : ['b0', 'b1', 'b2', 'b10']
    const ids = known.filter(() => random.below(3) === 0)
    const isLong = random.below(4) === 0
    const [from, to] = [3 + random.below(5), 3 + random.below(5)].sort((a, b) => a - b)
    const one = {
      center: random.pick([SPA, LODGE]),
      key: random.pick(KEYS),
      operation,
      ids: isLong ? [] : ids,
      count: isLong ? random.pick([0, 1001]) : ids.length,
      query: `startDate=2025-01-0${from}&endDate=2025-01-0${to}`,
      from: `2025-01-0${from}`,
      to: `2025-01-0${to}`,
      at: time.now,
      requestId: `r${n}`,
    }
    const records = recordsRead({ count: one.count, ids: one.ids })
    audit.record(
      read({
        key: { ...one.key, center: one.center },
        operation,
        records,
        query: one.query,
        requestId: one.requestId,
      }),
    )
    return one
  })
  await audit.flush()
  const last = time.now

  const bookingsOf = (guest: NonNullable<ReadsQuestion['guest']>) =>
    GUESTS.filter((one) =>
      'booking' in guest
        ? one.id === guest.booking || one.bookingId === guest.booking
        : one.customerId === guest.customer,
    )
  const showed = (one: (typeof reads)[number], guest: NonNullable<ReadsQuestion['guest']>): boolean => {
    const ids = new Set(bookingsOf(guest).map(({ id }) => id))
    if ('booking' in guest) ids.add(guest.booking)
    if (one.operation === listGuests || one.operation === mealSkippingReport)
      return one.ids.some((id) => ids.has(id))
    if (!OF_ORDERS.includes(one.operation.name) || one.center !== SPA) return false
    const theirs = orders.filter(({ uuid }) => bookingsOf(guest).some(({ orderUuid }) => orderUuid === uuid))
    if (one.ids.length > 0) return theirs.some(({ uuid }) => one.ids.includes(uuid))
    return one.count > 0 && theirs.some(({ day }) => one.from <= day && day <= one.to)
  }

  for (let n = 0; n < 250; n += 1) {
    const moment = () => START + random.below(last - START)
    const [since, until] = [
      random.pick([undefined, moment(), reads[n % 160]!.at]),
      random.pick([undefined, moment()]),
    ]
    const question: ReadsQuestion = {
      center: random.pick([undefined, SPA, LODGE]),
      key: random.pick([undefined, undefined, 'k0', 'k1', 'a', 'nobody']),
      operations: random.pick([undefined, undefined, ['listGuests'], OF_ORDERS]),
      guest: random.pick([
        undefined,
        { booking: 'b0' },
        { booking: 'b1' },
        { booking: 'n0' },
        { booking: 'b' },
        { customer: 'ana' },
        { customer: 'ion' },
      ]),
      since: since === undefined ? undefined : () => since,
      until: until === undefined ? undefined : () => until,
    }
    const expected = reads.filter(
      (one) =>
        (question.center ?? one.center) === one.center &&
        (question.key === undefined || [one.key.publicKey, one.key.appId].includes(question.key)) &&
        (question.operations?.includes(one.operation.name) ?? true) &&
        one.at >= (since ?? 0) &&
        one.at <= (until ?? last) &&
        (question.guest === undefined || showed(one, question.guest)),
    )
    const listed = await Array.fromAsync(listReads(database, question))
    const sorted = (ids: readonly string[]) => ids.toSorted()
    expect(sorted(listed.map(({ requestId }) => requestId))).toEqual(
      sorted(expected.map(({ requestId }) => requestId)),
    )
    const moments = listed.map((one) => one.at)
    expect(moments).toEqual(moments.toSorted().reverse())
    for (const { requestId, recordIds, at: when } of listed) {
      const one = reads.find((other) => other.requestId === requestId)!
      expect(when).toBe(new Date(one.at).toISOString())
      const guest = question.guest
      const named = guest === undefined ? one.ids : one.ids.filter((id) => isOf(guest, id))
      expect(recordIds ?? []).toEqual(named)
    }
  }

  function isOf(guest: NonNullable<ReadsQuestion['guest']>, id: string): boolean {
    const theirs = bookingsOf(guest)
    return (
      ('booking' in guest && guest.booking === id) ||
      theirs.some((one) => one.id === id || one.orderUuid === id)
    )
  }
})
