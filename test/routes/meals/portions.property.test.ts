/** Portions, kitchen sheets and the meal-skipping report say the same of the same guests, whatever the stays and rules are. */
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { inSlices } from '../../../src/core/answer/in-slices.ts'
import { MEALS } from '../../../src/core/records/fields/meals.ts'
import { BOOKING_STATUSES } from '../../../src/core/records/fields/statuses.ts'
import { countDecided } from '../../../src/parts/kitchen/count-portions.ts'
import { readSheet } from '../../../src/parts/kitchen/sheet-content.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { guest, metaField, session, term } from '../../support/world.ts'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ now: '2025-01-05T10:00:00Z' })
})

const DAYS = Array.from({ length: 14 }, (_, at) => `2025-01-${String(at + 1).padStart(2, '0')}`)
const day = fc.nat(DAYS.length - 1)
const days = fc.uniqueArray(
  day.map((at) => DAYS[at]!),
  { maxLength: 6 },
)
const meals = fc.uniqueArray(fc.constantFrom(...MEALS))
const SESSIONS = [
  session('s0', '2025-01-01T12:00', '2025-01-06T12:00'),
  session('s1', '2025-01-06T12:00', '2025-01-14T12:00'),
]

const stays = fc.array(
  fc.record({
    from: day,
    to: day,
    hour: fc.constantFrom('00:00', '09:30', '23:59'),
    status: fc.constantFrom(...BOOKING_STATUSES),
    sessionIds: fc.constantFrom(['s0'], ['s1'], ['s0', 's1'], ['s1', 's0'], []),
    skippingMeals: fc.record({ breakfast: days, lunch: days, dinner: days }),
  }),
  { maxLength: 12 },
)

const center = fc.record({
  stays,
  rules: fc.record({
    arrivalMeals: meals,
    departureMeals: meals,
    alsoCookFor: fc.subarray(['voided', 'offer']),
    daysNotServed: fc.record({ lunch: fc.subarray(['2025-01-03', 'monday']) }),
  }),
  query: fc.constantFrom(
    'startDate=2025-01-01&endDate=2025-01-14',
    'startDate=2025-01-04&endDate=2025-01-09',
    'sessionId=s0',
    'sessionId=s1&startDate=2025-01-05&endDate=2025-01-12',
  ),
})

interface Day {
  readonly date: string
  readonly meals: Record<
    string,
    Count & { served: boolean; portions: number; additional?: number; notCookedFor: Record<string, Count> }
  >
  readonly byRole: Record<string, number>[]
  readonly byProgram: Record<string, unknown>[]
  readonly byRoom: Record<string, unknown>[]
  readonly byDiet: Record<string, unknown>[]
  readonly guestList: {
    readonly id: string
    readonly eats: string[]
    readonly skips: string[]
    readonly additional?: number
    readonly without?: { readonly meal: string; readonly reason: string; readonly at: string | null }[]
  }[]
}
interface Count {
  readonly present: number
  readonly skipping: number
}

it('what is skipped is what the report counts of the guests who are there for the meal', async () => {
  await fc.assert(
    fc.asyncProperty(center, async ({ stays, rules, query }) => {
      const guests = stays.map(({ from, to, hour, ...fields }, at) => ({
        id: `g${at}`,
        arrival: DAYS[Math.min(from, to)]!,
        departure: DAYS[Math.max(from, to)]!,
        fields: {
          ...fields,
          startDate: `${DAYS[Math.min(from, to)]}T${hour === '23:59' ? '00:00' : hour}`,
          endDate: `${DAYS[Math.max(from, to)]}T${hour}`,
        },
      }))
      const api = await service.newCenter(
        [...SESSIONS, ...guests.flatMap(({ id, fields }) => guest(id, fields))],
        { mealRules: rules },
      )
      const report = (await api.get(`/v1/guests/meal-skipping-report?${query}`)).body
      const portions = await api.get(`/v1/meals/portions?${query}&includeGuests=true`)
      expect(portions.status, portions.text).toBe(200)
      const counted = portions.body.days as unknown as Day[]
      const isThere = (id: string, date: string, meal: string) => {
        const { arrival, departure } = guests.find((one) => one.id === id)!
        return (
          (date !== arrival || (rules.arrivalMeals as string[]).includes(meal)) &&
          (date !== departure || (rules.departureMeals as string[]).includes(meal))
        )
      }
      for (const { date, meals, byRole, guestList } of counted) {
        for (const meal of MEALS) {
          const { present, skipping, portions, served, notCookedFor } = meals[meal]!
          const others = Object.values(notCookedFor)
          const reported = (report.byDate[date]?.[meal].guests ?? []).filter(({ id }) =>
            isThere(id, date, meal),
          )
          expect(skipping + others.reduce((sum, other) => sum + other.skipping, 0)).toBe(reported.length)
          expect(portions).toBe(served ? present - skipping : 0)
          expect(byRole.reduce((sum, row) => sum + row[meal]!, 0)).toBe(portions)
          expect(guestList.filter(({ eats }) => eats.includes(meal))).toHaveLength(portions)
          expect(guestList.filter(({ skips }) => skips.includes(meal))).toHaveLength(skipping)
        }
      }
      // No day with a skip of somebody who is there is left out.
      const dates = new Set(counted.map(({ date }) => date))
      for (const date of report.summary.datesWithSkipping) expect(dates).toContain(date)
    }),
    { numRuns: 20 },
  )
})

/** All days of which sheets are stored on this one. */
const STORED_DAYS = DAYS.slice(3)

const TERMS = [
  term('package', 'full', 'Full board'),
  term('package', 'half', 'Half board', { meals: ['breakfast', 'dinner'] }),
  term('package', 'bed', 'Bed only', { meals: [] }),
  term('program', 'fast', 'Fasting', { meals: ['lunch'] }),
]
const HOURS = ['00:00', '07:00', '08:30', '11:00', '13:59', '14:00', '15:00', '20:45', '23:30']
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const listOfMeals = maybe(meals)
const hourly = fc.record({
  rules: fc.record({
    mealTimes: fc.constant({ breakfast: '08:00', lunch: '12:30', dinner: '18:30' }),
    mealEnds: fc.record(
      {
        breakfast: fc.constantFrom('08:30', '10:00'),
        lunch: fc.constant('14:00'),
        dinner: fc.constant('20:45'),
      },
      { requiredKeys: [] },
    ),
    standardTimes: fc.constantFrom({}, { arrival: ['15:00'], departure: ['11:00'] }),
    arrivalMeals: meals,
    departureMeals: meals,
    alsoCookFor: fc.subarray(['voided', 'offer']),
    daysNotServed: fc.record({ lunch: fc.subarray(['2025-01-03', 'monday']) }),
    dietFields: fc.constant([{ field: 'diet' }]),
  }),
  stays: fc.array(
    fc.record({
      from: day,
      to: day,
      comes: fc.constantFrom(...HOURS),
      goes: fc.constantFrom(...HOURS),
      status: fc.constantFrom(...BOOKING_STATUSES),
      skippingMeals: fc.record({ breakfast: days, lunch: days, dinner: days }),
      packageId: fc.constantFrom(undefined, 'full', 'half', 'bed', 'plain text'),
      programId: fc.constantFrom(undefined, undefined, 'fast'),
      diet: fc.constantFrom(undefined, 'vegan'),
      own: fc.array(
        fc.record({
          from: day,
          to: day,
          only: listOfMeals,
          also: listOfMeals,
          guests: maybe(fc.integer({ min: 1, max: 30 })),
        }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 12 },
  ),
})

/** Days in order, as a record has them. */
const span = (from: number, to: number) => [DAYS[Math.min(from, to)]!, DAYS[Math.max(from, to)]!] as const

function hourlyRecords(stays: (typeof hourly extends fc.Arbitrary<infer T> ? T : never)['stays']) {
  return stays.flatMap(({ from, to, comes, goes, diet, own, ...fields }, at) => {
    const [first, last] = span(from, to)
    const hours = first === last && goes < comes ? [goes, comes] : [comes, goes]
    const meals = own.flatMap(({ from, to, ...what }) => {
      const [from_, until] = span(from, to)
      return Object.values(what).every((value) => value === undefined)
        ? []
        : [{ from: from_, until, ...what }]
    })
    const stay = { ...fields, meals, startDate: `${first}T${hours[0]}`, endDate: `${last}T${hours[1]}` }
    return guest(`g${at}`, stay, diet === undefined ? {} : { meta: { diet } })
  })
}

it('for each meal, names and additional people are as many as its portions: in portions and in stored sheets', async () => {
  await fc.assert(
    fc.asyncProperty(hourly, fc.constantFrom(...STORED_DAYS), async ({ stays, rules }, date) => {
      const api = await service.newCenter([metaField('diet'), ...TERMS, ...hourlyRecords(stays)], {
        mealRules: rules,
      })
      const sheet = await api.get(`/v1/meals/sheets/${date}`)
      expect(sheet.status, sheet.text).toBe(200)
      const day = sheet.body.day as unknown as Day
      const [stored] = await service.database.query<{ content: string }>(
        sql`select content from meal_sheets where center_id = ${api.id} and day = ${date}`,
      )
      const read = readSheet(stored!.content, date, { diets: [], words: { noProgram: '', noRoom: '' } })
      const counted = await inSlices(
        countDecided(read.day, read.guests, { knowsDiets: false, countsNone: false, list: 'all' }),
      )
      for (const reasons of ['', '&includeReasons=true']) {
        const { body } = await api.get(
          `/v1/meals/portions?startDate=${date}&endDate=${date}&includeGuests=true${reasons}`,
        )
        const [now] = body.days as unknown as Day[]
        expect({ ...now, guestList: undefined }).toEqual({ ...day, guestList: undefined })
        for (const meal of MEALS) {
          const { portions, additional = 0 } = day.meals[meal]!
          const eating = now!.guestList.filter(({ eats }) => eats.includes(meal))
          const others = eating.reduce((sum, { additional = 0 }) => sum + additional, 0)
          expect([eating.length + others, others]).toEqual([portions, additional])
          const inSheet = counted.list!.filter(({ eats }) => eats.includes(meal))
          expect(inSheet.map(({ guest }) => guest.id).sort()).toEqual(eating.map(({ id }) => id).sort())
          for (const rows of [day.byRole, day.byProgram, day.byRoom]) {
            expect(rows.reduce((sum, row) => sum + Number(row[meal]), 0)).toBe(portions)
          }
          // Nobody was asked for the diets of people without a name.
          expect(day.byDiet.reduce((sum, row) => sum + Number(row[meal]), 0)).toBe(portions)
          if (reasons === '') continue
          // Everybody eats the meal, or has a reason.
          for (const { eats, without } of now!.guestList) {
            expect(eats.includes(meal)).toBe(without!.every((one) => one.meal !== meal))
          }
        }
      }
    }),
    { numRuns: 40 },
  )
})
