/**
 * Meal-skipping reports of random centers, held to the one model (test/support/guests-oracle.ts): nothing here uses the service's reading of
 * days, sessions or order. A failure prints the seed that repeats it.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import { type Asker, startTestApi, type TestApi } from '../../support/api.ts'
import {
  byStart,
  type CountedFilters,
  endOf,
  isListed,
  localDay,
  ownerOf,
  startOf,
} from '../../support/guests-oracle.ts'
import { guest, session, type TestRecord } from '../../support/world.ts'

const ZONES = [
  'UTC',
  'Europe/Bucharest',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'America/Havana',
]
const SESSIONS = ['s1', 's2', 's3', 's4']
const MEALS = ['breakfast', 'lunch', 'dinner'] as const
const HOUR = 3_600_000
const FIRST = Date.UTC(2025, 0, 1)

interface Stay {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly role: string
  readonly status: string
  readonly sessionIds: readonly string[]
  readonly skips: Readonly<Record<(typeof MEALS)[number], readonly string[]>>
}

interface Filters {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly sessionId: string | undefined
}

const day = fc
  .integer({ min: -10, max: 375 })
  .map((n) => new Date(FIRST + n * 24 * HOUR).toISOString().slice(0, 10))
// On the hour or the half, so that stays begin and end at midnights and at changes of the clock.
const moment = fc.integer({ min: 0, max: 365 * 48 }).map((n) => FIRST + n * (HOUR / 2))
const stayLength = fc.oneof(
  fc.integer({ min: 0, max: 30 * 48 }),
  fc.constantFrom(0, 31 * 48 - 1, 31 * 48, 31 * 48 + 1),
  fc.integer({ min: 30 * 48, max: 200 * 48 }),
)
const stays: fc.Arbitrary<Stay[]> = fc
  .array(
    fc.record({
      start: moment,
      halfHours: stayLength,
      role: fc.constantFrom(...ROLES),
      status: fc.constantFrom(...BOOKING_STATUSES),
      sessionIds: fc
        .subarray(SESSIONS, { minLength: 0 })
        .chain((ids) => fc.shuffledSubarray(ids, { minLength: ids.length })),
      skips: fc.record({
        breakfast: fc.uniqueArray(day, { maxLength: 6 }),
        lunch: fc.uniqueArray(day, { maxLength: 6 }),
        dinner: fc.uniqueArray(day, { maxLength: 6 }),
      }),
    }),
    // Without the size, ten at most.
    { minLength: 0, maxLength: 40, size: 'max' },
  )
  .map((list) =>
    list.map(({ halfHours, ...rest }, n) => ({
      ...rest,
      id: `b${(n * 7919) % 1000}-${n}`,
      end: rest.start + halfHours * (HOUR / 2),
    })),
  )

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const filters: fc.Arbitrary<Filters> = fc
  .record({
    dates: maybe(fc.tuple(day, day).map(([a, b]) => (a <= b ? [a, b] : [b, a]) as [string, string])),
    sessionId: maybe(fc.constantFrom(...SESSIONS)),
  })
  .filter(({ dates, sessionId }) => dates !== undefined || sessionId !== undefined)
  .map(({ dates, ...rest }) => ({ ...rest, from: dates?.[0], to: dates?.[1] }))

function expected(all: readonly Stay[], { from, to, sessionId }: Filters, zone: string): Stay[] {
  const filters: CountedFilters = {
    from: from === undefined ? undefined : startOf(from, zone),
    to: to === undefined ? undefined : endOf(to, zone),
    sessions: [sessionId === undefined ? undefined : [sessionId]],
  }
  return all.filter((one) => isListed(one, filters)).sort(byStart)
}

const queryOf = ({ from, to, ...rest }: Filters) => {
  const named = { startDate: from, endDate: to, ...rest }
  return Object.entries(named)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&')
}

/** When each of `SESSIONS` starts; often in the same month, and now and then on the same day. */
type Starts = readonly number[]
const MONTHLY: Starts = SESSIONS.map((_, n) => Date.UTC(2025, n, 1, 12))
const starts: fc.Arbitrary<Starts> = fc.oneof(
  fc.constant(MONTHLY),
  fc.array(
    fc.integer({ min: 0, max: 60 * 48 }).map((n) => FIRST + n * (HOUR / 2)),
    { minLength: SESSIONS.length, maxLength: SESSIONS.length },
  ),
  fc.array(
    fc.integer({ min: 0, max: 4 }).map((n) => FIRST + (30 + n) * 24 * HOUR),
    { minLength: SESSIONS.length, maxLength: SESSIONS.length },
  ),
)

/** The sessions of a stay. */
const sessionsOf = ({ sessionIds }: Stay, begins: Starts) =>
  sessionIds.map((id) => ({ id, start: begins[SESSIONS.indexOf(id)] ?? 0 }))

const recordsOf = (all: readonly Stay[], begins: Starts = MONTHLY): TestRecord[] => [
  ...SESSIONS.map((id, n) => {
    const start = begins[n] ?? 0
    return session(id, new Date(start).toISOString(), new Date(start + 20 * 24 * HOUR).toISOString())
  }),
  ...all.flatMap(({ id, start, end, role, status, sessionIds, skips }) =>
    guest(id, {
      role,
      status,
      sessionIds,
      startDate: new Date(start).toISOString(),
      endDate: new Date(end).toISOString(),
      skippingMeals: skips,
    }),
  ),
]

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

describe('200', () => {
  it('ruling 28: the report of random centers agrees with a count by hand in every number', async () => {
    await fc.assert(
      fc.asyncProperty(
        stays,
        starts,
        fc.constantFrom(...ZONES),
        fc.array(filters, { minLength: 5, maxLength: 5 }),
        async (all, begins, timezone, inputs) => {
          const api = await service.newCenter(recordsOf(all, begins), { timezone })
          for (const wanted of inputs) {
            const { from, to, sessionId } = wanted
            const counted = expected(all, wanted, timezone).filter(
              ({ status }) => !['cancelled', 'waitingList', 'review'].includes(status),
            )
            const skips = counted.flatMap((one) =>
              MEALS.flatMap((meal) =>
                one.skips[meal]
                  .filter(
                    (date) =>
                      date >= localDay(one.start, timezone) &&
                      date <= localDay(one.end, timezone) &&
                      (sessionId === undefined ||
                        ownerOf(date, sessionsOf(one, begins), timezone) === sessionId) &&
                      (from === undefined || date >= from) &&
                      (to === undefined || date <= to),
                  )
                  .map((date) => ({ id: one.id, meal, date })),
              ),
            )
            const { body } = await api.get(`/v1/guests/meal-skipping-report?${queryOf(wanted)}`)
            expect(body.summary).toEqual({
              totalGuests: counted.length,
              guestsWithSkipping: new Set(skips.map(({ id }) => id)).size,
              datesWithSkipping: [...new Set(skips.map(({ date }) => date))].sort(),
              mealsAffected: MEALS.filter((meal) => skips.some((skip) => skip.meal === meal)),
            })
            const reported = Object.entries(body.byDate).flatMap(([date, meals]) =>
              MEALS.flatMap((meal) => meals[meal].guests.map(({ id }) => `${date} ${meal} ${id}`)),
            )
            expect(reported.toSorted()).toEqual(
              skips.map(({ date, meal, id }) => `${date} ${meal} ${id}`).sort(),
            )
            const byGuest = Object.entries(body.byGuest).flatMap(([id, { skippedMeals }]) =>
              skippedMeals.flatMap(({ date, meals }) => meals.map((meal) => `${date} ${meal} ${id}`)),
            )
            expect(byGuest.toSorted()).toEqual(reported.toSorted())
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  it('ruling 28: the reports of all sessions add up to the whole, each skipped meal in exactly one of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        stays.map((all) => all.filter(({ sessionIds }) => sessionIds.length > 0)),
        starts,
        fc.constantFrom(...ZONES),
        async (all, begins, timezone) => {
          const api = await service.newCenter(recordsOf(all, begins), { timezone })
          const range = 'startDate=2024-06-01&endDate=2026-12-31'
          for (const dates of ['', `&startDate=2025-01-20&endDate=2025-02-10`]) {
            const whole = await skipsOf(api, dates === '' ? range : dates.slice(1))
            const apart = await Promise.all(
              SESSIONS.map((sessionId) => skipsOf(api, `sessionId=${sessionId}${dates}`)),
            )
            expect(apart.flat().toSorted()).toEqual(whole)
          }
        },
      ),
      { numRuns: 15 },
    )
  })
})

/** Every skipped meal of a report as a line. */
async function skipsOf(api: Asker, query: string): Promise<string[]> {
  const { body } = await api.get(`/v1/guests/meal-skipping-report?${query}`)
  return Object.entries(body.byDate)
    .flatMap(([date, meals]) =>
      MEALS.flatMap((meal) => meals[meal].guests.map(({ id }) => `${date} ${meal} ${id}`)),
    )
    .sort()
}
