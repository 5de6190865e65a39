/** Changes after the cut-off of a meal are late until somebody acknowledges them. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { acknowledgeChanges } from '../../../src/parts/kitchen/acknowledge-changes.ts'
import { pruneSheets } from '../../../src/parts/kitchen/prune-sheets.ts'
import { SHEETS_OF_DAY_MAX } from '../../../src/parts/kitchen/sheets-sql.ts'
import { storeSheet } from '../../../src/parts/kitchen/store-sheet.ts'
import { createCutOffTaker } from '../../../src/parts/kitchen/take-cut-offs.ts'
import { sendAction } from '../../support/action-requests.ts'
import { namedParameters, startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { clockedDatabase } from '../../support/clocked-database.ts'
import { guest, metaField } from '../../support/world.ts'

// In Bucharest, 10:00 is 08:00 in UTC.
const BEFORE = '2025-01-09T07:59:00Z'
const AFTER = '2025-01-09T08:00:20Z'
const DAY = '2025-01-10'
const RULES = {
  cutOffs: { lunch: { daysBefore: 0, time: '09:00' }, dinner: { daysBefore: 1, time: '10:00' } },
  dietFields: [{ field: 'diet' }],
}
const stay = { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00' }

let service: TestApi
let now = Date.parse(BEFORE)
beforeAll(async () => {
  service = await startTestApi({ clock: () => now })
})

const takerOf = () =>
  createCutOffTaker(
    clockedDatabase(service.database, () => now),
    () => now,
  )
const center = (mealRules: object = RULES) => {
  now = Date.parse(BEFORE)
  return service.newCenter([metaField('diet'), ...guest('ana', stay), ...guest('dan', stay)], { mealRules })
}
const change = (of: TestCenter, fields: object, kind = 'booking', id = 'ana') =>
  service.load([{ kind, centerId: of.id, id, ...fields }])
const skipDinner = (of: TestCenter, id = 'ana') =>
  change(of, { skippingMeals: { dinner: [DAY] } }, 'booking', id)

interface LateMeal {
  readonly cutOff: string
  readonly since: string | null
  readonly acknowledgedAt: string | null
  readonly changes: number | null
}
interface Late {
  readonly meals: Record<'breakfast' | 'lunch' | 'dinner', LateMeal | null>
  readonly guests: { guestId: string; room: string | null; meals: string[] }[]
}
async function late(of: Pick<TestCenter, 'get'>, day = DAY): Promise<Late> {
  const answer = await of.get(`/v1/meals/sheets/${day}?sheet=wall`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.late as unknown as Late
}
const acknowledge = (of: TestCenter, sheet: number | null, day = DAY) =>
  sendAction(of, acknowledgeChanges, { body: JSON.stringify({ day, sheet }) })
const store = async (of: TestCenter, day = DAY) => {
  const { body } = await sendAction(of, storeSheet, { body: JSON.stringify({ day }) })
  return (body as unknown as { sheet: number }).sheet
}

/** Dinner of the day with its cut-off passed, and its state stored. */
async function passed(mealRules?: object): Promise<TestCenter> {
  const api = await center(mealRules)
  now = Date.parse(AFTER)
  await takerOf().take()
  return api
}

describe('late changes', () => {
  it('are none before the cut-off, and not known until its state is stored', async () => {
    const api = await center()
    await skipDinner(api)
    const dinner = { cutOff: '2025-01-09T08:00:00.000Z', since: null, acknowledgedAt: null, changes: null }
    expect((await late(api)).meals).toEqual({
      breakfast: null,
      lunch: { ...dinner, cutOff: '2025-01-10T07:00:00.000Z' },
      dinner,
    })
    await takerOf().take()
    expect((await late(api)).meals.dinner).toEqual(dinner)
    now = Date.parse(AFTER)
    expect((await late(api)).meals.dinner).toEqual(dinner)
    await takerOf().take()
    expect((await late(api)).meals).toMatchObject({
      lunch: { changes: null },
      dinner: { since: '2025-01-09T08:00:20.000Z', changes: 0 },
    })
  })

  it('are counted by meal and named by guest and room: portions, diets and people without a name, but not rooms', async () => {
    const api = await passed()
    await change(api, { acc: { roomId: '101' } })
    expect(await late(api)).toMatchObject({ meals: { dinner: { changes: 0 } }, guests: [] })
    await skipDinner(api)
    expect(await late(api)).toMatchObject({
      meals: { breakfast: null, dinner: { changes: 1 } },
      guests: [{ guestId: 'ana', room: '101', meals: ['dinner'] }],
    })
    await change(api, { meta: { diet: 'kosher' } }, 'customer', 'c-dan')
    expect((await late(api)).meals.dinner?.changes).toBe(2)
    await service.load(guest('eva', { ...stay, centerId: api.id }, { meta: { diet: 'vegan' } }))
    await change(api, { meals: [{ from: DAY, until: DAY, guests: 5 }] }, 'booking', 'dan')
    const found = await late(api)
    expect(found.guests.map(({ guestId }) => guestId)).toEqual(['ana', 'dan', 'eva'])
    // What is as it was at the cut-off is not late.
    await change(api, { skippingMeals: { dinner: [] } })
    expect((await late(api)).guests.map(({ guestId }) => guestId)).toEqual(['dan', 'eva'])
  })

  it('are late until somebody acknowledges them; then only newer ones are', async () => {
    const api = await passed()
    await skipDinner(api)
    now += 60_000
    const sheet = await store(api)
    const answer = await acknowledge(api, sheet)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toEqual({ day: DAY, sheet, acknowledgedAt: new Date(now).toISOString() })
    expect(await late(api)).toMatchObject({
      meals: { dinner: { changes: 0, acknowledgedAt: new Date(now).toISOString() } },
      guests: [],
    })
    await skipDinner(api, 'dan')
    expect(await late(api)).toMatchObject({ guests: [{ guestId: 'dan' }] })
    await acknowledge(api, null)
    expect((await late(api)).meals.dinner).toMatchObject({ changes: 2, acknowledgedAt: null })
  })

  it('that came after an older sheet are not acknowledged with it', async () => {
    const api = await center()
    const old = await store(api)
    await skipDinner(api)
    now = Date.parse(AFTER)
    await takerOf().take()
    await skipDinner(api, 'dan')
    expect((await acknowledge(api, old)).status).toBe(200)
    expect((await late(api)).meals.dinner).toMatchObject({ changes: 1, acknowledgedAt: null })
  })

  it('exist only where the center has cut-offs', async () => {
    const api = await passed({})
    expect(await late(api)).toBeUndefined()
  })
})

describe('the state at a cut-off', () => {
  it('is stored once, however many instances do it', async () => {
    const api = await center()
    now = Date.parse(AFTER)
    await Promise.all([takerOf().take(), takerOf().take()])
    await skipDinner(api)
    await takerOf().take()
    const rows = await service.database.query(
      sql`select day::text, meal, number from meal_cut_offs where center_id = ${api.id} order by day, meal`,
    )
    expect(rows).toEqual([
      { day: '2025-01-09', meal: 'dinner', number: 1 },
      { day: '2025-01-09', meal: 'lunch', number: 1 },
      { day: DAY, meal: 'dinner', number: 1 },
    ])
    expect((await late(api)).meals.dinner?.changes).toBe(1)
  })

  it('and what was acknowledged stay when other sheets of the day go, until the day is old', async () => {
    const api = await passed()
    for (let at = 0; at < SHEETS_OF_DAY_MAX + 2; at += 1) {
      await change(api, { acc: { roomId: `r${at}` } })
      const sheet = await store(api)
      if (at === 0) await acknowledge(api, sheet)
    }
    await skipDinner(api)
    expect((await late(api)).meals.dinner).toMatchObject({ changes: 1 })
    await pruneSheets(clockedDatabase(service.database, () => Date.parse('2025-03-01T00:00:00Z')))
    const [left] = await service.database.query(sql`
      select (select count(*)::integer from meal_cut_offs where center_id = ${api.id}) as states,
        (select count(*)::integer from sheets_acknowledged where center_id = ${api.id}) as acknowledged`)
    expect(left).toEqual({ states: 0, acknowledged: 0 })
  })

  it('and an acknowledgement are changes of meals on that day', async () => {
    const api = await passed()
    const { body } = await api.get('/v1/changes')
    const cursor = (body as unknown as { cursor: string }).cursor
    await acknowledge(api, await store(api))
    const next = await api.get(`/v1/changes?after=${cursor}`)
    expect(next.text).toContain(`"kind":"meals"`)
    expect(next.text).toContain(`"from":"${DAY}"`)
  })
})

describe('refused', () => {
  it('404: a sheet that there is not, also one of another center', async () => {
    const [api, other] = [await passed(), await passed()]
    await store(api)
    const answer = await acknowledge(other, 7)
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('store-sheet')
  })

  it('400: what is no day, no number, or a day of which no sheets are stored', async () => {
    const api = await center()
    for (const body of [
      { day: '2025-02-30', sheet: 1 },
      { day: DAY, sheet: 0 },
      { day: '2026-01-01', sheet: null },
    ]) {
      const answer = await sendAction(api, acknowledgeChanges, { body: JSON.stringify(body) })
      expect(namedParameters(answer)).toEqual([body.sheet === 0 ? 'sheet' : 'day'])
    }
  })
})
