import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { pruneSheets } from '../../../src/parts/kitchen/prune-sheets.ts'
import { type Asker, startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, metaField, term } from '../../support/world.ts'

const TODAY = '2025-01-08'
const PATH = `/v1/meals/sheets/${TODAY}`

interface Changes {
  readonly meals: Record<string, unknown>
  readonly byDiet: unknown[]
  readonly guests: readonly Readonly<Record<string, unknown>>[]
}

let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ now: `${TODAY}T06:00:00Z` })
})

/** Two guests for the whole week: Ana with nuts in room 12, Dan without room and diet. */
const center = () =>
  service.newCenter(
    [
      metaField('diet'),
      term('room', 'r12', 'Room 12', { names: { ro: 'Camera 12' } }),
      ...guest(
        'ana',
        { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00', acc: { roomId: 'r12' } },
        { meta: { diet: 'no nuts' } },
      ),
      ...guest('dan', { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00' }),
    ],
    { mealRules: { dietFields: [{ field: 'diet', allergies: ['no nuts'] }] } },
  )

const skip = (of: TestCenter, id: string, meals: object) =>
  service.database.query(sql`
    update bookings set skipping_meals = ${JSON.stringify({ breakfast: [], lunch: [], dinner: [], ...meals })}::jsonb
    where center_id = ${of.id} and id = ${id}`)
const diet = (of: TestCenter, id: string, value: string) =>
  service.database.query(sql`
    update customers set meta = ${JSON.stringify({ diet: value })}::jsonb
    where center_id = ${of.id} and id = ${`c-${id}`}`)

async function sheet(asker: Asker, more = '', headers = {}) {
  const { status, text, body } = await asker.get(`${PATH}${more}`, headers)
  expect(status, text).toBe(200)
  return {
    number: body.sheet as unknown as number,
    takenAt: String(body.takenAt),
    day: body.day as unknown as { meals: Record<string, { portions: number }>; byDiet: unknown[] },
    changes: body.changes as unknown as Changes,
    text,
  }
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const NO_CHANGES = {
  meals: {
    breakfast: { was: 2, now: 2, diets: false },
    lunch: { was: 2, now: 2, diets: false },
    dinner: { was: 2, now: 2, diets: false },
  },
  byDiet: [],
  guests: [],
}

describe('200', () => {
  it('takes a sheet with a number, and everybody who asks while nothing changes gets the same one', async () => {
    const spa = await center()
    const first = await sheet(spa)
    expect(first).toMatchObject({ number: 1, changes: NO_CHANGES })
    expect(first.day.meals.lunch?.portions).toBe(2)
    // Others' keys, languages and moments, and what shows in no number of the day.
    const kitchen = service.as(await service.createKey({ center: spa.id, scopes: ['meals'] }))
    await service.database.query(sql`
      update bookings set end_date = '2025-01-20', doctor_name = 'Dr. Novak',
        skipping_meals = '{"breakfast": [], "lunch": ["2025-01-09"], "dinner": []}'
      where center_id = ${spa.id} and id = 'dan'`)
    for (const asked of [
      await sheet(spa),
      await sheet(spa, '', { 'x-locale': 'ro' }),
      await sheet(kitchen),
      await sheet(spa, '?sheet=1'),
    ])
      expect(asked).toMatchObject({ number: 1, takenAt: first.takenAt, changes: NO_CHANGES })
  })

  it('two who ask at one moment get one number', async () => {
    const spa = await center()
    const keys = await Promise.all(Array.from({ length: 4 }, () => service.createKey({ center: spa.id })))
    const numbers = await Promise.all(
      keys.map(
        async (key, at) => (await sheet(service.as(key), '', { 'x-locale': at % 2 ? 'ro' : 'de' })).number,
      ),
    )
    expect(numbers).toEqual([1, 1, 1, 1])
  })

  it('keeps the numbers as they stood, and tells what has changed since by meal, guest and room', async () => {
    const spa = await center()
    await sheet(spa)
    await skip(spa, 'ana', { lunch: [TODAY], dinner: [TODAY] })
    const since = await sheet(spa, '?sheet=1')
    expect(since.number).toBe(1)
    expect(since.day.meals.lunch?.portions).toBe(2)
    expect(since.changes).toEqual({
      meals: {
        breakfast: { was: 2, now: 2, diets: false },
        lunch: { was: 2, now: 1, diets: true },
        dinner: { was: 2, now: 1, diets: true },
      },
      byDiet: [
        {
          field: 'diet',
          value: 'no nuts',
          label: 'no nuts',
          allergy: true,
          breakfast: { was: 1, now: 1 },
          lunch: { was: 1, now: 0 },
          dinner: { was: 1, now: 0 },
        },
      ],
      guests: [
        {
          guestId: 'ana',
          room: 'Room 12',
          kind: 'changed',
          more: [],
          fewer: ['lunch', 'dinner'],
          dietsAdded: [],
          dietsRemoved: [],
          changedAt: expect.stringMatching(MOMENT),
        },
      ],
    })
    // Printed again, it is the next sheet, from which nothing has changed.
    expect((await sheet(spa)).number).toBe(2)
    expect((await sheet(spa, '?sheet=2')).changes.guests).toEqual([])
  })

  it('tells when each guest changed, of what shows on a sheet, where the notes still know', async () => {
    const spa = await center()
    await sheet(spa)
    await skip(spa, 'ana', { lunch: [TODAY] })
    // Something in between, so that they are not of the same millisecond.
    await sheet(spa, '?sheet=1')
    await skip(spa, 'dan', { lunch: [TODAY] })
    const times = async () =>
      Object.fromEntries(
        (await sheet(spa, '?sheet=1')).changes.guests.map(({ guestId, changedAt }) => [guestId, changedAt]),
      )
    const before = await times()
    expect(Object.keys(before)).toEqual(['ana', 'dan'])
    expect(String(before.ana) < String(before.dan)).toBe(true)
    // Of no meal.
    await service.database.query(sql`
      update bookings set doctor_name = 'Dr. Novak' where center_id = ${spa.id} and id = 'ana'`)
    expect(await times()).toEqual(before)
    await skip(spa, 'ana', { lunch: [TODAY], dinner: [TODAY] })
    const after = await times()
    expect(after.dan).toBe(before.dan)
    expect(String(after.ana) > String(before.dan)).toBe(true)
    await service.database.query(sql`delete from changes where center_id = ${spa.id} and id = 'ana'`)
    expect(await times()).toEqual({ ana: null, dan: before.dan })
  })

  it('sheet=newest answers the last one that was taken, and takes none', async () => {
    const spa = await center()
    const none = await sheet(spa, '?sheet=newest')
    expect(none).toMatchObject({ number: null, takenAt: 'null', changes: NO_CHANGES })
    await sheet(spa)
    await skip(spa, 'dan', { lunch: [TODAY] })
    expect(await sheet(spa, '?sheet=newest')).toMatchObject({
      number: 1,
      changes: { meals: { lunch: { was: 2, now: 1 } } },
    })
    expect((await sheet(spa)).number).toBe(2)
    expect(await sheet(spa, '?sheet=newest')).toMatchObject({ number: 2, changes: { guests: [] } })
  })

  it('tells diets that change although the number of portions stays', async () => {
    const spa = await center()
    await sheet(spa)
    await diet(spa, 'dan', 'no lactose')
    const { changes } = await sheet(spa, '?sheet=1')
    expect(changes.meals).toMatchObject({ lunch: { was: 2, now: 2, diets: true } })
    expect(changes.byDiet).toMatchObject([
      { value: 'no lactose', lunch: { was: 0, now: 1 } },
      { field: null, label: 'No diet on record', lunch: { was: 1, now: 0 } },
    ])
    expect(changes.guests).toMatchObject([
      { guestId: 'dan', room: null, kind: 'changed', dietsAdded: [{ value: 'no lactose', allergy: false }] },
    ])
  })

  it('tells who came, who left, and who moved to another room', async () => {
    const spa = await center()
    await sheet(spa)
    await service.database.query(sql`
      update bookings set status = 'cancelled' where center_id = ${spa.id} and id = 'dan'`)
    await service.database.query(sql`
      update bookings set accommodation = '{"roomId": "attic"}' where center_id = ${spa.id} and id = 'ana'`)
    await service.database.query(sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date)
      values (${spa.id}, 'new', 'c-dan', 'guest', 'arrived', '2025-01-08T12:00Z', '2025-01-10T08:00Z')`)
    const { changes } = await sheet(spa, '?sheet=1')
    expect(changes.guests).toMatchObject([
      { guestId: 'ana', kind: 'changed', room: 'attic', roomWas: 'Room 12', more: [], fewer: [] },
      { guestId: 'dan', kind: 'left', fewer: ['breakfast', 'lunch', 'dinner'] },
      { guestId: 'new', kind: 'came', more: ['dinner'] },
    ])
  })

  it('names nobody, and shows diets only to keys that may read them', async () => {
    const spa = await center()
    const kitchen = service.as(await service.createKey({ center: spa.id, scopes: ['meals'] }))
    await sheet(kitchen)
    await diet(spa, 'dan', 'no lactose')
    const plain = await sheet(kitchen, '?sheet=1')
    expect(plain.text).not.toMatch(/nuts|lactose|Pop/)
    expect(plain.changes).toEqual(NO_CHANGES)
    const wall = service.as(
      await service.createKey({ center: spa.id, scopes: ['meals'], customFields: ['diet'] }),
    )
    expect((await sheet(wall, '?sheet=1')).changes.byDiet).toHaveLength(2)
    const stored = await service.database.query(
      sql`select content from meal_sheets where center_id = ${spa.id}`,
    )
    expect(JSON.stringify(stored)).not.toContain('Pop')
  })
})

describe('cached', () => {
  it('are the newest twenty of a day, whose numbers never come again', async () => {
    const spa = await center()
    for (let at = 1; at <= 22; at += 1) {
      await diet(spa, 'dan', `diet ${at}`)
      expect((await sheet(spa)).number).toBe(at)
    }
    const numbers = await service.database.query<{ number: number }>(
      sql`select number from meal_sheets where center_id = ${spa.id} order by number`,
    )
    expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 3))
    expect((await spa.get(`${PATH}?sheet=2`)).status).toBe(404)
    expect((await spa.get(`${PATH}?sheet=3`)).status).toBe(200)
  })

  it('for two weeks after their day, in every center', async () => {
    const spa = await center()
    const keep = (day: string) =>
      service.database.query(sql`
      insert into meal_sheets (center_id, day, number, taken_at, content)
      select ${spa.id}, (clock_timestamp() - ${day}::interval)::date, 1, clock_timestamp(), '{}'`)
    for (const age of ['13 days', '14 days', '15 days', '400 days']) await keep(age)
    expect(await pruneSheets(service.database)).toBeGreaterThanOrEqual(2)
    const [left] = await service.database.query<{ count: number }>(
      sql`select count(*) from meal_sheets where center_id = ${spa.id}`,
    )
    expect(left?.count).toBe(2)
  })
})

describe('isolation', () => {
  it('a number is a center’s own', async () => {
    const [spa, other] = [await center(), await center()]
    await sheet(spa)
    expect((await other.get(`${PATH}?sheet=1`)).status).toBe(404)
    expect((await sheet(other)).number).toBe(1)
  })
})

describe('a day of which no sheets are stored', () => {
  it.each(['2025-01-06', '2025-02-09', '1999-12-31', '9999-12-31'])(
    '%s has its numbers and no sheet',
    async (day) => {
      const spa = await center()
      const { status, body } = await spa.get(`/v1/meals/sheets/${day}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ sheet: null, takenAt: null, day: { date: day } })
      const stored = await service.database.query(sql`select 1 from meal_sheets where center_id = ${spa.id}`)
      expect(stored).toEqual([])
    },
  )
})

describe('400 and 404', () => {
  it.each([
    ['2025-02-30', 400],
    ['today', 400],
    ['2025-01-07', 200],
    ['2025-02-08', 200],
    ['2025-01-06?sheet=1', 404],
    ['2025-01-08?sheet=1', 404],
    ['2025-01-08?sheet=0', 400],
    ['2025-01-08?sheet=latest', 400],
    ['2025-01-08?sheet=999999999', 404],
    ['2025-01-08?sheet=1000000000', 400],
  ])('%s: %i', async (asked, status) => {
    const spa = await center()
    expect((await spa.get(`/v1/meals/sheets/${asked}`)).status).toBe(status)
    const [stored] = await service.database.query<{ count: number }>(
      sql`select count(*) from meal_sheets where center_id = ${spa.id}`,
    )
    expect(stored?.count).toBe(status === 200 ? 1 : 0)
  })
})
