/** `GET /orders/{uuid}` with its labels, its checks and its payments, each on request. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { guest, order, SPA, session, spa, type TestRecord, term } from '../../support/world.ts'

const RECORDS: readonly TestRecord[] = [
  session('s1', '2025-01-10T12:00', '2025-01-15T12:00'),
  term('paymentType', 'pt-1', 'Bank', { names: { ro: 'Bancă' } }),
  order('o1', {
    number: '2025-1',
    totalAmount: 500,
    currency: 'RON',
    status: 'completed',
    paymentMethod: 'credit_card',
    paymentStatus: 'paid',
    items: [
      { name: 'Room', quantity: 1, price: 320, itemId: 'i1' },
      { name: 'Massage', quantity: 2, price: 45, itemId: 'i2' },
    ],
  }),
  order('o2', { items: [{ name: 'Room', quantity: 1, price: 100, itemId: 'i1' }], status: 'draft' }),
  ...guest('a', {
    sessionIds: ['s1'],
    orderUuid: 'o1',
    isOrderMainGuest: true,
    financial: {
      deposit: { amount: 150, paidAt: '2025-01-06T10:00:00Z', paymentType: 'pt-1', notes: 'by Ion' },
      fullPayment: { amount: 350.5, paidAt: '2025-01-08T10:00:00Z', paymentType: 'cash' },
    },
  }),
  ...guest('b', { orderUuid: 'o1', financial: { total: 100 } }),
  ...guest('c', { orderUuid: 'o2', isOrderMainGuest: true, sessionIds: ['s1'] }),
  ...guest('d', { financial: { deposit: { amount: 9 } } }),
]
const ALL = 'includeLabels=true&includeChecks=true&includePayments=true'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ records: [spa(), ...RECORDS] })
})

describe('200', () => {
  it('interface: a request that asks for nothing more gets the interface’s record and nothing else', async () => {
    const { body } = await api.get('/v1/orders/o1')
    expect(Object.keys(body)).toEqual(
      expect.not.arrayContaining(['labels', 'checks', 'payments', 'guestNames', 'guests']),
    )
    const off = ALL.replaceAll('true', 'false')
    expect((await api.get(`/v1/orders/o1?${off}`)).text).toBe((await api.get('/v1/orders/o1')).text)
  })

  it('ruling 51: payments are those of the order’s bookings, by day, with the name of their type', async () => {
    const { body } = await api.get('/v1/orders/o1?includePayments=true', { 'x-locale': 'ro' })
    expect(body.payments).toEqual([
      {
        guestId: 'a',
        kind: 'deposit',
        amount: 150,
        currency: 'EUR',
        paidAt: '2025-01-06T10:00:00.000Z',
        paymentType: 'pt-1',
        paymentTypeLabel: 'Bancă',
        notes: 'by Ion',
      },
      {
        guestId: 'a',
        kind: 'fullPayment',
        amount: 350.5,
        currency: 'EUR',
        paidAt: '2025-01-08T10:00:00.000Z',
        paymentType: 'cash',
        paymentTypeLabel: 'Numerar',
        notes: null,
      },
    ])
    // None is a list without entries, and not asked for is no list.
    expect((await api.get('/v1/orders/o2?includePayments=true')).body.payments).toEqual([])
    expect((await api.get('/v1/orders/o2?includeLabels=true')).body.payments).toBeUndefined()
  })

  it('labels are those of the list, in every language', async () => {
    for (const locale of ['en', 'ro', 'de', 'el']) {
      const headers = { 'x-locale': locale }
      const one = (await api.get('/v1/orders/o1?includeLabels=true', headers)).body
      const { list } = await api.get('/v1/orders?startDate=2025-01-01&endDate=2025-01-31', headers)
      const listed = list.find(({ uuid }) => uuid === 'o1')
      expect(one.labels).toEqual({
        status: listed?.status,
        paymentMethod: listed?.paymentMethod,
        paymentStatus: listed?.paymentStatus,
      })
      expect(one.status).toBe('completed')
    }
  })

  it('guests lead to the list of guests, the main guest first', async () => {
    const { body } = await api.get('/v1/orders/o1?includeGuests=true')
    const guests = body.guests as readonly { guestId: string; name: string }[]
    expect(guests.map(({ guestId }) => guestId)).toEqual(['a', 'b'])
    const { guestNames } = (await api.get('/v1/orders/o1?includeGuestNames=true')).body
    expect(guests.map(({ name }) => name)).toEqual(guestNames)
    expect(body.checks).toBeUndefined()
    for (const { guestId, name } of guests) {
      const found = await api.get(`/v1/guests?personOf=${guestId}&project=id,name`)
      expect(found.body.data.map((one) => [one.id, one.name])).toContainEqual([guestId, name])
    }
  })

  it('checks are those of the control of orders', async () => {
    const { body } = await api.get('/v1/orders/o1?includeChecks=true')
    expect(body.checks).toEqual({
      itemsTotal: 410,
      problems: [{ kind: 'totalDiffersFromItems', amount: 410, guestId: null }],
      notChecked: ['paidWithoutPayment', 'depositButUnpaid'],
    })
    for (const payments of ['', '&includePayments=true']) {
      const range = 'startDate=2025-01-01&endDate=2025-01-31'
      const control = (await api.get(`/v1/orders/control?${range}${payments}`)).body
      const found = control.mismatches as readonly { uuid: string; problems: unknown }[]
      for (const uuid of ['o1', 'o2']) {
        const one = (await api.get(`/v1/orders/${uuid}?includeChecks=true${payments}`)).body
        const { problems } = one.checks as { problems: unknown }
        expect(problems).toEqual(found.find((each) => each.uuid === uuid)?.problems ?? [])
      }
    }
  })

  it('the next request shows what was changed, also of a booking', async () => {
    const own = await api.newCenter(RECORDS)
    const url = `/v1/orders/o2?${ALL}`
    expect((await own.get(url)).body.payments).toEqual([])
    await api.database.runScript(
      `update bookings set financial = '{"deposit": {"amount": 20}}' where center_id = '${own.id}' and id = 'c'`,
    )
    expect((await own.get(url)).body.payments).toMatchObject([{ guestId: 'c', amount: 20, paidAt: null }])
  })
})

describe('403', () => {
  it('ruling 51: payments need guests.financial, also where the answer is known', async () => {
    const key = api.as(await api.createKey({ center: SPA, scopes: ['orders', 'guests'] }))
    await api.get('/v1/orders/o1?includePayments=true')
    for (const uuid of ['o1', 'nowhere']) {
      const answer = await key.get(`/v1/orders/${uuid}?includePayments=true`)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('guests.financial')
      expect(answer.text).toContain('includePayments')
    }
    const { body } = await key.get('/v1/orders/o1?includeLabels=true&includeChecks=true')
    expect(JSON.stringify(body)).not.toContain('350.5')
    expect((body.checks as { notChecked: string[] }).notChecked).toHaveLength(2)
  })
})

it('the orders and payments of another center are not found', async () => {
  const other = await api.newCenter([])
  expect((await other.get(`/v1/orders/o1?${ALL}`)).status).toBe(400)
})
