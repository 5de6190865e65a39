import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { readCsv } from '../../support/csv.ts'
import { guest, metaField, session, stay, type TestRecord, term } from '../../support/world.ts'

const PATH = '/v1/meals/portions'
const week = 'startDate=2025-01-06&endDate=2025-01-12'
const day = (date: string, more = '') => `${PATH}?startDate=${date}&endDate=${date}${more}`

const RULES = {
  dietFields: [{ field: 'diet', allergies: ['no nuts'] }, { field: 'halal' }],
}

/** A guest who stays from the 6th to the 12th, with a diet on their customer. */
const eater = (id: string, diet: string | undefined, fields = {}) =>
  guest(
    id,
    { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00', sessionIds: ['s1'], ...fields },
    { firstName: id, lastName: 'Pop', ...(diet === undefined ? {} : { meta: { diet } }) },
  )

const RECORDS: readonly TestRecord[] = [
  metaField('diet', { label: 'Diet' }),
  metaField('halal', { label: 'Halal', type: 'boolean', of: 'booking' }),
  session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
  term('room', 'r10', 'Room 10', { names: { ro: 'Camera 10' } }),
  term('room', 'r9', 'Room 9'),
  term('program', 'detox', 'Detox'),
  ...eater('ana', 'no nuts', {
    acc: { roomId: 'r10' },
    programId: 'detox',
    skippingMeals: { lunch: ['2025-01-07'] },
  }),
  ...eater('dan', 'vegetarian', { acc: { roomId: 'r9' }, role: 'companion', meta: { halal: true } }),
  ...eater('eva', undefined, { acc: { roomId: 'attic' }, role: 'guest', meta: { halal: false } }),
  ...eater('ion', undefined, {
    skippingMeals: { breakfast: ['2025-01-06', '2025-01-07'], lunch: ['2025-01-05'] },
  }),
  ...eater('off', undefined, { status: 'offer', skippingMeals: { lunch: ['2025-01-07'] } }),
  ...eater('void', 'no nuts', { status: 'voided' }),
  ...eater('gone', 'no nuts', { status: 'cancelled' }),
]

interface Row {
  readonly [field: string]: unknown
}
interface Day {
  readonly date: string
  readonly guests: number
  readonly meals: Record<string, { readonly [field: string]: unknown }>
  readonly byRole: Row[]
  readonly byProgram: Row[]
  readonly byRoom: Row[]
  readonly byDiet: Row[]
  readonly guestList?: Row[]
}

let service: TestApi
let center: TestCenter
beforeAll(async () => {
  service = await startTestApi()
  center = await service.newCenter(RECORDS, { mealRules: RULES })
})

const daysOf = async (url: string, api: Pick<TestCenter, 'get'> = center, headers = {}) => {
  const answer = await api.get(url, headers)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.days as unknown as Day[]
}
const oneDay = async (...asked: Parameters<typeof daysOf>) => (await daysOf(...asked))[0]!

describe('200', () => {
  it('for each meal who is there, who skips it, and how many plates that leaves', async () => {
    const { meals, guests } = await oneDay(day('2025-01-07'))
    expect(guests).toBe(4)
    expect(meals.breakfast).toMatchObject({ served: true, present: 4, skipping: 1, portions: 3 })
    expect(meals.lunch).toMatchObject({ present: 4, skipping: 1, portions: 3 })
    expect(meals.dinner).toMatchObject({ present: 4, skipping: 0, portions: 4 })
  })

  it('dinner on the day of arrival and breakfast on that of departure', async () => {
    const days = await daysOf(`${PATH}?${week}`)
    expect(days.map(({ date }) => date)).toHaveLength(7)
    const portions = ({ meals }: Day) => Object.values(meals).map((meal) => meal.portions)
    expect(portions(days[0]!)).toEqual([0, 0, 4])
    expect(portions(days[6]!)).toEqual([4, 0, 0])
    expect(days[0]).toMatchObject({ guests: 4, arriving: 4, departing: 0 })
    expect(days[6]).toMatchObject({ guests: 4, arriving: 0, departing: 4 })
  })

  it('the meals of arrival and departure are the center’s to say, and both count for a day that is both', async () => {
    const other = await service.newCenter(
      [
        ...stay('b', '2025-01-06', '2025-01-07'),
        ...guest('day', { startDate: '2025-01-06T08:00', endDate: '2025-01-06T16:00' }),
      ],
      { mealRules: { arrivalMeals: ['lunch', 'dinner'], departureMeals: ['breakfast', 'lunch'] } },
    )
    const [first, last] = await daysOf(`${PATH}?startDate=2025-01-06&endDate=2025-01-07`, other)
    expect(first?.meals).toMatchObject({
      breakfast: { present: 0 },
      lunch: { present: 2 },
      dinner: { present: 1 },
    })
    expect(last?.meals).toMatchObject({
      breakfast: { present: 1 },
      lunch: { present: 1 },
      dinner: { present: 0 },
    })
  })

  it('rows by role, program and room, and one of their own for a silence', async () => {
    const { byRole, byProgram, byRoom } = await oneDay(day('2025-01-07'))
    expect(byRole).toEqual([
      { role: 'patient', label: 'Patient', breakfast: 1, lunch: 1, dinner: 2 },
      { role: 'companion', label: 'Companion', breakfast: 1, lunch: 1, dinner: 1 },
      { role: 'guest', label: 'Guest', breakfast: 1, lunch: 1, dinner: 1 },
    ])
    expect(byProgram).toEqual([
      { program: 'detox', label: 'Detox', breakfast: 1, lunch: 0, dinner: 1 },
      { program: null, label: 'No program', breakfast: 2, lunch: 3, dinner: 3 },
    ])
    expect(byRoom.map(({ room, label }) => [room, label])).toEqual([
      ['attic', 'attic'],
      ['r9', 'Room 9'],
      ['r10', 'Room 10'],
      [null, 'No room'],
    ])
  })

  it('allergies first, then diets, then those with none on record; an answer of no is on record', async () => {
    const { byDiet } = await oneDay(day('2025-01-07'))
    expect(byDiet).toEqual([
      { field: 'diet', value: 'no nuts', label: 'no nuts', allergy: true, breakfast: 1, lunch: 0, dinner: 1 },
      {
        field: 'diet',
        value: 'vegetarian',
        label: 'vegetarian',
        allergy: false,
        breakfast: 1,
        lunch: 1,
        dinner: 1,
      },
      { field: 'halal', value: 'true', label: 'Halal', allergy: false, breakfast: 1, lunch: 1, dinner: 1 },
      {
        field: null,
        value: null,
        label: 'No diet on record',
        allergy: false,
        breakfast: 0,
        lunch: 1,
        dinner: 1,
      },
    ])
  })

  it('voided bookings and offers are shown, and cooked for only where the center says so', async () => {
    const { meals, guestList } = await oneDay(day('2025-01-07', '&includeGuests=true'))
    expect(meals.lunch?.notCookedFor).toEqual({
      voided: { present: 1, skipping: 0 },
      offer: { present: 1, skipping: 1 },
    })
    expect(guestList?.map(({ id }) => id)).not.toContain('off')
    const other = await service.newCenter(RECORDS, { mealRules: { ...RULES, alsoCookFor: ['offer'] } })
    const cooked = await oneDay(day('2025-01-07'), other)
    expect(cooked.meals.lunch).toMatchObject({
      present: 5,
      skipping: 2,
      portions: 3,
      notCookedFor: { voided: { present: 1, skipping: 0 }, offer: { present: 0, skipping: 0 } },
    })
  })

  it('nothing is cooked of a meal that is not served, on a date or a day of the week', async () => {
    const other = await service.newCenter(RECORDS, {
      mealRules: { daysNotServed: { lunch: ['2025-01-07'], dinner: ['wednesday'] } },
    })
    const days = await daysOf(`${PATH}?startDate=2025-01-07&endDate=2025-01-08`, other)
    expect(days[0]?.meals.lunch).toMatchObject({ served: false, present: 4, skipping: 1, portions: 0 })
    expect(days[1]?.meals.lunch).toMatchObject({ served: true, portions: 4 })
    expect(days[1]?.meals.dinner).toMatchObject({ served: false, portions: 0 })
    expect(days[1]?.byRole[0]).toMatchObject({ breakfast: 2, lunch: 2, dinner: 0 })
    // This center names no diets.
    expect(days[1]?.byDiet).toEqual([])
  })

  it('includeGuests lists who is there, by room and name', async () => {
    const { guestList } = await oneDay(day('2025-01-07', '&includeGuests=true'))
    expect(guestList?.map(({ id, room }) => [id, room])).toEqual([
      ['eva', 'attic'],
      ['dan', 'Room 9'],
      ['ana', 'Room 10'],
      ['ion', null],
    ])
    expect(guestList?.[2]).toEqual({
      id: 'ana',
      name: 'ana Pop',
      role: 'patient',
      roleLabel: 'Patient',
      room: 'Room 10',
      program: 'Detox',
      eats: ['breakfast', 'dinner'],
      skips: ['lunch'],
      diets: [{ field: 'diet', value: 'no nuts', label: 'no nuts', allergy: true }],
    })
    expect(await oneDay(day('2025-01-07'))).not.toHaveProperty('guestList')
  })

  it('names and labels are in the language of the request, diets as the center wrote them', async () => {
    const { byRoom, byDiet } = await oneDay(day('2025-01-07'), center, { 'x-locale': 'ro' })
    expect(byRoom.map(({ label }) => label)).toEqual(['attic', 'Camera 10', 'Room 9', 'Fără cameră'])
    expect(byDiet.map(({ label }) => label)).toEqual([
      'no nuts',
      'vegetarian',
      'Halal',
      'Nicio dietă înregistrată',
    ])
  })

  it('a day without guests has its zeros, and a session without guests has no days', async () => {
    const empty = await oneDay(day('2024-06-01'))
    expect(empty).toMatchObject({ guests: 0, byRoom: [], byDiet: [], meals: { dinner: { portions: 0 } } })
    expect(await daysOf(`${PATH}?sessionId=nobody`)).toEqual([])
  })

  it('a session has the days of its guests, and a split stay belongs to each session once', async () => {
    const other = await service.newCenter([
      session('first', '2025-01-06T12:00', '2025-01-09T12:00'),
      session('second', '2025-01-09T12:00', '2025-01-12T12:00'),
      ...stay('both', '2025-01-06', '2025-01-12', { sessionIds: ['first', 'second'] }),
    ])
    const dates = async (id: string) =>
      (await daysOf(`${PATH}?sessionId=${id}`, other)).map(({ date }) => date)
    expect(await dates('first')).toEqual(['2025-01-06', '2025-01-07', '2025-01-08'])
    expect(await dates('second')).toEqual(['2025-01-09', '2025-01-10', '2025-01-11', '2025-01-12'])
  })
})

describe('200 as CSV', () => {
  const lines = async (url: string, headers = {}) => {
    const answer = await center.get(url, headers)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers.vary).toContain('Accept,'.slice(0, 6))
    return readCsv(answer.text)
  }

  it('by format, or by an Accept header that would rather have it', async () => {
    const url = day('2025-01-07')
    const rows = await lines(`${url}&format=csv`)
    expect(await lines(url, { accept: 'text/csv' })).toEqual(rows)
    expect(await lines(url, { accept: 'application/json;q=0.5, text/csv;q=0.9' })).toEqual(rows)
    for (const accept of [
      'application/json',
      '*/*',
      'text/html',
      'application/json, text/csv',
      'text/csv;q=0',
    ]) {
      const { headers } = await center.get(url, { accept })
      expect(headers['content-type'], accept).toBe('application/json; charset=utf-8')
    }
    const asked = await center.get(`${url}&format=json`, { accept: 'text/csv' })
    expect(asked.headers['content-type']).toContain('json')
  })

  it('has the numbers of the JSON, a line for each row', async () => {
    const rows = await lines(day('2025-01-07', '&includeGuests=1&format=csv'))
    const plates = (row: string, id = '') =>
      rows
        .filter((line) => line.row === row && line.id === id)
        .map((line) => [line.breakfast, line.lunch, line.dinner])
    expect(plates('portions')).toEqual([['3', '3', '4']])
    expect(plates('skipping')).toEqual([['1', '1', '0']])
    expect(plates('not cooked for', 'offer')).toEqual([['1', '1', '1']])
    expect(plates('room')).toEqual([['0', '1', '1']])
    expect(plates('diet', 'no nuts')).toEqual([['1', '0', '1']])
    expect(plates('guest', 'ana')).toEqual([['1', '0', '1']])
    expect(rows.every(({ date }) => date === '2025-01-07')).toBe(true)
  })

  it('what a center wrote cannot become a formula or a column', async () => {
    const other = await service.newCenter(
      [metaField('diet'), ...eater('x', '=HYPERLINK("http://x"), "a"\r\nb').slice(0, 2)].map((record) =>
        record.kind === 'booking' ? { ...record, sessionIds: [] } : record,
      ),
      { mealRules: RULES.dietFields && { dietFields: [{ field: 'diet' }] } },
    )
    const { text } = await other.get(day('2025-01-07', '&format=csv'))
    const diets = readCsv(text).filter(({ row }) => row === 'diet')
    expect(diets.map(({ label }) => label)).toEqual([`'=HYPERLINK("http://x"), "a"\r\nb`])
  })
})

describe('diets', () => {
  it('are shown to keys that may read their custom fields; for others, what is withheld is named', async () => {
    const kitchen = service.as(await service.createKey({ center: center.id, scopes: ['meals'] }))
    const { status, body, text } = await kitchen.get(day('2025-01-07', '&includeGuests=true'))
    expect(status).toBe(200)
    expect(body.diets).toEqual({ fields: [], withheld: ['diet', 'halal'] })
    expect(text).not.toContain('no nuts')
    const [shown] = body.days as unknown as Day[]
    expect(shown?.byDiet).toEqual([])
    expect(shown?.guestList?.map(({ diets }) => diets)).toEqual([[], [], [], []])
    expect(shown?.meals.lunch?.portions).toBe(3)
    expect((await center.get(day('2025-01-07'))).body.diets).toEqual({
      fields: [
        { field: 'diet', label: 'Diet', allergies: ['no nuts'] },
        { field: 'halal', label: 'Halal', allergies: [] },
      ],
      withheld: [],
    })
  })

  it('nobody is counted as without a diet unless every diet was read, and the CSV says what is withheld', async () => {
    const some = service.as(
      await service.createKey({ center: center.id, scopes: ['meals'], customFields: ['halal'] }),
    )
    const { body } = await some.get(day('2025-01-07'))
    expect(body.diets).toMatchObject({ fields: [{ field: 'halal' }], withheld: ['diet'] })
    // One of those without a value in this field has an allergy in the other.
    const [shown] = body.days as unknown as Day[]
    expect(shown?.byDiet.filter(({ field }) => field === null)).toEqual([])
    const rows = readCsv((await some.get(day('2025-01-07', '&format=csv'))).text)
    expect(rows.filter(({ row }) => row === 'diet withheld').map(({ field }) => field)).toEqual(['diet'])
    expect(rows.filter(({ label }) => label === 'No diet on record')).toEqual([])
    const all = readCsv((await center.get(day('2025-01-07', '&format=csv'))).text)
    expect(all.filter(({ row }) => row === 'diet withheld')).toEqual([])
  })
})

describe('400', () => {
  it.each([
    ['nothing', '', ['startDate']],
    ['one date', 'startDate=2025-01-06', ['endDate']],
    ['start after end', 'startDate=2025-01-07&endDate=2025-01-06', ['startDate']],
    ['an unknown format', `${week}&format=xlsx`, ['format']],
    ['more days than a year has', 'startDate=2025-01-01&endDate=2026-01-02', ['endDate']],
    [
      'a list of more than a month',
      `startDate=2025-01-01&endDate=2025-02-01&includeGuests=true`,
      ['endDate'],
    ],
  ])('%s', async (_, query, parameters) => {
    const { status, body } = await center.get(`${PATH}?${query}`)
    expect(status).toBe(400)
    expect(body.error.details?.map(({ parameter }) => parameter) ?? parameters).toEqual(parameters)
  })

  it('a session whose guests stay for centuries is asked for in parts', async () => {
    const other = await service.newCenter([
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      ...stay('ever', '2025-01-06', '9999-01-12', { sessionIds: ['s1'] }),
    ])
    const { status, body } = await other.get(`${PATH}?sessionId=s1`)
    expect(status).toBe(400)
    expect(body.error.message).toMatch(/has 2912\d\d\d days; one request takes at most 366/)
    expect((await other.get(`${PATH}?sessionId=s1&${week}`)).status).toBe(200)
  })
})
