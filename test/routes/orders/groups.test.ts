/** `GET /orders/control`: groups, what is paid and open, and its filters (ruling 51). */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../../support/api.ts'
import { order, stay, type TestRecord } from '../../support/world.ts'

const PATH = '/v1/orders/control'
const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'

const RULES = {
  orderRules: {
    orderStatuses: { valid: ['completed', 'confirmed'], open: ['processing'], void: ['cancelled'] },
    paymentStatuses: {
      valid: ['paid'],
      open: ['unpaid', 'partially_paid'],
      void: ['voided'],
      refunded: ['refunded'],
    },
  },
}

type Group = 'valid' | 'open' | 'notDecided' | 'void'
interface Sum {
  readonly orders: number
  readonly total: number
}
interface Control {
  readonly orders: number
  readonly currencies: readonly {
    readonly currency: string
    readonly total: number
    readonly groups: readonly (Sum & {
      readonly group: Group
      readonly refunds: Sum
      readonly byStatus: readonly (Sum & {
        readonly status: string
        readonly paymentStatus: string | null
        readonly refunds: Sum
      })[]
    })[]
    readonly payments: Readonly<Record<string, Sum>> | null
  }[]
  readonly statusesNotDecided: unknown
  readonly paymentsInOtherCurrency: Sum | null
  readonly listed?: readonly {
    readonly uuid: string
    readonly group: Group
    readonly paid: number | null
    readonly open: number | null
    readonly doesNotFit: boolean
  }[]
}

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const newCenter = (records: readonly TestRecord[], fields = {}) =>
  service.newCenter(records, { ...RULES, ...fields })

async function controlOf(center: TestCenter, more = ''): Promise<Control> {
  const { status, text, body } = await center.get(`${PATH}?${JANUARY}${more}`)
  expect(status, text).toBe(200)
  return body as unknown as Control
}

/** `{ valid: [orders, total, refunds] … }` of one currency */
const sumsOf = (control: Control, currency = 'EUR') =>
  Object.fromEntries(
    (control.currencies.find((one) => one.currency === currency)?.groups ?? []).map(
      ({ group, orders, total, refunds }) => [group, [orders, total, refunds.total]],
    ),
  )

const paying = (orderUuid: string, deposit?: number, fullPayment?: number) =>
  stay(`g-${orderUuid}`, '2025-01-06', '2025-01-12', {
    orderUuid,
    isOrderMainGuest: true,
    financial: {
      ...(deposit === undefined ? {} : { deposit: { amount: deposit } }),
      ...(fullPayment === undefined ? {} : { fullPayment: { amount: fullPayment } }),
    },
  })

describe('groups', () => {
  it('ruling 51: each order is in exactly one group; an unlisted status of either kind is not decided', async () => {
    const center = await newCenter([
      order('done', { status: 'completed', paymentStatus: 'paid', totalAmount: 0.1 }),
      order('done-2', { status: 'confirmed', totalAmount: 0.2 }),
      order('working', { status: 'processing', paymentStatus: 'paid', totalAmount: 10 }),
      order('unpaid', { status: 'completed', paymentStatus: 'unpaid', totalAmount: 20 }),
      order('gone', { status: 'cancelled', paymentStatus: 'unpaid', totalAmount: 30 }),
      order('void-payment', { status: 'completed', paymentStatus: 'voided', totalAmount: 40 }),
      order('unknown', { status: 'on_hold', paymentStatus: 'paid', totalAmount: 50 }),
      order('unknown-payment', { status: 'cancelled', paymentStatus: 'PAID', totalAmount: 60 }),
      order('krone', { status: 'completed', paymentStatus: 'paid', totalAmount: 5, currency: 'NOK' }),
    ])
    const control = await controlOf(center)
    expect(sumsOf(control)).toEqual({
      valid: [2, 0.3, 0],
      open: [2, 30, 0],
      notDecided: [2, 110, 0],
      void: [2, 70, 0],
    })
    expect(sumsOf(control, 'NOK')).toMatchObject({ valid: [1, 5, 0], open: [0, 0, 0] })
    expect(control.statusesNotDecided).toEqual({ status: ['on_hold'], paymentStatus: ['PAID'] })
    const undecided = control.currencies[0]?.groups.find(({ group }) => group === 'notDecided')
    expect(undecided?.byStatus.map(({ status, paymentStatus }) => [status, paymentStatus])).toEqual([
      ['cancelled', 'PAID'],
      ['on_hold', 'paid'],
    ])
  })

  it('ruling 51: a center that has decided nothing has nothing valid', async () => {
    const center = await service.newCenter([order('o', { status: 'completed', paymentStatus: 'paid' })])
    const control = await controlOf(center)
    expect(sumsOf(control)).toMatchObject({ valid: [0, 0, 0], notDecided: [1, 100, 0] })
    expect(control.statusesNotDecided).toEqual({ status: ['completed'], paymentStatus: ['paid'] })
  })

  it('ruling 51: refunds are apart and negative: they are in no total', async () => {
    const center = await newCenter([
      order('plain', { status: 'completed', totalAmount: 100 }),
      order('credit', { status: 'completed', totalAmount: -30.5 }),
      order('back', { status: 'completed', paymentStatus: 'refunded', totalAmount: 70 }),
    ])
    expect(sumsOf(await controlOf(center))).toMatchObject({
      valid: [2, 100, -30.5],
      void: [1, 70, -70],
    })
  })

  it('changed rules are a new answer', async () => {
    const center = await newCenter([order('o', { status: 'odd' })])
    expect(sumsOf(await controlOf(center))).toMatchObject({ notDecided: [1, 100, 0] })
    await service.database.query(sql`
      update centers set order_rules = '{"orderStatuses": {"open": ["odd"]}}' where center_id = ${center.id}`)
    expect(sumsOf(await controlOf(center))).toMatchObject({ open: [1, 100, 0], notDecided: [0, 0, 0] })
  })

  it('is not taken in by rules that another system wrote', async () => {
    const center = await newCenter([order('o', { status: 'odd' })])
    for (const rules of [
      '{}',
      '{"orderStatuses": 5}',
      '{"orderStatuses": {"valid": "odd", "open": [7, null]}}',
    ]) {
      await service.database.query(
        sql`update centers set order_rules = ${rules}::jsonb where center_id = ${center.id}`,
      )
      expect(sumsOf(await controlOf(center)), rules).toMatchObject({ notDecided: [1, 100, 0] })
    }
  })
})

describe('what is paid and open', () => {
  it('ruling 51: what is paid and open adds up to the totals, and what nobody knows is apart', async () => {
    const center = await newCenter([
      order('full', { status: 'completed', paymentStatus: 'paid', totalAmount: 100 }),
      ...paying('full', 30, 70),
      order('part', { status: 'confirmed', paymentStatus: 'partially_paid', totalAmount: 0.3 }),
      ...paying('part', 0.1),
      order('says-paid', { status: 'completed', paymentStatus: 'paid', totalAmount: 50 }),
      ...paying('says-paid'),
      order('more', { status: 'completed', paymentStatus: 'paid', totalAmount: 10 }),
      ...paying('more', undefined, 12),
      order('krone', { status: 'confirmed', paymentStatus: 'unpaid', totalAmount: 900, currency: 'NOK' }),
      ...paying('krone', 20),
      order('krone-2', { status: 'confirmed', paymentStatus: 'unpaid', totalAmount: 80, currency: 'NOK' }),
      ...paying('krone-2'),
      order('gone', { status: 'cancelled', paymentStatus: 'unpaid', totalAmount: 40 }),
      ...paying('gone', 15),
    ])
    const control = await controlOf(center, '&includePayments=true&includeOrders=true')
    const [euro, krone] = control.currencies
    expect(euro?.payments).toMatchObject({
      paid: { orders: 3, total: 112.1 },
      paidBack: { orders: 0, total: 0 },
      open: { orders: 1, total: 0.2 },
      notRecorded: { orders: 1, total: 50 },
      notComparable: { orders: 0, total: 0 },
      overpaid: { orders: 1, total: 2 },
      paidOfOthers: { orders: 1, total: 15 },
    })
    expect(krone?.payments).toMatchObject({
      paid: { total: 0 },
      open: { orders: 1, total: 80 },
      notComparable: { orders: 1, total: 900 },
    })
    expect(control.paymentsInOtherCurrency).toMatchObject({ currency: 'EUR', orders: 1, total: 20 })
    expect(
      Object.fromEntries((control.listed ?? []).map(({ uuid, paid, open }) => [uuid, [paid, open]])),
    ).toEqual({
      full: [100, 0],
      part: [0.1, 0.2],
      'says-paid': [0, 0],
      more: [12, 0],
      krone: [null, null],
      'krone-2': [0, 80],
      gone: [15, null],
    })
  })

  it('ruling 51: payments that were not asked for are null, and refused without guests.financial: never 0', async () => {
    const center = await newCenter([order('o', { status: 'confirmed' }), ...paying('o', 10)])
    const clerk = service.as(await service.createKey({ center: center.id, scopes: ['orders'] }))
    const { body } = await clerk.get(`${PATH}?${JANUARY}&includeOrders=true`)
    expect(body).toMatchObject({
      paymentsInOtherCurrency: null,
      currencies: [{ payments: null }],
      listed: [{ uuid: 'o', paid: null, open: null }],
      notChecked: ['paidWithoutPayment', 'depositButUnpaid', 'depositWithoutOrder'],
    })
    expect((await clerk.get(`${PATH}?${JANUARY}&includePayments=true`)).status).toBe(403)
    const kitchen = service.as(await service.createKey({ center: center.id, scopes: ['meals'] }))
    expect((await kitchen.get(`${PATH}?${JANUARY}`)).status).toBe(403)
  })

  it('sums agree with a count over many orders that is made another way', async () => {
    const statuses = ['completed', 'processing', 'cancelled', 'on_hold'] as const
    const payments = ['paid', 'unpaid', 'refunded', 'voided', 'strange', undefined] as const
    const made = Array.from({ length: 480 }, (_, at) => ({
      uuid: `o${at}`,
      status: statuses[at % 4] as (typeof statuses)[number],
      paymentStatus: payments[(at * 7) % 6],
      cents: ((at * 7919) % 100_000) - 5000,
      deposit: at % 3 === 0 ? (at * 31) % 900 : undefined,
      currency: at % 5 === 0 ? 'NOK' : 'EUR',
    }))
    const center = await newCenter(
      made.flatMap(({ uuid, status, paymentStatus, cents, deposit, currency }) => [
        order(uuid, {
          status,
          totalAmount: cents / 100,
          currency,
          ...(paymentStatus === undefined ? {} : { paymentStatus }),
        }),
        ...paying(uuid, deposit === undefined ? undefined : deposit / 100),
      ]),
    )
    const expected = (status: string, payment: string | undefined): Group => {
      if (status === 'on_hold' || payment === 'strange') return 'notDecided'
      if (status === 'cancelled' || payment === 'refunded' || payment === 'voided') return 'void'
      return status === 'processing' || payment === 'unpaid' ? 'open' : 'valid'
    }
    const control = await controlOf(center, '&includePayments=true')
    for (const currency of ['EUR', 'NOK']) {
      for (const group of ['valid', 'open', 'notDecided', 'void'] as const) {
        const own = made.filter(
          (one) => one.currency === currency && expected(one.status, one.paymentStatus) === group,
        )
        const total = own.reduce((sum, { cents }) => sum + Math.max(0, cents), 0)
        const refunds = own.reduce(
          (sum, { cents, paymentStatus }) =>
            sum + (cents < 0 ? cents : group === 'void' && paymentStatus === 'refunded' ? -cents : 0),
          0,
        )
        expect(sumsOf(control, currency)[group], `${currency} ${group}`).toEqual([
          own.length,
          total / 100,
          refunds / 100,
        ])
      }
      const of = control.currencies.find((one) => one.currency === currency)
      const { paid, paidBack, open, notRecorded, notComparable, overpaid } = of?.payments ?? {}
      const cents = (sum: Sum | undefined) => Math.round((sum?.total ?? Number.NaN) * 100)
      const counted = (of?.groups ?? []).filter(({ group }) => group === 'valid' || group === 'open')
      expect(counted.reduce((sum, one) => sum + cents(one) + cents(one.refunds), 0)).toBe(
        [paid, paidBack, open, notRecorded, notComparable].reduce((sum, one) => sum + cents(one), 0) -
          cents(overpaid),
      )
    }
    expect(control.orders).toBe(480)
    const listed = await center.get(`/v1/orders?${JANUARY}&group=open`)
    expect((listed.body as unknown as unknown[]).length).toBe(
      made.filter((one) => expected(one.status, one.paymentStatus) === 'open').length,
    )
  })
})

describe('filters', () => {
  it('ruling 51: by status, payment status and group, the same as those of the list', async () => {
    const center = await newCenter([
      order('a', { status: 'completed', paymentStatus: 'paid' }),
      order('b', { status: 'completed', paymentStatus: 'unpaid' }),
      order('c', { status: 'cancelled', paymentStatus: 'paid' }),
      order('d', { status: 'odd' }),
    ])
    for (const [query, found] of [
      ['&status=completed', ['a', 'b']],
      ['&paymentStatus=paid', ['a', 'c']],
      ['&group=open', ['b']],
      ['&group=valid,open', ['a', 'b']],
      ['&group=notDecided', ['d']],
      ['&group=void&status=completed', []],
      ['&group=valid,open,notDecided,void', ['a', 'b', 'c', 'd']],
    ] as const) {
      const control = await controlOf(center, `&includeOrders=true${query}`)
      expect(
        control.listed?.map(({ uuid }) => uuid),
        query,
      ).toEqual(found)
      const { body } = await center.get(`/v1/orders?${JANUARY}${query}`)
      expect(
        (body as unknown as { uuid: string }[]).map(({ uuid }) => uuid),
        query,
      ).toEqual(found)
    }
  })

  it('400: a group that does not exist', async () => {
    const { status, body } = await service.get(`${PATH}?${JANUARY}&group=undecided`)
    expect(status).toBe(400)
    expect(body.error.details?.[0]?.parameter).toBe('group')
  })
})
