/** The field and the filter `paid` (ruling 49): paid, partly paid or open, without amounts, as the control of orders decides it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { createRandom } from '../../support/random.ts'
import { guest, order, type TestRecord } from '../../support/world.ts'
import { cursorOf } from '../changes/follower.ts'

const RULES = {
  orderRules: {
    orderStatuses: { valid: ['completed'], open: ['processing'], void: ['cancelled'] },
    paymentStatuses: { valid: ['paid'], open: ['unpaid'], void: ['voided'], refunded: ['refunded'] },
  },
}
const RANGE = 'startDate=2025-01-01&endDate=2025-01-31'
const STAY = { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00' }

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const newCenter = (records: readonly TestRecord[], fields = {}) =>
  service.newCenter(records, { ...RULES, ...fields })

const load = (center: TestCenter, records: readonly TestRecord[]) =>
  service.load(records.map((record) => ({ ...record, centerId: center.id })))

const ofBooking = (id: string, fields: Record<string, unknown>): TestRecord => ({
  kind: 'booking',
  id,
  ...fields,
})

const paying = (id: string, financial: Record<string, unknown> | undefined, fields = {}) =>
  guest(id, { ...STAY, ...(financial === undefined ? {} : { financial }), ...fields })

async function statesOf(center: TestCenter, more = ''): Promise<Record<string, string | null>> {
  const { status, text, body } = await center.get(`/v1/guests?${RANGE}&project=id,paid&length=100${more}`)
  expect(status, text).toBe(200)
  const data = body.data as { id: string; ids: { paid: string | null } }[]
  return Object.fromEntries(data.map(({ id, ids }) => [id, ids.paid]))
}

describe('ruling 49: paid', () => {
  it('an order is paid by all of its guests together; each shows it, and no amount', async () => {
    const center = await newCenter([
      order('half', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 300.3 }),
      ...paying('half-1', { deposit: { amount: 100.1 } }, { orderUuid: 'half' }),
      ...paying('half-2', { fullPayment: { amount: 100.1 } }, { orderUuid: 'half' }),
      ...paying('half-3', undefined, { orderUuid: 'half' }),
      order('whole', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 300.3 }),
      ...paying(
        'whole-1',
        { deposit: { amount: 100.1 }, fullPayment: { amount: 200.2 } },
        { orderUuid: 'whole' },
      ),
      ...paying('whole-2', undefined, { orderUuid: 'whole' }),
    ])
    expect(await statesOf(center)).toEqual({
      ...{ 'half-1': 'partlyPaid', 'half-2': 'partlyPaid', 'half-3': 'partlyPaid' },
      ...{ 'whole-1': 'paid', 'whole-2': 'paid' },
    })
    const answer = await center.get(`/v1/guests?${RANGE}&project=id,paid`)
    expect(answer.text).not.toMatch(/\d{3}\.\d/)
    expect(answer.body.data.map(({ paid }) => paid)).toContain('Partially paid')
  })

  it('what is not known, not decided and void is never shown as paid', async () => {
    const center = await newCenter([
      ...paying('alone', undefined),
      ...paying('alone-open', { total: 100 }),
      ...paying('alone-half', { total: 100, deposit: { amount: 40 } }),
      ...paying('alone-paid', { total: 100, deposit: { amount: 40 }, fullPayment: { amount: 60 } }),
      ...paying('alone-says-paid', undefined, { status: 'paid' }),
      order('odd', { status: 'on_hold', paymentStatus: 'paid', totalAmount: 0 }),
      ...paying('odd', undefined, { orderUuid: 'odd' }),
      order('gone', { status: 'cancelled', paymentStatus: 'paid', totalAmount: 10 }),
      ...paying('gone', { deposit: { amount: 10 } }, { orderUuid: 'gone' }),
      order('krone', { status: 'completed', totalAmount: 10, currency: 'NOK' }),
      ...paying('krone', { deposit: { amount: 10 } }, { orderUuid: 'krone' }),
      order('krone-open', { status: 'completed', totalAmount: 10, currency: 'NOK' }),
      ...paying('krone-open', undefined, { orderUuid: 'krone-open' }),
      order('says', { status: 'processing', paymentStatus: 'paid', totalAmount: 10 }),
      ...paying('says', undefined, { orderUuid: 'says' }),
      order('back', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 10 }),
      ...paying('back', { deposit: { amount: 10 }, fullPayment: { amount: -10 } }, { orderUuid: 'back' }),
    ])
    expect(await statesOf(center)).toEqual({
      alone: null,
      'alone-open': 'open',
      'alone-half': 'partlyPaid',
      'alone-paid': 'paid',
      'alone-says-paid': 'paid',
      odd: 'notDecided',
      gone: null,
      krone: 'notDecided',
      'krone-open': 'open',
      says: 'paid',
      back: 'open',
    })
  })

  it('a center that has decided nothing has nothing paid', async () => {
    const center = await service.newCenter([
      order('o', { status: 'completed', paymentStatus: 'paid', totalAmount: 10 }),
      ...paying('g', { deposit: { amount: 10 } }, { orderUuid: 'o' }),
    ])
    expect(await statesOf(center)).toEqual({ g: 'notDecided' })
  })

  it('it is what the control of orders says, for any orders and payments', async () => {
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed, 'paid')
      const amount = () => random.whole(-2, 4) * 25.05
      const records = Array.from({ length: 30 }, (_, at): TestRecord[] => [
        order(`o${at}`, {
          orderDate: '2025-01-10T12:00',
          status: random.pick(['completed', 'processing', 'cancelled', 'on_hold']),
          paymentStatus: random.pick(['paid', 'unpaid', 'refunded', 'odd', null]),
          totalAmount: random.whole(0, 4) * 25.05,
          currency: random.pick([null, 'EUR', 'NOK']),
        }),
        ...Array.from({ length: random.whole(1, 3) }, (_, of) =>
          paying(
            `g${at}-${of}`,
            random.chance(0.5)
              ? { deposit: { amount: amount() }, fullPayment: { amount: amount() } }
              : undefined,
            { orderUuid: `o${at}` },
          ),
        ).flat(),
      ]).flat()
      const center = await newCenter(records)
      const control = await center.get(`/v1/orders/control?${RANGE}&includePayments=true&includeOrders=true`)
      const listed = control.body.listed as {
        uuid: string
        group: string
        paymentStatus: string | null
        paid: number | null
        open: number | null
      }[]
      const expected = (uuid: string) => {
        const of = listed.find((one) => one.uuid === uuid)!
        if (of.group === 'void') return null
        if (of.group === 'notDecided') return 'notDecided'
        if (of.paymentStatus === 'paid') return 'paid'
        if (of.paid === null) return 'notDecided'
        if (of.open === 0) return 'paid'
        return of.paid > 0 ? 'partlyPaid' : 'open'
      }
      const states = await statesOf(center)
      expect(Object.keys(states).length).toBeGreaterThan(30)
      for (const [id, state] of Object.entries(states)) {
        expect([id, state], `seed ${seed}`).toEqual([id, expected(`o${id.slice(1).split('-')[0]}`)])
      }
    }
  })

  it('filters by it, also with sessions, and counts only these', async () => {
    const center = await newCenter([
      order('o', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 10 }),
      ...paying('open', undefined, { orderUuid: 'o' }),
      ...paying('paid', { total: 10, deposit: { amount: 10 } }),
      ...paying('unknown', undefined),
    ])
    expect(await statesOf(center, '&paid=open,partlyPaid')).toEqual({ open: 'open' })
    expect(await statesOf(center, '&paid=paid')).toEqual({ paid: 'paid' })
    const none = await center.get(`/v1/guests?sessionId=nowhere&paid=open&project=id`)
    expect(none.body).toEqual({ data: [], total: 0 })
    const wrong = await center.get(`/v1/guests?${RANGE}&paid=yes`)
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('partlyPaid')
  })

  it('a file has the label, and the raw value on request', async () => {
    const center = await newCenter(paying('half', { total: 10, deposit: { amount: 4 } }))
    const file = (values: string) =>
      center.get(`/v1/guests?${RANGE}&project=id,paid&format=csv${values}`, { 'X-LOCALE': 'de' })
    expect((await file('')).text).toContain('Teilweise bezahlt')
    expect((await file('&values=raw')).text).toContain('partlyPaid')
  })
})

describe('ruling 49: a payment of one guest changes what the others of the order show', () => {
  const records = [
    order('o', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 10 }),
    ...paying('a', undefined, { orderUuid: 'o' }),
    // In another week, so that the list of the first has it not.
    ...paying('b', undefined, {
      orderUuid: 'o',
      startDate: '2025-03-06T14:00',
      endDate: '2025-03-12T10:00',
    }),
    ...paying('c', undefined),
  ]
  /** The other fields stay. */
  const pays = (amount: number | null): TestRecord =>
    ofBooking('b', { financial: amount === null ? null : { deposit: { amount } } })

  it('at once, and with another tag', async () => {
    const center = await newCenter(records)
    const read = () => center.get(`/v1/guests?${RANGE}&project=id,paid&length=100`)
    const before = await read()
    await load(center, [pays(4)])
    const after = await read()
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(await statesOf(center)).toEqual({ a: 'partlyPaid', c: null })
    await load(center, [pays(10)])
    expect(await statesOf(center)).toEqual({ a: 'paid', c: null })
    await load(center, [pays(null)])
    expect(await statesOf(center)).toEqual({ a: 'open', c: null })
  })

  it('for those who follow the changes: guests of the order, and no others', async () => {
    const center = await newCenter(records)
    const cursor = cursorOf(await center.get('/v1/changes'))
    await load(center, [pays(4)])
    const changed = await center.get(`/v1/guests?${RANGE}&project=id,paid&changedAfter=${cursor}`)
    expect(changed.body.data.map(({ id }) => id)).toEqual(['a'])
  })

  it('also when the guest who has paid comes, goes, or belongs to another order', async () => {
    const center = await newCenter(records)
    await load(
      center,
      paying(
        'd',
        { deposit: { amount: 10 } },
        { orderUuid: 'o', startDate: '2025-03-06T14:00', endDate: '2025-03-12T10:00' },
      ),
    )
    expect((await statesOf(center)).a).toBe('paid')
    await load(center, [ofBooking('d', { orderUuid: null })])
    expect((await statesOf(center)).a).toBe('open')
    await load(center, [ofBooking('d', { orderUuid: 'o' })])
    expect((await statesOf(center)).a).toBe('paid')
    await load(center, [ofBooking('d', { deleted: true })])
    expect((await statesOf(center)).a).toBe('open')
  })
})

describe('ruling 49: the scope guests.paid', () => {
  it.each([
    ['the field', 'project=id,paid'],
    ['the filter', 'project=id&paid=open'],
  ])('%s is refused without it, also with amounts, and named', async (_, query) => {
    const key = await service.createKey({ scopes: ['guests', 'guests.financial', 'orders'] })
    const answer = await service.as(key).get(`/v1/guests?${RANGE}&${query}`)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('guests.paid')
    expect(answer.headers['www-authenticate']).toContain('guests.paid')
  })

  it('opens no amount', async () => {
    const key = await service.createKey({ scopes: ['guests', 'guests.paid', 'orders'] })
    const asker = service.as(key)
    expect((await asker.get(`/v1/guests?${RANGE}&project=id,paid`)).status).toBe(200)
    for (const path of [
      `/v1/guests?${RANGE}&project=financial.total`,
      `/v1/orders/control?${RANGE}&includePayments=true`,
    ]) {
      expect((await asker.get(path)).status, path).toBe(403)
    }
  })

  it('payments of another center with the same order count for nothing', async () => {
    const own = [
      order('same', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 10 }),
      ...paying('same-guest', undefined, { orderUuid: 'same' }),
    ]
    const center = await newCenter(own)
    await newCenter([
      order('same', { status: 'completed', paymentStatus: 'paid', totalAmount: 10 }),
      ...paying('same-guest', { deposit: { amount: 10 } }, { orderUuid: 'same' }),
    ])
    expect(await statesOf(center)).toEqual({ 'same-guest': 'open' })
    expect(await statesOf(center, '&paid=open')).toEqual({ 'same-guest': 'open' })
  })
})
