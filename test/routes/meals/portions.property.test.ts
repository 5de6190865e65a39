/** Portions, kitchen sheets and the meal-skipping report say the same of the same guests, whatever the stays and rules are. */
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import { inSlices } from '../../../src/answer/in-slices.ts'
import { MEALS } from '../../../src/fields/meals.ts'
import { BOOKING_STATUSES } from '../../../src/fields/statuses.ts'
import { daysOfLocalDate } from '../../../src/locale/civil.ts'
import { countPortions } from '../../../src/meals/count-portions.ts'
import { readSheet } from '../../../src/meals/sheet-content.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { guest, session } from '../../support/world.ts'

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
    Count & { served: boolean; portions: number; notCookedFor: Record<string, Count> }
  >
  readonly byRole: Record<string, number>[]
  readonly guestList: { readonly id: string; readonly eats: string[]; readonly skips: string[] }[]
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

it('for each meal, the guests of a stored sheet who eat it are as many as its portions, and those of the portions', async () => {
  await fc.assert(
    fc.asyncProperty(center, fc.constantFrom(...STORED_DAYS), async ({ stays, rules }, date) => {
      const records = stays.flatMap(({ from, to, hour, ...fields }, at) =>
        guest(`g${at}`, {
          ...fields,
          startDate: `${DAYS[Math.min(from, to)]}T00:00`,
          endDate: `${DAYS[Math.max(from, to)]}T${hour}`,
        }),
      )
      const api = await service.newCenter([...SESSIONS, ...records], { mealRules: rules })
      const sheet = await api.get(`/v1/meals/sheets/${date}`)
      expect(sheet.status, sheet.text).toBe(200)
      const { body } = await api.get(
        `/v1/meals/portions?startDate=${date}&endDate=${date}&includeGuests=true`,
      )
      const [now] = body.days as unknown as Day[]
      const [stored] = await service.database.query<{ content: string }>(
        sql`select content from meal_sheets where center_id = ${api.id} and day = ${date}`,
      )
      const read = readSheet(stored!.content, date, { diets: [], words: { noProgram: '', noRoom: '' } })
      const at = daysOfLocalDate(date)
      const [counted] = await inSlices(
        countPortions(read.stays, {
          first: at,
          last: at,
          rules: read.rules,
          knowsDiets: false,
          withGuests: true,
        }),
      )
      const day = sheet.body.day as unknown as Day
      for (const meal of MEALS) {
        const eating = counted!.list!.filter(({ eats }) => eats.includes(meal)).map(({ stay }) => stay.id)
        expect(eating).toHaveLength(day.meals[meal]!.portions)
        const named = now!.guestList.filter(({ eats }) => eats.includes(meal)).map(({ id }) => id)
        expect(eating.sort()).toEqual(named.sort())
      }
    }),
    { numRuns: 40 },
  )
})
