import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, guest, order } from '../../support/world.ts'

const UUID = '3f2b8c1a-9d4e-4f6a-8b7c-1234567890ab'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const full = order(UUID, {
  number: '105517',
  orderDate: '2025-01-15T23:30',
  totalAmount: 1234.56,
  status: 'confirmed',
  paymentMethod: 'credit_card',
  paymentStatus: 'paid',
  billingAddress: { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'România' },
  notes: 'call first',
  items: [{ itemId: 'i1', name: 'Full board', quantity: 2, price: 500.125 }],
  createdAt: '2025-01-15T10:00:00Z',
  updatedAt: '2025-01-16T11:00:00.25Z',
})

describe('200', () => {
  it('interface, GET /orders/{uuid}: one order has exactly the fields of its table, whatever is recorded', async () => {
    const api = await service.newCenter([full, order('bare'), ...guest('g', { orderUuid: 'bare' })])
    const names = [
      ...['uuid', 'orderDate', 'totalAmount', 'status', 'items', 'billingAddress', 'paymentMethod'],
      ...['paymentStatus', 'notes', 'createdAt', 'updatedAt'],
    ].sort()
    for (const uuid of [UUID, 'bare']) {
      expect(Object.keys((await api.get(`/v1/orders/${uuid}`)).body).sort()).toEqual(names)
      const off = 'includeDetails=false&includeGuestNames=false&formatDates=true'
      expect(Object.keys((await api.get(`/orders/${uuid}?${off}`)).body).sort()).toEqual(names)
    }
  })
  it('ruling 31: one order is raw: numbers, raw status values, ISO timestamps', async () => {
    const api = await service.newCenter([full])
    const expected = {
      uuid: UUID,
      orderDate: '2025-01-15T21:30:00.000Z',
      totalAmount: 1234.56,
      status: 'confirmed',
      items: [{ name: 'Full board', quantity: 2, price: 500.125, itemId: 'i1' }],
      billingAddress: { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'România' },
      paymentMethod: 'credit_card',
      paymentStatus: 'paid',
      notes: 'call first',
      createdAt: '2025-01-15T10:00:00.000Z',
      updatedAt: '2025-01-16T11:00:00.250Z',
    }
    expect((await api.get(`/v1/orders/${UUID}`)).body).toEqual(expected)
    expect((await api.get(`/v1/orders/${UUID}`, { 'x-locale': 'ro' })).body).toEqual(expected)
    expect((await api.get(`/v1/orders/${UUID}?formatDates=false&includeGuestNames=false`)).body).toEqual(
      expected,
    )
  })
  it('ruling 31: formatDates=true localizes orderDate, and nothing else', async () => {
    const api = await service.newCenter([full])
    const plain = (await api.get(`/v1/orders/${UUID}`)).body
    const answer = await api.get(`/v1/orders/${UUID}?formatDates=true`, { 'x-locale': 'ro' })
    expect(answer.body).toEqual({ ...plain, orderDate: '15.01.2025' })
    expect((await api.get(`/v1/orders/${UUID}?formatDates=true`)).body).toEqual({
      ...plain,
      orderDate: '01/15/2025',
    })
  })
  it('ruling 40: with includeDetails=true it has its number and the currency of its amounts too', async () => {
    const api = await service.newCenter(
      [order('o1', { currency: 'JPY', number: 'A/1' }), order('o2'), order('o3', { currency: 'EUR' })],
      { currency: 'RON' },
    )
    const detailed = async (uuid: string, more = '') => {
      const plain = (await api.get(`/v1/orders/${uuid}?${more}`)).body
      const { orderNumber, currency, ...others } = (
        await api.get(`/v1/orders/${uuid}?includeDetails=true${more}`)
      ).body
      expect(others).toEqual(plain)
      return { orderNumber, currency }
    }
    expect(await detailed('o1')).toEqual({ currency: 'JPY', orderNumber: 'A/1' })
    expect(await detailed('o2')).toEqual({ currency: 'RON', orderNumber: null })
    expect(await detailed('o3', '&formatDates=true&includeGuestNames=true')).toEqual({
      currency: 'EUR',
      orderNumber: null,
    })
  })
  it('ruling 15: a localized orderDate is the center’s local day', async () => {
    const api = await service.newCenter([order('o1', { orderDate: '2025-01-15T23:30:00Z' })])
    expect((await api.get('/v1/orders/o1?formatDates=true')).body.orderDate).toBe('01/16/2025')
  })
  it('ruling 21: it has all its fields always, null where there is no value, and an address of nulls', async () => {
    const api = await service.newCenter([order('bare', { billingAddress: { city: 'Brașov' } })])
    expect((await api.get('/v1/orders/bare')).body).toEqual({
      uuid: 'bare',
      orderDate: '2025-01-05T10:00:00.000Z',
      totalAmount: 100,
      status: 'confirmed',
      items: [],
      billingAddress: { street: null, city: 'Brașov', zip: null, country: null },
      paymentMethod: null,
      paymentStatus: null,
      notes: null,
      createdAt: null,
      updatedAt: null,
    })
    const none = await service.newCenter([order('none')])
    expect((await none.get('/v1/orders/none')).body.billingAddress).toEqual({
      street: null,
      city: null,
      zip: null,
      country: null,
    })
  })
  it('ruling 32: with includeGuestNames=true guestNames is an array, the main guest first, then by last name', async () => {
    const api = await service.newCenter([
      order('o1'),
      order('nobody'),
      customer('c1', { firstName: 'Zoe', lastName: 'Albu' }),
      customer('c2', { firstName: 'Dan', lastName: 'Albu' }),
      customer('c3', { firstName: 'Main', lastName: 'Zamfir' }),
      booking('b1', { customerId: 'c1', orderUuid: 'o1' }),
      booking('b2', { customerId: 'c2', orderUuid: 'o1' }),
      booking('b3', { customerId: 'c3', orderUuid: 'o1', isOrderMainGuest: true }),
    ])
    expect((await api.get('/v1/orders/o1?includeGuestNames=true')).body.guestNames).toEqual([
      'Main Zamfir',
      'Dan Albu',
      'Zoe Albu',
    ])
    expect((await api.get('/v1/orders/nobody?includeGuestNames=true')).body.guestNames).toEqual([])
    expect((await api.get('/v1/orders/o1')).body).not.toHaveProperty('guestNames')
  })
  it.each([
    'order_123456',
    '105517',
    'a',
    'A.b:c-d_e',
    'x'.repeat(64),
    '00000000-0000-0000-0000-000000000000',
  ])('ruling 33: an order whose identifier is %s is served', async (uuid) => {
    const api = await service.newCenter([order(uuid)])
    expect((await api.get(`/v1/orders/${encodeURIComponent(uuid)}`)).body.uuid).toBe(uuid)
    expect((await api.get(`/orders/${uuid}`)).body.uuid).toBe(uuid)
  })
  it('ruling 33: a UUID in capitals is the same UUID', async () => {
    const api = await service.newCenter([full])
    expect((await api.get(`/v1/orders/${UUID.toUpperCase()}`)).body.uuid).toBe(UUID)
  })
  it('interface, GET /orders/{uuid}: every order that the list names is served', async () => {
    const api = await service.newCenter([full, order('order_123456'), order('x:1')])
    for (const { uuid } of (await api.get('/v1/orders?startDate=2025-01-01&endDate=2025-01-31')).list) {
      expect((await api.get(`/v1/orders/${uuid}`)).body.uuid).toBe(uuid)
    }
  })
})

describe('400', () => {
  it.each([
    'order_123456',
    '123',
    'not-a-uuid',
    `${UUID}0`,
    UUID.slice(0, -1),
    UUID.replaceAll('-', ''),
    `{${UUID}}`,
    'gggggggg-9d4e-4f6a-8b7c-1234567890ab',
    "x' or '1'='1",
    'x\u0000y',
    'ș',
    'x'.repeat(65),
    ' ',
    'a/b',
    '%',
  ])('ruling 33: %s is no order here and no UUID: INVALID_PARAMETER', async (uuid) => {
    const answer = await service.get(`/v1/orders/${encodeURIComponent(uuid)}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('INVALID_PARAMETER')
    expect(namedParameters(answer)).toEqual(['uuid'])
  })
  it('ruling 33: an identifier that is thousands of characters long is refused as any other, and cut in the answer', async () => {
    const answer = await service.get(`/v1/orders/${'x'.repeat(9000)}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['uuid'])
    expect(answer.text.length).toBeLessThan(1000)
  })
  it.each([
    'formatDates=yes',
    'includeGuestNames=',
    'startDate=2025-01-01',
    'project=uuid',
    'formatDates=true&formatDates=false',
  ])('ruling 9: %s is refused', async (query) => {
    const answer = await service.get(`/v1/orders/${UUID}?${query}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([query.split('=')[0]])
  })
  it('ruling 7: parameters are judged before the record is looked for', async () => {
    expect((await service.get(`/v1/orders/${UUID}?colour=red`)).status).toBe(400)
  })
})

describe('404', () => {
  it.each([
    UUID,
    UUID.toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('ruling 33: %s has the shape of a UUID and is nowhere: NOT_FOUND', async (uuid) => {
    const answer = await service.get(`/v1/orders/${uuid}`)
    expect(answer.status).toBe(404)
    expect(answer.body.error.code).toBe('NOT_FOUND')
  })
  it('ruling 33: an order of another system that was removed is NOT_FOUND, and so is what never was one there', async () => {
    const api = await service.newCenter([full, order('order_77')])
    const others = ['order_77', 'order_78', '12', 'a b', 'x\u0000y', UUID]
    await service.database.query(sql`delete from orders where center_id = ${api.id}`)
    for (const uuid of others) {
      const answer = await api.get(`/v1/orders/${encodeURIComponent(uuid)}`)
      expect(answer.status, uuid).toBe(404)
      expect(answer.body.error.code).toBe('NOT_FOUND')
    }
  })
  it('ruling 33: a center whose first order of another system comes later answers differently from then on', async () => {
    const api = await service.newCenter([full])
    expect((await api.get('/v1/orders/order_9')).status).toBe(400)
    await service.database.query(sql`
      insert into orders (center_id, uuid, order_date, total_amount, status, items)
      values (${api.id}, 'order_7', now(), 1, 'paid', '[]')`)
    expect((await api.get('/v1/orders/order_9')).status).toBe(404)
  })
  it('ruling 7: an order of another center answers exactly as one that does not exist', async () => {
    const owner = await service.newCenter([full, order('order_1'), ...guest('g', { orderUuid: UUID })])
    const api = await service.newCenter([])
    const nowhere = await api.get('/v1/orders/3f2b8c1a-9d4e-4f6a-8b7c-000000000000')
    const theirs = await api.get(`/v1/orders/${UUID}?includeGuestNames=true`)
    expect(theirs.status).toBe(404)
    expect({ ...theirs.body.error, requestId: '' }).toEqual({ ...nowhere.body.error, requestId: '' })
    expect((await api.get('/v1/orders/order_1')).status).toBe(400)
    expect((await api.get('/v1/orders/order_2')).status).toBe(400)
    expect((await owner.get(`/v1/orders/${UUID}`)).status).toBe(200)
  })
})
