/** Every list at the edges of its range, to the microsecond, in pages, next to a center that has the same records. */
import { beforeAll, describe, expect, test } from 'vitest'
import { BOOKING_STATUSES, ROLES } from '../../src/core/records/fields/statuses.ts'
import { type Asker, startTestApi, type TestCenter } from '../support/api.ts'
import { insertRow } from '../support/rows.ts'

// In microseconds, of a center at UTC.
const DAY = 86_400_000_000n
const LOWER = BigInt(Date.UTC(2025, 2, 1)) * 1000n
const UPPER = BigInt(Date.UTC(2025, 2, 11)) * 1000n - 1n
const RANGE = 'startDate=2025-03-01&endDate=2025-03-10'

const iso = (micros: bigint) =>
  new Date(Number(micros / 1000n)).toISOString().replace('Z', `${String(micros % 1000n).padStart(3, '0')}Z`)

interface Span {
  readonly id: string
  readonly start: bigint
  readonly end: bigint
  readonly role: string
  readonly status: string
}

// Stays of up to 31 days are found by another index than longer ones.
const STARTS = [-31n * DAY - 1n, -31n * DAY, -31n * DAY + 1n, -30n * DAY, -1n, 0n].map((at) => LOWER + at)
const ENDS = [LOWER - 1n, LOWER, LOWER + 1n, UPPER, UPPER + 1n, UPPER + 40n * DAY]
const SPANS: readonly Span[] = [...STARTS, UPPER, UPPER + 1n]
  .flatMap((start) => ENDS.filter((end) => end >= start).map((end) => ({ start, end })))
  .map((span, n) => ({
    ...span,
    id: `x${(n * 7919) % 97}`,
    role: ROLES[n % ROLES.length]!,
    status: BOOKING_STATUSES[n % BOOKING_STATUSES.length]!,
  }))

type Order = (a: Pick<Span, 'start' | 'id'>, b: Pick<Span, 'start' | 'id'>) => number
const byStart: Order = (a, b) => (a.start === b.start ? (a.id < b.id ? -1 : 1) : a.start < b.start ? -1 : 1)
const IN_RANGE = SPANS.filter(({ start, end }) => end >= LOWER && start <= UPPER).sort(byStart)

let api: TestCenter

beforeAll(async () => {
  const service = await startTestApi()
  api = await service.newCenter([], { timezone: 'UTC' })
  const other = await service.newCenter([], { timezone: 'UTC' })
  await service.database.transaction(async (tx) => {
    for (const center_id of [api.id, other.id]) {
      await insertRow(tx, 'customers', { center_id, id: 'ana' })
      for (const { id, start, end, role, status } of SPANS) {
        const dates = { start_date: iso(start), end_date: iso(end) }
        await insertRow(tx, 'sessions', { center_id, id, ...dates })
        await insertRow(tx, 'orders', { center_id, uuid: id, order_date: iso(start) })
        await insertRow(tx, 'bookings', { center_id, id, role, status, ...dates })
      }
    }
  })
})

/** All pages, each of a few and with the same total. */
async function allPages(asker: Asker, path: string, idOf: (item: Record<string, unknown>) => unknown) {
  const ids: unknown[] = []
  for (let start = 1; ; start += 1) {
    const { status, body } = await asker.get(`${path}&length=4&start=${start}`)
    expect([status, body.total]).toEqual([200, ids.length === 0 ? expect.any(Number) : body.total])
    ids.push(...body.data.map(idOf))
    if (body.data.length === 0) {
      expect(ids).toHaveLength(body.total)
      return ids
    }
    expect(ids.length).toBeLessThanOrEqual(body.total)
  }
}

const idsOf = (spans: readonly Pick<Span, 'id'>[]) => spans.map(({ id }) => id)

describe('ruling 14: whatever is in the range in any part comes once, by start, then identifier', () => {
  const guests = (filters: string) =>
    allPages(api, `/v1/guests?${RANGE}&project=id${filters}`, ({ id }) => id)

  test('a guest', async () => {
    expect(await guests('')).toEqual(idsOf(IN_RANGE))
  })

  test.each(ROLES)('a guest who is a %s', async (role) => {
    expect(await guests(`&role=${role}`)).toEqual(idsOf(IN_RANGE.filter((span) => span.role === role)))
  })

  test.each(BOOKING_STATUSES)('a guest whose booking is %s', async (status) => {
    expect(await guests(`&status=${status}`)).toEqual(
      idsOf(IN_RANGE.filter((span) => span.status === status)),
    )
  })

  test('a guest of the report', async () => {
    const excluded = ['cancelled', 'waitingList', 'review']
    const { summary } = (await api.get(`/v1/guests/meal-skipping-report?${RANGE}`)).body as unknown as {
      summary: { totalGuests: number }
    }
    expect(summary.totalGuests).toBe(IN_RANGE.filter(({ status }) => !excluded.includes(status)).length)
  })

  test('a session', async () => {
    expect(await allPages(api, `/v1/sessions?${RANGE}`, ({ _id }) => _id)).toEqual(idsOf(IN_RANGE))
  })

  test('an order, which has one moment', async () => {
    const orders = (await api.get(`/v1/orders?${RANGE}`)).body as unknown as { uuid: string }[]
    const there = SPANS.filter(({ start }) => start >= LOWER && start <= UPPER).sort(byStart)
    expect(orders.map(({ uuid }) => uuid)).toEqual(idsOf(there))
  })
})
