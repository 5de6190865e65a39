/** What the interface prints, held to what is answered: its field tables key by key, and three clients that know nothing else. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listen } from '../support/socket.ts'
import { guest, order, session } from '../support/world.ts'
import {
  differences,
  GUEST_PAGE,
  ORDER,
  ORDER_LIST,
  REPORT,
  SESSION_PAGE,
  type Shape,
} from './field-tables.ts'

const UUID = '6b0f4c3e-2d19-4a57-9a40-5f1f2f6f9e01'
const BARE = '6b0f4c3e-2d19-4a57-9a40-5f1f2f6f9e02'
const MARCH = 'startDate=2025-03-01&endDate=2025-03-31'

const RECORDS = [
  session('s1', '2025-03-02T14:00', '2025-03-09T10:00', { name: 'Frühling', number: '7' }),
  session('s2', '2025-03-09T14:00', '2025-03-16T10:00', { name: 'Ostern' }),
  order(UUID, {
    number: 'A-7',
    orderDate: '2025-03-02T09:00',
    totalAmount: 820.5,
    paymentMethod: 'cash',
    paymentStatus: 'paid',
    items: [{ itemId: 'i1', name: 'Room', quantity: 2, price: 410.25 }],
    billingAddress: { city: 'Graz' },
    notes: 'by phone',
    createdAt: '2025-03-01T08:00:00Z',
    updatedAt: '2025-03-02T08:00:00Z',
  }),
  order(BARE, { orderDate: '2025-03-03T09:00', totalAmount: 75 }),
  ...guest(
    'g1',
    {
      ...{ sessionIds: ['s1', 's2'], startDate: '2025-03-02T14:00', endDate: '2025-03-16T10:00' },
      ...{ status: 'confirmed', orderUuid: UUID, isOrderMainGuest: true },
      skippingMeals: { breakfast: ['2025-03-04', '2025-04-01'], dinner: ['2025-03-04'] },
    },
    { firstName: 'Edda', lastName: 'Öhler', email: 'edda@example.com' },
  ),
  ...guest(
    'g2',
    {
      ...{ sessionIds: ['s1'], startDate: '2025-03-03T14:00', endDate: '2025-03-09T10:00' },
      ...{ status: 'arrived', orderUuid: UUID },
    },
    { firstName: 'Bao', lastName: 'Trần' },
  ),
  ...guest(
    'g3',
    {
      ...{ sessionIds: ['s2'], startDate: '2025-03-10T14:00', endDate: '2025-03-16T10:00' },
      ...{ status: 'voided', skippingMeals: { lunch: ['2025-03-11'] } },
    },
    { firstName: null, lastName: 'Suharto' },
  ),
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: RECORDS })
})

describe('the default answer has exactly the fields of the interface’s table', () => {
  const TABLES: readonly (readonly [string, string, Shape])[] = [
    ['GET /guests', `/v1/guests?${MARCH}`, GUEST_PAGE],
    ['GET /guests/meal-skipping-report', `/v1/guests/meal-skipping-report?${MARCH}`, REPORT],
    ['GET /sessions', `/v1/sessions?${MARCH}`, SESSION_PAGE],
    ['GET /orders', `/v1/orders?${MARCH}`, ORDER_LIST],
    ['GET /orders/{uuid}', `/v1/orders/${UUID}`, ORDER],
    ['GET /orders/{uuid} of an order without values', `/v1/orders/${BARE}`, ORDER],
  ]
  it.each(TABLES)('interface, %s', async (_, url, shape) => {
    for (const locale of ['en', 'ro']) {
      const { status, text } = await api.get(url, { 'x-locale': locale })
      expect(status).toBe(200)
      expect(differences(JSON.parse(text), shape)).toEqual([])
    }
  })
  it('interface, ids: sessionIds is there for several sessions and for no other guest', async () => {
    const { data } = (await api.get(`/v1/guests?${MARCH}`)).body
    expect(data.map(({ ids }: { ids: unknown }) => ids)).toEqual([
      { role: expect.any(String), status: 'confirmed', sessionId: 's1', sessionIds: ['s1', 's2'] },
      { role: expect.any(String), status: 'arrived', sessionId: 's1' },
      { role: expect.any(String), status: 'voided', sessionId: 's2' },
    ])
  })
  it('finds what is missing, added, or of another type', () => {
    const shape: Shape = { fields: { a: 'number', b: { list: 'day' }, c: 'text' }, optional: ['c'] }
    expect(differences({ a: '1', b: ['x'], d: 0 }, shape)).toEqual([
      '.a is no number',
      '.b[] is no day',
      '.d is not in the table',
    ])
    expect(differences({}, shape)).toEqual(['.a is missing', '.b is missing'])
  })
})

describe('a client that was written from the interface alone', () => {
  it.each([
    ['curl', 'bash', 'client.sh'],
    ['Python', 'python3', 'client.py'],
    ['Node', process.execPath, 'client.mjs'],
  ])('interface: with %s reads guests, meals, sessions, orders and errors', async (_, program, file) => {
    const { key } = api
    const { stdout } = await promisify(execFile)(program, [join(import.meta.dirname, 'clients', file)], {
      env: {
        PATH: process.env.PATH,
        LC_ALL: 'C.UTF-8',
        ...{ BASE_URL: `http://127.0.0.1:${await listen(api.app)}`, LOCALE: 'de' },
        ...{ APP_ID: key.appId, PUBLIC_KEY: key.publicKey, SECRET_KEY: key.secretKey, API_KEY: key.apiKey },
        ...{ SESSIONS: 's1,s2', FROM: '2025-03-01', TO: '2025-03-31' },
      },
    })
    expect(JSON.parse(stdout)).toEqual({
      guests: [
        ['Edda', 'Öhler', '03/02/2025', '2025-03-02', 'confirmed'],
        ['Bao', 'Trần', '03/03/2025', '2025-03-03', 'arrived'],
        [null, 'Suharto', '03/10/2025', '2025-03-10', 'voided'],
      ],
      skips: 3,
      sessions: [
        ['s1', 'Frühling'],
        ['s2', 'Ostern'],
      ],
      names: ['Edda Öhler, Bao Trần', ''],
      totals: [
        [UUID, 820.5],
        [BARE, 75],
      ],
      errors: [
        [400, 'INVALID_PARAMETER', true],
        [404, 'NOT_FOUND', true],
        [401, 'UNAUTHORIZED', true],
      ],
    })
  })
})
