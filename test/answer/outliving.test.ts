/** Which commits an answer outlives, and which it does not: seen by whether guests, sessions or orders are read again. */
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type WatchedDatabase, watchDatabase } from '../support/watched-database.ts'
import { guest, order, session } from '../support/world.ts'
import { startInstance } from './instances.ts'

let api: TestApi
let watched: WatchedDatabase

beforeAll(async () => {
  api = await startTestApi({
    records: [
      session('march', '2025-03-01T14:00', '2025-03-08T10:00'),
      session('november', '2025-11-01T14:00', '2025-11-08T10:00'),
      order('o-march', { orderDate: '2025-03-01T12:00' }),
      ...guest('in-march', {
        sessionIds: ['march'],
        startDate: '2025-03-01T14:00',
        endDate: '2025-03-08T10:00',
        orderUuid: 'o-march',
      }),
      ...guest('in-november', {
        sessionIds: ['november'],
        startDate: '2025-11-01T14:00',
        endDate: '2025-11-08T10:00',
      }),
    ],
  })
})

beforeEach(() => {
  watched = watchDatabase(api.database)
})

const OF_MARCH = {
  session: '/v1/guests?sessionId=march',
  days: '/v1/guests?startDate=2025-03-01&endDate=2025-03-31',
  report: '/v1/guests/meal-skipping-report?sessionId=march',
  orders: '/v1/orders?startDate=2025-03-01&endDate=2025-03-31',
  'orders with names': '/v1/orders?startDate=2025-03-01&endDate=2025-03-31&includeGuestNames=true',
  order: '/v1/orders/o-march',
  sessions: '/v1/sessions?startDate=2025-03-01&endDate=2025-03-31',
}
type Page = keyof typeof OF_MARCH
const ALL = Object.keys(OF_MARCH) as Page[]

let count = 0
const booking = (id: string, set: Sql) =>
  sql`update bookings set ${set} where center_id = 'spa' and id = ${id}`
const customer = (id: string, set: Sql) =>
  sql`update customers set ${set} where center_id = 'spa' and id = ${`c-${id}`}`
const next = () => {
  count += 1
  return count
}
const value = () => `value ${next()}`

/** Each commit, and the pages that must be read again after it. */
const COMMITS: readonly (readonly [title: string, commit: () => Sql, touched: readonly Page[]])[] = [
  [
    'a status in November',
    () => booking('in-november', sql`status = case status when 'paid' then 'arrived' else 'paid' end`),
    [],
  ],
  ['a name in November', () => customer('in-november', sql`last_name = ${value()}`), []],
  [
    'a payment in March, which no page shows',
    () => booking('in-march', sql`financial = ${JSON.stringify({ notes: value() })}`),
    [],
  ],
  [
    'a diagnosis in March, which no page shows',
    () => booking('in-march', sql`medical = ${JSON.stringify({ notes: value() })}`),
    [],
  ],
  ['an e-mail address in March', () => customer('in-march', sql`email = ${value()}`), ['session', 'days']],
  [
    'a name in March',
    () => customer('in-march', sql`last_name = ${value()}`),
    ['session', 'days', 'report', 'orders with names'],
  ],
  [
    'a meal in March',
    () =>
      booking(
        'in-march',
        sql`skipping_meals = ${JSON.stringify({ breakfast: [`2025-03-0${2 + (next() % 6)}`], lunch: [], dinner: [] })}`,
      ),
    ['session', 'days', 'report'],
  ],
  [
    'an order of March',
    () => sql`update orders set status = ${value()} where center_id = 'spa'`,
    ['orders', 'orders with names', 'order'],
  ],
  [
    'a description of March',
    () => sql`update sessions set text = ${value()} where center_id = 'spa' and id = 'march'`,
    ['sessions'],
  ],
  [
    'a session of November',
    () => sql`update sessions set name = ${value()} where center_id = 'spa' and id = 'november'`,
    [],
  ],
  [
    'a term',
    () =>
      sql`insert into terms (center_id, term_set, id, name) values ('spa', 'room', ${`r${next()}`}, 'Room')`,
    ALL,
  ],
  [
    'a custom field',
    () =>
      sql`insert into meta_fields (center_id, key, type, owner) values ('spa', ${`k${next()}`}, 'string', 'booking')`,
    ALL,
  ],
  [
    'the profile of the center',
    () => sql`update centers set phone = ${value()} where center_id = 'spa'`,
    ALL,
  ],
]

describe.each(COMMITS)('after %s', (_, commit, touched) => {
  it.each(ALL)(
    `${touched.length === 0 ? 'nothing is' : `${touched.join(', ')} are`} read again: %s`,
    async (page) => {
      const instance = await startInstance({ database: watched.database }, api.key)
      const url = OF_MARCH[page]
      const before = await instance.get(url)
      expect(before.status).toBe(200)
      await api.database.query(commit())
      watched.sent.length = 0
      const after = await instance.get(url, { 'if-none-match': before.headers.etag ?? '' })
      expect(watched.sent.filter(({ by }) => by === 'queryArrays')).toHaveLength(
        touched.includes(page) ? 1 : 0,
      )
      if (!touched.includes(page)) expect(after.status).toBe(304)
      // And once more, now that it is known.
      watched.sent.length = 0
      await instance.get(url)
      // The trail is written when it is its time.
      expect(watched.sent.map(({ by }) => by).filter((by) => by !== 'transaction')).toEqual(['queryReserved'])
    },
  )
})

describe('what is not known any more', () => {
  it('counts as touched: notes that were pruned', async () => {
    const instance = await startInstance({ database: watched.database }, api.key)
    await instance.get(OF_MARCH.session)
    await api.database.query(booking('in-november', sql`created_by = ${value()}`))
    await api.database.query(sql`delete from change_commits where center_id = 'spa'`)
    watched.sent.length = 0
    expect((await instance.get(OF_MARCH.session)).status).toBe(200)
    expect(watched.sent.filter(({ by }) => by === 'queryArrays')).toHaveLength(1)
  })

  it('is read anew where more commits came than are looked through', async () => {
    const instance = await startInstance({ database: watched.database }, api.key)
    await instance.get(OF_MARCH.session)
    await api.database.query(
      sql`update center_revisions set revision = revision + 2000 where center_id = 'spa'`,
    )
    watched.sent.length = 0
    await instance.get(OF_MARCH.session)
    expect(watched.sent.filter(({ by }) => by === 'queryArrays')).toHaveLength(1)
  })
})
