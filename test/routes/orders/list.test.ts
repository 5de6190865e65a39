import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { countMembers } from '../../../src/core/lists/list-sql.ts'
import { centerId } from '../../../src/core/records/centers/center.ts'
import { ORDER } from '../../../src/core/records/order.ts'
import { resolveBounds } from '../../../src/core/request/bounds.ts'
import { type Asker, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, guest, order } from '../../support/world.ts'

const range = (startDate: string, endDate: string) =>
  `/v1/orders?${new URLSearchParams({ startDate, endDate })}`
const JANUARY = range('2025-01-01', '2025-01-31')

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})
const uuids = async (api: Asker, url: string) => {
  const answer = await api.get(url)
  expect(answer.status, answer.text).toBe(200)
  return answer.list.map((item) => item.uuid)
}
const plainSpaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

const full = order('o1', {
  number: '105517',
  orderDate: '2025-01-15T23:30',
  totalAmount: 1234.5,
  status: 'confirmed',
  paymentMethod: 'credit_card',
  paymentStatus: 'partially_paid',
  billingAddress: { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'România' },
  notes: 'call first',
  items: [
    { itemId: 'i1', name: 'Full board', quantity: 2, price: 500 },
    { itemId: 'i2', name: 'Massage', quantity: 1.5, price: 156.333 },
  ],
  createdAt: '2025-01-15T10:00:00Z',
  updatedAt: '2025-01-16T11:00:00.25Z',
})

const FULL_IDS = {
  orderDate: '2025-01-15T21:30:00.000Z',
  totalAmount: 1234.5,
  currency: 'EUR',
  status: 'confirmed',
  items: [{ price: 500 }, { price: 156.333 }],
  paymentMethod: 'credit_card',
  paymentStatus: 'partially_paid',
  createdAt: '2025-01-15T10:00:00.000Z',
  updatedAt: '2025-01-16T11:00:00.250Z',
}

describe('200', () => {
  it('ruling 30: the list is humanized, and carries number, payment and timestamps too', async () => {
    const api = await service.newCenter([full])
    expect((await api.get(JANUARY)).list).toEqual([
      {
        uuid: 'o1',
        orderNumber: '105517',
        orderDate: '01/15/2025',
        totalAmount: '€1,234.50',
        status: 'Confirmed',
        items: [
          { name: 'Full board', quantity: 2, price: '€500.00' },
          { name: 'Massage', quantity: 1.5, price: '€156.33' },
        ],
        paymentMethod: 'Credit card',
        paymentStatus: 'Partially paid',
        createdAt: '2025-01-15T10:00:00.000Z',
        updatedAt: '2025-01-16T11:00:00.250Z',
        ids: FULL_IDS,
      },
    ])
  })
  it('ruling 40: ids carries the raw values of a listed order, whatever its language and formatDates', async () => {
    const api = await service.newCenter([full])
    const asked = `${JANUARY}&formatDates=true&includeGuestNames=true`
    expect((await api.get(asked, { 'x-locale': 'ro' })).list[0]?.ids).toEqual(FULL_IDS)
  })
  it('ruling 40: ids.currency is the order’s own, or else the center’s, for all its amounts', async () => {
    const api = await service.newCenter(
      [order('o1', { currency: 'JPY', totalAmount: 1234 }), order('o2'), order('o3', { currency: 'EUR' })],
      { currency: 'RON' },
    )
    const { list } = await api.get(JANUARY)
    expect(list.map(({ ids }) => ids)).toMatchObject([
      { currency: 'JPY', totalAmount: 1234 },
      { currency: 'RON', totalAmount: 100 },
      { currency: 'EUR', totalAmount: 100 },
    ])
  })
  it('ruling 30: in Romanian labels, dates and amounts are Romanian', async () => {
    const api = await service.newCenter([full])
    const [item] = (await api.get(JANUARY, { 'x-locale': 'ro' })).list
    expect(item).toMatchObject({ orderDate: '15.01.2025', paymentMethod: 'Card de credit' })
    expect(plainSpaces(String(item?.totalAmount))).toBe('1.234,50 EUR')
    expect(plainSpaces(JSON.stringify(item?.items))).toContain('"price":"500,00 EUR"')
  })
  it('ruling 30: createdAt and updatedAt are ISO and orderDate is localized, whatever formatDates says', async () => {
    const api = await service.newCenter([full])
    for (const [language, orderDate] of [
      ['no', '15.01.2025'],
      ['en', '01/15/2025'],
    ] as const) {
      const plain = await api.get(JANUARY, { 'x-locale': language })
      expect(plain.list[0]).toMatchObject({
        orderDate,
        createdAt: '2025-01-15T10:00:00.000Z',
        updatedAt: '2025-01-16T11:00:00.250Z',
      })
      for (const formatted of ['true', 'false', '1']) {
        const answer = await api.get(`${JANUARY}&formatDates=${formatted}`, { 'x-locale': language })
        expect(answer.text).toBe(plain.text)
      }
    }
  })
  it('ruling 21: a listed order has all its fields always, null or an empty list where there is no value', async () => {
    const api = await service.newCenter([order('bare')])
    expect((await api.get(JANUARY)).list).toEqual([
      {
        uuid: 'bare',
        orderNumber: null,
        orderDate: '01/05/2025',
        totalAmount: '€100.00',
        status: 'Confirmed',
        items: [],
        paymentMethod: null,
        paymentStatus: null,
        createdAt: null,
        updatedAt: null,
        ids: {
          orderDate: '2025-01-05T10:00:00.000Z',
          totalAmount: 100,
          currency: 'EUR',
          status: 'confirmed',
          items: [],
          paymentMethod: null,
          paymentStatus: null,
          createdAt: null,
          updatedAt: null,
        },
      },
    ])
  })
  it.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['0', false],
  ])('ruling 9: %s is a boolean', async (text, value) => {
    const api = await service.newCenter([full, ...guest('g', { orderUuid: 'o1' })])
    const asked = `formatDates=${text}&includeGuestNames=${text}`
    const [listed] = (await api.get(`${JANUARY}&${asked}`)).list
    expect(listed).toEqual(
      (await api.get(`${JANUARY}&formatDates=${value}&includeGuestNames=${value}`)).list[0],
    )
    expect('guestNames' in (listed ?? {})).toBe(value)
    const one = (await api.get(`/v1/orders/o1?${asked}`)).body
    expect(one.orderDate).toBe(value ? '01/15/2025' : '2025-01-15T21:30:00.000Z')
    expect('guestNames' in one).toBe(value)
  })
  it('interface, GET /orders: a range without orders is an empty array', async () => {
    const answer = await service.get(range('1999-01-01', '1999-01-31'))
    expect(answer).toMatchObject({ status: 200, text: '[]' })
  })
  it.each([
    ['EUR', undefined, '€1,234.50'],
    ['RON', undefined, 'RON 1,234.50'],
    ['EUR', 'USD', '$1,234.50'],
    ['EUR', 'JPY', '¥1,235'],
  ])('ruling 36: in a center of %s an order in %s shows %s', async (currency, own, shown) => {
    const api = await service.newCenter(
      [order('o1', { totalAmount: 1234.5, ...(own === undefined ? {} : { currency: own }) })],
      {
        currency,
      },
    )
    expect(plainSpaces(String((await api.get(JANUARY)).list[0]?.totalAmount))).toBe(shown)
  })
  it('ruling 37: a status or payment method without a label is shown readable', async () => {
    const api = await service.newCenter([
      order('o1', { status: 'in_kitchen', paymentMethod: 'bank_slip', paymentStatus: 'PayLater' }),
    ])
    expect((await api.get(JANUARY, { 'x-locale': 'ro' })).list[0]).toMatchObject({
      status: 'In kitchen',
      paymentMethod: 'Bank slip',
    })
    expect((await api.get(JANUARY)).list[0]?.paymentStatus).toMatch(/^Pay ?later$/i)
  })
  it('ruling 14: an order is in range by its orderDate, first and last moment of the local days included', async () => {
    const api = await service.newCenter([
      order('before', { orderDate: '2024-12-31T23:59:59.999' }),
      order('first', { orderDate: '2025-01-01T00:00' }),
      order('last', { orderDate: '2025-01-31T23:59:59.999' }),
      order('after', { orderDate: '2025-02-01T00:00' }),
      order('other-dates', { orderDate: '2024-06-01', createdAt: '2025-01-10', updatedAt: '2025-01-10' }),
    ])
    expect(await uuids(api, JANUARY)).toEqual(['first', 'last'])
  })
  it('ruling 12: the first and the last microsecond of a range belong to it, in the list and in the count of the trail', async () => {
    const api = await service.newCenter([order('first'), order('last')])
    for (const [uuid, date] of [
      ['first', '2024-12-31T22:00:00Z'],
      ['last', '2025-01-31T21:59:59.999999Z'],
    ]) {
      await service.database.query(sql`
        update orders set order_date = ${date} where center_id = ${api.id} and uuid = ${uuid}`)
    }
    expect(await uuids(api, JANUARY)).toEqual(['first', 'last'])
    const { bounds } = resolveBounds({ startDate: '2025-01-01', endDate: '2025-01-31' }, 'Europe/Bucharest')
    const members = { center: centerId(api.id), bounds, filters: [], since: undefined }
    expect(await service.database.queryArrays(countMembers(ORDER, members))).toEqual([[2]])
  })
  it('ruling 12: the range’s days are the center’s own', async () => {
    const records = [order('o1', { orderDate: '2025-01-31T22:30:00Z' })]
    const bucharest = await service.newCenter(records)
    const newfoundland = await service.newCenter(records, { timezone: 'America/St_Johns' })
    expect(await uuids(bucharest, JANUARY)).toEqual([])
    expect(await uuids(bucharest, range('2025-02-01', '2025-02-01'))).toEqual(['o1'])
    expect(await uuids(newfoundland, JANUARY)).toEqual(['o1'])
    expect((await bucharest.get(range('2025-02-01', '2025-02-01'))).list[0]?.orderDate).toBe('02/01/2025')
  })
  it('ruling 30: orders are sorted by orderDate, then uuid, byte by byte', async () => {
    const same = { orderDate: '2025-01-10T12:00' }
    const api = await service.newCenter([
      order('b', same),
      order('B', same),
      order('a-1', same),
      order('a1', same),
      order('z', { orderDate: '2025-01-09T12:00' }),
    ])
    expect(await uuids(api, JANUARY)).toEqual(['z', 'B', 'a-1', 'a1', 'b'])
  })

  describe('with guest names', () => {
    const person = (id: string, firstName: string, lastName: string) => customer(id, { firstName, lastName })
    const records = [
      order('o1'),
      order('nobody'),
      person('c1', 'Zoe', 'Albu'),
      person('c2', 'Ana', 'Șerban'),
      person('c3', 'Dan', 'Albu'),
      person('c4', 'Main', 'Zamfir'),
      booking('b1', { customerId: 'c1', orderUuid: 'o1' }),
      booking('b2', { customerId: 'c2', orderUuid: 'o1', isOrderMainGuest: false }),
      booking('b3', { customerId: 'c3', orderUuid: 'o1' }),
      booking('b4', { customerId: 'c4', orderUuid: 'o1', isOrderMainGuest: true }),
    ]
    it('ruling 32: the main guest is first, the others by last name, first name', async () => {
      const api = await service.newCenter(records)
      const answer = await api.get(`${JANUARY}&includeGuestNames=true`)
      expect(answer.list.map((item) => [item.uuid, item.guestNames])).toEqual([
        ['nobody', ''],
        ['o1', 'Main Zamfir, Dan Albu, Zoe Albu, Ana Șerban'],
      ])
    })
    it('ruling 32: a customer with two bookings in one order is named once', async () => {
      const api = await service.newCenter([
        ...records,
        booking('b5', { customerId: 'c1', orderUuid: 'o1', startDate: '2025-03-01', endDate: '2025-03-05' }),
      ])
      const answer = await api.get(`${JANUARY}&includeGuestNames=true`)
      expect(answer.list[1]?.guestNames).toBe('Main Zamfir, Dan Albu, Zoe Albu, Ana Șerban')
    })
    it('ruling 30: guestNames are there only with includeGuestNames=true', async () => {
      const api = await service.newCenter(records)
      for (const query of ['', '&includeGuestNames=false', '&formatDates=true']) {
        for (const item of (await api.get(`${JANUARY}${query}`)).list)
          expect(item).not.toHaveProperty('guestNames')
      }
    })
  })

  it('ruling 34: a range of more orders than are held at once is the same list, complete and in order', async () => {
    const count = 2345
    const api = await service.newCenter([
      ...Array.from({ length: count }, (_, n) =>
        order(`o${String(n).padStart(5, '0')}`, {
          orderDate: new Date(Date.UTC(2025, 0, 2) + n * 60_000).toISOString(),
          totalAmount: n,
        }),
      ),
      ...guest('g', { orderUuid: 'o02344' }, { firstName: 'The', lastName: 'Last' }),
    ])
    const answer = await api.get(`${JANUARY}&includeGuestNames=true`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toContain('private')
    expect(answer.list.map((item) => item.uuid)).toEqual(
      Array.from({ length: count }, (_, n) => `o${String(n).padStart(5, '0')}`),
    )
    expect(answer.list.at(-1)).toMatchObject({ guestNames: 'The Last', totalAmount: '€2,344.00' })
    // Half the range is answered whole; both ways show an order alike.
    const half = await api.get(`${range('2025-01-02', '2025-01-02')}&includeGuestNames=true`)
    expect(half.list).toEqual(answer.list.slice(0, half.list.length))
    const head = await api.request('HEAD', JANUARY)
    expect(head).toMatchObject({ status: 200, text: '' })
  })
  it('ruling 7: orders of another center never appear, and neither do its guests’ names', async () => {
    const ours = await service.newCenter([
      order('o1'),
      ...guest('g', { orderUuid: 'o1' }, { firstName: 'Our', lastName: 'Guest' }),
    ])
    const theirs = await service.newCenter([
      order('o1', { totalAmount: 999 }),
      order('o2'),
      ...guest('g', { orderUuid: 'o1' }, { firstName: 'Their', lastName: 'Guest' }),
    ])
    expect((await ours.get(`${JANUARY}&includeGuestNames=true`)).list).toMatchObject([
      { uuid: 'o1', totalAmount: '€100.00', guestNames: 'Our Guest' },
    ])
    const other = (await theirs.get(`${JANUARY}&includeGuestNames=true`)).list
    expect(other.map((item) => item.guestNames)).toEqual(['Their Guest', ''])
  })
})

describe('400', () => {
  it.each([
    '2025-01-01T00:00:00Z',
    '2025-01-01T00:00',
    '2025-02-30',
    'now',
    'infinity',
    '31.01.2025',
    'ab\ud800',
    '2025-01-01\u0000',
  ])('ruling 13: orders take YYYY-MM-DD only, not %j', async (text) => {
    const answer = await service.get(range(text, '2025-12-31'))
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['startDate'])
  })
  it('ruling 11: start after end is a 400', async () => {
    expect((await service.get(range('2025-02-01', '2025-01-31'))).status).toBe(400)
  })
  it.each([
    'formatDates=yes',
    'formatDates=on',
    'formatDates=2',
    'formatDates=01',
    'formatDates=',
    'includeGuestNames',
    'formatDates=true&formatDates=true',
  ])('ruling 9: %s is refused', async (query) => {
    const answer = await service.get(`${JANUARY}&${query}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([query.split(/[=&]/)[0]])
  })
  it.each(['start=1', 'length=10', 'role=patient', 'sessionId=s1', 'project=uuid'])(
    'ruling 9: %s is no parameter of orders',
    async (query) => {
      expect((await service.get(`${JANUARY}&${query}`)).status).toBe(400)
    },
  )
})

describe('404', () => {
  it.each([
    ['/v1/orders', ['startDate']],
    ['/v1/orders?startDate=2025-01-01', ['endDate']],
    ['/v1/orders?endDate=2025-01-31', ['startDate']],
    ['/orders?includeGuestNames=true', ['startDate']],
    ['/v1/orders?startDate=2025-02-30', ['endDate', 'startDate']],
    ['/v1/orders?endDate=&colour=red', ['startDate', 'colour', 'endDate']],
    ['/v1/orders?formatDates=yes', ['startDate', 'formatDates']],
  ])('ruling 10: GET %s lacks a date and is NOT_FOUND, as the interface says', async (url, missing) => {
    const answer = await service.get(url)
    expect(answer.status).toBe(404)
    expect(answer.body.error.code).toBe('NOT_FOUND')
    expect(namedParameters(answer)).toEqual(missing)
  })
})
