import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { booking, customer, guest, order, session, stay, type TestRecord } from '../../support/world.ts'

const PATH = '/v1/orders/control'
const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'

const item = (price: number, quantity = 1) => ({ itemId: 'i', name: 'Item', price, quantity })

/** A guest of an order, there in the week of session `s1`, and its main guest unless a test asks for something else. */
const of = (orderUuid: string, id: string, fields = {}) =>
  stay(id, '2025-01-06', '2025-01-12', { orderUuid, isOrderMainGuest: true, sessionIds: ['s1'], ...fields })

const SESSIONS = [
  session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
  session('s2', '2025-02-06T12:00', '2025-02-12T12:00'),
]

interface Mismatch {
  readonly uuid: string
  readonly problems: readonly {
    readonly kind: string
    readonly amount: number | null
    readonly guestId: string | null
  }[]
}

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const controlled = (records: readonly TestRecord[], fields = {}) =>
  service.newCenter([...SESSIONS, ...records], fields)

async function mismatches(center: TestCenter, more = ''): Promise<Record<string, Mismatch['problems']>> {
  const { status, text, body } = await center.get(`${PATH}?${JANUARY}${more}`)
  expect(status, text).toBe(200)
  const found = body.mismatches as Mismatch[]
  expect(body.doNotFit).toBe(found.length)
  return Object.fromEntries(found.map(({ uuid, problems }) => [uuid, problems]))
}

describe('200', () => {
  it('adds up orders by currency, status and local day, and never one currency to another', async () => {
    const center = await controlled([
      order('a', { totalAmount: 0.1, orderDate: '2025-01-05T23:30' }),
      order('b', { totalAmount: 0.2, orderDate: '2025-01-05T00:10', status: 'pending' }),
      order('c', { totalAmount: 99_999_999_999.99, currency: 'NOK', orderDate: '2025-01-06T00:00' }),
      order('later', { orderDate: '2025-02-01T00:00' }),
    ])
    const { body } = await center.get(`${PATH}?${JANUARY}`, { 'x-locale': 'de' })
    expect(body.orders).toBe(3)
    expect(body.currencies).toMatchObject([
      {
        currency: 'EUR',
        orders: 2,
        total: 0.3,
        totalLabel: '0,30\u00a0€',
        byStatus: [
          { status: 'confirmed', label: 'Bestätigt', orders: 1, total: 0.1, totalLabel: '0,10\u00a0€' },
          { status: 'pending', label: 'Ausstehend', orders: 1, total: 0.2, totalLabel: '0,20\u00a0€' },
        ],
        byDay: [{ date: '2025-01-05', orders: 2, total: 0.3, totalLabel: '0,30\u00a0€' }],
      },
      expect.objectContaining({ currency: 'NOK', orders: 1, total: 99_999_999_999.99 }),
    ])
  })

  it('tells a total that is not the sum of the items, to the smallest coin', async () => {
    const center = await controlled([
      order('fits', { totalAmount: 100, items: [item(33.333, 3)] }),
      order('cents', { totalAmount: 0.3, items: [item(0.1), item(0.2)] }),
      order('yen', { totalAmount: 334, currency: 'JPY', items: [item(333.5)] }),
      order('off', { totalAmount: 100, items: [item(50), item(49.99)] }),
      order('none', { totalAmount: 100 }),
      ...['fits', 'cents', 'yen', 'off', 'none'].flatMap((uuid) => of(uuid, `g-${uuid}`)),
    ])
    expect(await mismatches(center)).toEqual({
      off: [{ kind: 'totalDiffersFromItems', amount: 99.99, guestId: null }],
    })
  })

  it('tells orders without guests, without a main guest, and guests outside the session of their order', async () => {
    const center = await controlled([
      order('fits'),
      ...of('fits', 'main'),
      ...of('fits', 'early', {
        startDate: '2025-01-01T14:00',
        endDate: '2025-01-06T10:00',
        isOrderMainGuest: false,
      }),
      ...of('fits', 'off', { startDate: '2025-03-01', endDate: '2025-03-02', status: 'cancelled' }),
      order('empty'),
      order('headless'),
      ...of('headless', 'one', { isOrderMainGuest: false }),
      order('outside'),
      ...of('outside', 'there'),
      ...of('outside', 'elsewhere', {
        startDate: '2025-02-06T14:00',
        endDate: '2025-02-12T10:00',
        sessionIds: ['s2'],
        isOrderMainGuest: false,
      }),
    ])
    const none = { amount: null, guestId: null }
    expect(await mismatches(center)).toEqual({
      empty: [{ kind: 'noGuests', ...none }],
      headless: [{ kind: 'noMainGuest', ...none }],
      outside: [{ kind: 'stayOutsideSession', amount: null, guestId: 'elsewhere' }],
    })
  })

  it('tells payments that do not fit only where they are asked for', async () => {
    const center = await controlled([
      order('fits', { paymentStatus: 'paid' }),
      ...of('fits', 'a', { financial: { fullPayment: { amount: 100 } } }),
      order('nothing', { paymentStatus: 'PAID' }),
      ...of('nothing', 'b', { financial: { total: 100 } }),
      order('deposit', { paymentStatus: 'unpaid' }),
      ...of('deposit', 'c', { financial: { deposit: { amount: 20.5 } } }),
      ...of('deposit', 'd', { financial: { deposit: { amount: 9.5 } }, isOrderMainGuest: false }),
      ...guest('loose', { financial: { deposit: { amount: 50 } } }),
      ...guest('nothing-paid', { financial: { deposit: { amount: 0, notes: 'later' } } }),
      ...guest('in-february', {
        startDate: '2025-02-01',
        endDate: '2025-02-02',
        financial: { deposit: { amount: 5 } },
      }),
    ])
    expect(await mismatches(center)).toEqual({})
    expect(await mismatches(center, '&includePayments=true')).toEqual({
      nothing: [{ kind: 'paidWithoutPayment', amount: null, guestId: null }],
      deposit: [{ kind: 'depositButUnpaid', amount: 30, guestId: null }],
    })
    const [plain, full] = [
      (await center.get(`${PATH}?${JANUARY}`)).body,
      (await center.get(`${PATH}?${JANUARY}&includePayments=true`)).body,
    ]
    expect(plain).toMatchObject({
      notChecked: ['paidWithoutPayment', 'depositButUnpaid', 'depositWithoutOrder'],
      looseDeposits: 0,
      depositsWithoutOrder: [],
    })
    expect(full).toMatchObject({
      notChecked: [],
      looseDeposits: 1,
      depositsWithoutOrder: [{ guestId: 'loose', date: '2025-01-10', amount: 50, amountLabel: '€50.00' }],
    })
  })

  it('begins with the first moment of its first day, for orders as for deposits', async () => {
    const financial = { deposit: { amount: 5 } }
    const center = await controlled([
      ...guest('before', { startDate: '2024-12-31T23:59', financial }),
      ...guest('first', { startDate: '2025-01-01T00:00', financial }),
      order('before', { orderDate: '2024-12-31T23:59' }),
      order('first', { orderDate: '2025-01-01T00:00' }),
    ])
    const { body } = await center.get(`${PATH}?${JANUARY}&includePayments=true`)
    expect(body).toMatchObject({ orders: 1, depositsWithoutOrder: [{ guestId: 'first' }] })
    expect((body.mismatches as Mismatch[]).map(({ uuid }) => uuid)).toEqual(['first'])
  })

  it('ends with the last microsecond of its last day, for orders as for deposits', async () => {
    const late = { startDate: '2025-01-31T20:00', endDate: '2025-02-05T10:00' }
    const center = await controlled([
      ...['last', 'next'].flatMap((id) => guest(id, { ...late, financial: { deposit: { amount: 5 } } })),
      ...['last', 'next'].map((uuid) => order(uuid)),
    ])
    const february = sql`(select timestamp '2025-02-01' at time zone timezone from centers where center_id = ${center.id})`
    await service.database.query(sql`
      update bookings set start_date = ${february} - (id = 'last')::int * interval '1 microsecond'
      where center_id = ${center.id}`)
    await service.database.query(sql`
      update orders set order_date = ${february} - (uuid = 'last')::int * interval '1 microsecond'
      where center_id = ${center.id}`)
    const { body } = await center.get(`${PATH}?${JANUARY}&includePayments=true`)
    expect(body).toMatchObject({ orders: 1, depositsWithoutOrder: [{ guestId: 'last' }] })
    expect((body.mismatches as Mismatch[]).map(({ uuid }) => uuid)).toEqual(['last'])
  })

  it('names guests where they are asked for, the main guest first', async () => {
    const center = await controlled([
      order('o', { items: [item(1)] }),
      customer('k1', { firstName: 'Zoe', lastName: 'Zimmer' }),
      customer('k2', { firstName: 'Ana', lastName: 'Alba' }),
      booking('b1', { customerId: 'k1', orderUuid: 'o', isOrderMainGuest: true }),
      booking('b2', { customerId: 'k2', orderUuid: 'o' }),
    ])
    const { body } = await center.get(`${PATH}?${JANUARY}&includeGuestNames=true`)
    expect(body.mismatches).toMatchObject([{ uuid: 'o', guestNames: ['Zoe Zimmer', 'Ana Alba'] }])
    const [{ guests = [] } = {}] = body.mismatches as { guests?: { guestId: string; name: string }[] }[]
    expect(guests.map(({ name }) => name)).toEqual(['Zoe Zimmer', 'Ana Alba'])
    for (const { guestId, name } of guests) {
      const found = await center.get(`/v1/guests?personOf=${guestId}&project=id,name`)
      expect(found.body.data.map((one) => [one.id, one.name])).toContainEqual([guestId, name])
    }
    const plain = await center.get(`${PATH}?${JANUARY}`)
    expect(plain.text).not.toContain('Zimmer')
  })

  it('counts all and lists the first thousand; a long range is read in parts', async () => {
    const center = await controlled([
      ...Array.from({ length: 1010 }, (_, at) =>
        order(`o${String(at).padStart(4, '0')}`, { totalAmount: 0.1 }),
      ),
      ...Array.from({ length: 250 }, (_, at) =>
        guest(`b${at}`, { financial: { deposit: { amount: 1 } } }),
      ).flat(),
    ])
    const { body } = await center.get(`${PATH}?${JANUARY}&includePayments=true`)
    expect(body).toMatchObject({ orders: 1010, doNotFit: 1010, looseDeposits: 250 })
    expect(body.currencies).toMatchObject([{ orders: 1010, total: 101 }])
    expect((body.mismatches as Mismatch[]).map(({ uuid }) => uuid)).toEqual(
      Array.from({ length: 1000 }, (_, at) => `o${String(at).padStart(4, '0')}`),
    )
  })

  it('is not taken in by what another system wrote', async () => {
    const center = await controlled([order('o'), ...of('o', 'b')])
    for (const items of [`'"text"'`, `'[{"quantity": "two", "price": 5}, 7, null]'`, `'{}'`]) {
      await service.database.query(
        sql`update orders set items = ${raw(items)} where center_id = ${center.id} and uuid = 'o'`,
      )
      expect((await center.get(`${PATH}?${JANUARY}&includePayments=true`)).status, items).toBe(200)
    }
    await service.database.query(
      sql`update bookings set financial = '{"deposit": {"amount": "much"}, "fullPayment": 5}' where center_id = ${center.id}`,
    )
    expect((await center.get(`${PATH}?${JANUARY}&includePayments=true`)).status).toBe(200)
  })
})

describe('403', () => {
  it('payments need the scope guests.financial, and the rest does not', async () => {
    const center = await controlled([order('o')])
    const clerk = service.as(await service.createKey({ center: center.id, scopes: ['orders'] }))
    expect((await clerk.get(`${PATH}?${JANUARY}`)).status).toBe(200)
    const refused = await clerk.get(`${PATH}?${JANUARY}&includePayments=true`)
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('includePayments needs the scope guests.financial')
  })
})

describe('400', () => {
  it.each([
    ['', ['startDate']],
    ['startDate=2025-01-01', ['endDate']],
    ['startDate=2025-01-31&endDate=2025-01-01', ['startDate']],
    ['startDate=2025-01-01&endDate=2026-01-02', ['endDate']],
    [`${JANUARY}&format=csv`, ['format']],
  ])('"%s"', async (query, parameters) => {
    const { status, body } = await service.get(`${PATH}?${query}`)
    expect(status).toBe(400)
    expect(body.error.details?.map(({ parameter }) => parameter)).toEqual(parameters)
  })
})
