/** Who eats a meal, step by step, with the reason of those who do not (ruling 43). */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { guest, term } from '../../support/world.ts'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi({ now: '2025-01-08T10:00:00Z' })
})

const MEALS = ['breakfast', 'lunch', 'dinner'] as const
const HOURS = {
  mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
  mealEnds: { breakfast: '10:00', lunch: '14:00', dinner: '20:45' },
}

interface Without {
  readonly meal: string
  readonly reason: string
  readonly at: string | null
}
interface Day {
  readonly meals: Record<string, { portions: number; present: number; additional?: number }>
  readonly byDiet: Record<string, unknown>[]
  readonly guestList: { id: string; eats: string[]; additional?: number; without: Without[] }[]
}

async function dayOf(api: TestCenter, date = '2025-01-10'): Promise<Day> {
  const answer = await api.get(
    `/v1/meals/portions?startDate=${date}&endDate=${date}&includeGuests=true&includeReasons=true`,
  )
  expect(answer.status, answer.text).toBe(200)
  return (answer.body.days as unknown as Day[])[0]!
}

/** What one guest eats on the 10th, and why not the rest: `breakfast lunch | dinner arrivesAfter 22:30`. */
async function mealsOf(
  stay: Readonly<Record<string, unknown>>,
  mealRules: Readonly<Record<string, unknown>> = HOURS,
  terms: Parameters<TestApi['newCenter']>[0] = [],
): Promise<string> {
  const api = await service.newCenter(
    [...terms, ...guest('g', { startDate: '2025-01-08T12:00', endDate: '2025-01-12T12:00', ...stay })],
    { mealRules },
  )
  const day = await dayOf(api)
  const [one] = day.guestList
  if (one === undefined) return 'not listed'
  for (const meal of MEALS) {
    expect(day.meals[meal]!.portions).toBe(one.eats.includes(meal) ? 1 + (one.additional ?? 0) : 0)
  }
  const without = one.without.map(({ meal, reason, at }) => [meal, reason, at].filter(Boolean).join(' '))
  return [one.eats.join(' '), ...without].join(' | ')
}

describe('ruling 43: the hours of the stay decide where they are known', () => {
  it.each([
    ['07:00', 'breakfast lunch dinner'],
    ['09:59', 'breakfast lunch dinner'],
    ['10:00', 'lunch dinner | breakfast arrivesAfter 10:00'],
    ['13:59', 'lunch dinner | breakfast arrivesAfter 13:59'],
    ['20:44:59', 'dinner | breakfast arrivesAfter 20:44 | lunch arrivesAfter 20:44'],
    ['20:45', ' | breakfast arrivesAfter 20:45 | lunch arrivesAfter 20:45 | dinner arrivesAfter 20:45'],
    ['22:30', ' | breakfast arrivesAfter 22:30 | lunch arrivesAfter 22:30 | dinner arrivesAfter 22:30'],
  ])('arrives %s', async (time, meals) => {
    expect(await mealsOf({ startDate: `2025-01-10T${time}` })).toBe(meals)
  })

  it.each([
    ['07:30', ' | breakfast leavesBefore 07:30 | lunch leavesBefore 07:30 | dinner leavesBefore 07:30'],
    ['07:30:01', 'breakfast | lunch leavesBefore 07:30 | dinner leavesBefore 07:30'],
    ['12:31', 'breakfast lunch | dinner leavesBefore 12:31'],
    ['23:00', 'breakfast lunch dinner'],
  ])('leaves %s', async (time, meals) => {
    expect(await mealsOf({ endDate: `2025-01-10T${time}` })).toBe(meals)
  })

  it('a day visitor eats what is served while they are there', async () => {
    const stay = { startDate: '2025-01-10T08:30', endDate: '2025-01-10T20:00' }
    expect(await mealsOf(stay)).toBe('breakfast lunch dinner')
    expect(await mealsOf(stay, {})).toBe(' | breakfast arrivalDay | lunch arrivalDay | dinner departureDay')
  })

  it('an unknown hour leaves it to the meals of the day of arrival or departure, each side by itself', async () => {
    const rest = 'dinner | breakfast arrivalDay | lunch arrivalDay'
    expect(await mealsOf({ startDate: '2025-01-10' })).toBe(rest)
    expect(await mealsOf({ startDate: '2025-01-10T00:00' })).toBe(rest)
    const standard = { ...HOURS, standardTimes: { arrival: ['15:00'], departure: ['11:00'] } }
    expect(await mealsOf({ startDate: '2025-01-10T15:00' }, standard)).toBe(rest)
    expect(await mealsOf({ startDate: '2025-01-10T11:00' }, standard)).toBe(
      'lunch dinner | breakfast arrivesAfter 11:00',
    )
    expect(await mealsOf({ startDate: '2025-01-10T11:00', endDate: '2025-01-10T15:00' }, standard)).toBe(
      'lunch | breakfast arrivesAfter 11:00 | dinner leavesBefore 15:00',
    )
    expect(await mealsOf({ endDate: '2025-01-10T11:00' }, standard)).toBe(
      'breakfast | lunch departureDay | dinner departureDay',
    )
    const day = { startDate: '2025-01-10T08:30', endDate: '2025-01-10T11:00' }
    expect(await mealsOf(day, standard)).toBe('breakfast | lunch departureDay | dinner departureDay')
  })

  it('each meal by itself: one without an end is left to the meals of the day', async () => {
    const { dinner } = HOURS.mealEnds
    const rules = { ...HOURS, mealEnds: { dinner } }
    expect(await mealsOf({ startDate: '2025-01-10T07:00' }, rules)).toBe(
      'dinner | breakfast arrivalDay | lunch arrivalDay',
    )
    expect(await mealsOf({ startDate: '2025-01-10T22:30' }, rules)).toContain('dinner arrivesAfter 22:30')
  })

  it('hours are those of the clocks on the wall, and the first moment of a day without midnight is none', async () => {
    // In Beirut the clocks went from 00:00 to 01:00 on 30 March 2025.
    const api = await service.newCenter(
      [
        ...guest('a', { startDate: '2025-03-30', endDate: '2025-04-02T12:00' }),
        ...guest('b', { startDate: '2025-03-30T01:00', endDate: '2025-04-02T12:00' }),
        ...guest('c', { startDate: '2025-03-30T01:01', endDate: '2025-04-02T12:00' }),
        ...guest('d', { startDate: '2025-03-30T17:50Z', endDate: '2025-04-02T12:00' }),
      ],
      { mealRules: HOURS, timezone: 'Asia/Beirut' },
    )
    const { guestList } = await dayOf(api, '2025-03-30')
    expect(guestList.map(({ id, eats }) => [id, eats.length])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 3],
      ['d', 0],
    ])
  })
})

describe('ruling 43: packages and programs', () => {
  const TERMS = [
    term('package', 'half', 'Half board', { meals: ['breakfast', 'dinner'] }),
    term('package', 'none', 'Room only', { meals: [] }),
    term('package', 'full', 'Full board'),
    term('program', 'fast', 'Fasting', { meals: ['lunch'] }),
  ]
  it.each([
    [{ packageId: 'half' }, 'breakfast dinner | lunch package'],
    [{ packageId: 'none' }, ' | breakfast package | lunch package | dinner package'],
    [{ packageId: 'full' }, 'breakfast lunch dinner'],
    [{ packageId: 'plain text' }, 'breakfast lunch dinner'],
    [{ programId: 'fast' }, 'lunch | breakfast program | dinner program'],
    [{ packageId: 'half', programId: 'fast' }, ' | breakfast program | lunch package | dinner program'],
  ])('%j', async (stay, meals) => {
    expect(await mealsOf(stay, {}, TERMS)).toBe(meals)
  })
})

describe('ruling 43: the meals of a booking', () => {
  const own = (what: object) => ({ meals: [{ from: '2025-01-10', until: '2025-01-11', ...what }] })
  const half = [term('package', 'half', 'Half board', { meals: ['breakfast', 'dinner'] })]

  it('only restricts, on these days', async () => {
    expect(await mealsOf(own({ only: ['dinner'] }))).toBe('dinner | breakfast ownMeals | lunch ownMeals')
    expect(await mealsOf(own({ only: [] }))).toContain('dinner ownMeals')
    const before = { meals: [{ from: '2025-01-08', until: '2025-01-09', only: [] }] }
    expect(await mealsOf(before)).toBe('breakfast lunch dinner')
  })

  it('also adds what the hours, the package or the program exclude, and nothing else', async () => {
    const late = { startDate: '2025-01-10T22:30', ...own({ also: ['dinner'] }) }
    expect(await mealsOf(late)).toBe('dinner | breakfast arrivesAfter 22:30 | lunch arrivesAfter 22:30')
    expect(await mealsOf({ packageId: 'half', ...own({ also: ['lunch'] }) }, {}, half)).toBe(
      'breakfast lunch dinner',
    )
    expect(await mealsOf(own({ only: ['dinner'], also: ['lunch'] }))).toBe(
      'dinner | breakfast ownMeals | lunch ownMeals',
    )
    expect(await mealsOf(own({ also: ['lunch'] }), { daysNotServed: { lunch: ['2025-01-10'] } })).toBe(
      'breakfast dinner | lunch notServed',
    )
  })

  it('a skip is the last step', async () => {
    const skip = { skippingMeals: { dinner: ['2025-01-10'] } }
    expect(await mealsOf({ startDate: '2025-01-10T22:30', ...own({ also: ['dinner'] }), ...skip })).toContain(
      'dinner skips',
    )
    expect(await mealsOf({ startDate: '2025-01-10T22:30', ...skip })).toContain('dinner arrivesAfter 22:30')
  })

  it('guests adds people without a name to the meals that the guest eats, whose diets nobody asked for', async () => {
    const api = await service.newCenter(
      [
        { kind: 'metaField', centerId: 'spa', key: 'diet', type: 'string', of: 'customer' },
        ...half,
        ...guest(
          'g',
          {
            startDate: '2025-01-08',
            endDate: '2025-01-12',
            packageId: 'half',
            skippingMeals: { dinner: ['2025-01-11'] },
            meals: [
              { from: '2025-01-10', until: '2025-01-12', guests: 30 },
              { from: '2025-01-10', until: '2025-01-10', guests: 1 },
            ],
          },
          { meta: { diet: 'vegan' } },
        ),
      ],
      { mealRules: { dietFields: [{ field: 'diet' }] } },
    )
    const day = await dayOf(api)
    expect(day.meals).toMatchObject({
      breakfast: { portions: 32, present: 1, additional: 31 },
      lunch: { portions: 0, present: 0 },
      dinner: { portions: 32, additional: 31 },
    })
    expect(day.meals.lunch).not.toHaveProperty('additional')
    expect(day.byDiet).toMatchObject([
      { field: 'diet', value: 'vegan', breakfast: 1, lunch: 0, dinner: 1 },
      { field: null, breakfast: 31, lunch: 0, dinner: 31 },
    ])
    expect((await dayOf(api, '2025-01-11')).meals.dinner).toMatchObject({ portions: 0, skipping: 1 })
    const csv = await api.get(
      '/v1/meals/portions?startDate=2025-01-10&endDate=2025-01-10&format=csv&includeGuests=true',
    )
    expect(csv.text).toContain('2025-01-10,additional,,,,,,,31,0,31')
    expect(csv.text).toContain('2025-01-10,with guest,,g,,,,,31,0,31')
  })
})

it('ruling 43: a guest who has departed eats until the end of the stay', async () => {
  expect(await mealsOf({ status: 'departed' })).toBe('breakfast lunch dinner')
  expect(await mealsOf({ status: 'offer' })).toBe('not listed')
  expect(await mealsOf({ status: 'offer' }, { ...HOURS, alsoCookFor: ['offer'] })).toBe(
    'breakfast lunch dinner',
  )
})

it('ruling 43: the report does not change: it counts the skip of a meal that the hours exclude', async () => {
  const api = await service.newCenter(
    guest('g', {
      startDate: '2025-01-10T22:30',
      endDate: '2025-01-12',
      skippingMeals: { dinner: ['2025-01-10'] },
      meals: [{ from: '2025-01-10', until: '2025-01-12', only: [] }],
    }),
    { mealRules: HOURS },
  )
  const { body } = await api.get('/v1/guests/meal-skipping-report?startDate=2025-01-10&endDate=2025-01-10')
  expect(body.byDate['2025-01-10']?.dinner.count).toBe(1)
})

it('ruling 43: a stored sheet, read later, says what was decided when it was stored', async () => {
  const api = await service.newCenter(
    [...guest('g', { startDate: '2025-01-10T22:30', endDate: '2025-01-12' })],
    { mealRules: HOURS },
  )
  const first = await api.get('/v1/meals/sheets/2025-01-10')
  expect(first.body.day).toMatchObject({ guests: 1, arriving: 1, meals: { dinner: { portions: 0 } } })
  await service.load([{ kind: 'booking', centerId: api.id, id: 'g', startDate: '2025-01-10T17:00' }])
  const later = await api.get('/v1/meals/sheets/2025-01-10?sheet=1')
  expect(later.body).toMatchObject({
    sheet: 1,
    day: { meals: { dinner: { portions: 0 } } },
    changes: { meals: { dinner: { was: 0, now: 1 } }, guests: [{ guestId: 'g', more: ['dinner'] }] },
  })
})

it('ruling 43: a sheet says how many people without a name came or left, also where the guest eats as before', async () => {
  const stay = { startDate: '2025-01-09', endDate: '2025-01-12' }
  const api = await service.newCenter(
    guest('g', { ...stay, meals: [{ from: '2025-01-09', until: '2025-01-12', guests: 2 }] }),
  )
  await api.get('/v1/meals/sheets/2025-01-10')
  await service.load([
    {
      kind: 'booking',
      centerId: api.id,
      id: 'g',
      meals: [{ from: '2025-01-09', until: '2025-01-12', guests: 5 }],
    },
  ])
  const { body } = await api.get('/v1/meals/sheets/2025-01-10?sheet=1')
  const differs = { was: 2, now: 5 }
  expect(body.changes).toMatchObject({
    meals: { lunch: { was: 3, now: 6 } },
    guests: [
      {
        guestId: 'g',
        kind: 'changed',
        more: [],
        additional: { breakfast: differs, lunch: differs, dinner: differs },
      },
    ],
  })
})

it('reasons without guests are refused', async () => {
  const api = await service.newCenter([])
  const answer = await api.get(
    '/v1/meals/portions?startDate=2025-01-10&endDate=2025-01-10&includeReasons=true',
  )
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('includeGuests=true')
})
