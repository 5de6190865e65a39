/** Tables of payments of orders: a row for each payment, refunds apart, with the totals of the control (ruling 51). */
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'
import { orderLabel } from '../../../src/core/locale/order-labels.ts'
import { readsInTrail } from '../../audit/reads.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { guest, order, spa, term } from '../../support/world.ts'

const RANGE = 'startDate=2026-10-01&endDate=2026-10-31'
const PAYMENTS = `/v1/orders?${RANGE}&rows=payments`
const paying = (id: string, orderUuid: string, deposit?: object, fullPayment?: object) =>
  guest(
    id,
    {
      startDate: '2026-10-10T14:00',
      endDate: '2026-10-20T10:00',
      orderUuid,
      financial: { ...(deposit && { deposit }), ...(fullPayment && { fullPayment }) },
    },
    { firstName: 'Guest', lastName: id },
  )

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa({
        orderRules: { orderStatuses: { valid: ['confirmed'], void: ['cancelled'] }, paymentStatuses: {} },
      }),
      term('paymentType', 'pt-1', 'Bank', { names: { de: 'Überweisung' } }),
      order('one', { number: '0000123', orderDate: '2026-10-03T12:00', totalAmount: 500.3 }),
      ...paying(
        'a',
        'one',
        { amount: 100.1, paidAt: '2026-10-04T10:00:00Z', paymentType: 'pt-1', notes: '=cmd' },
        { amount: 200.2, paidAt: '2026-10-08T10:00:00Z', paymentType: 'cash' },
      ),
      ...paying('b', 'one', { amount: -50.05 }),
      order('two', { number: '142', orderDate: '2026-10-04T12:00', totalAmount: 7 }),
      ...paying('c', 'two'),
      order('gone', { orderDate: '2026-10-05T12:00', totalAmount: 9, status: 'cancelled' }),
      ...paying('d', 'gone', { amount: 30 }),
      order('krone', { orderDate: '2026-10-06T12:00', totalAmount: 90, currency: 'NOK' }),
      ...paying('f', 'krone', { amount: 8 }),
      order('later', { orderDate: '2026-11-05T12:00', totalAmount: 9 }),
      ...paying('e', 'later', { amount: 1000 }),
    ],
  })
})

const lines = async (query: string, language = 'en') =>
  (await api.get(`${PAYMENTS}${query}`, { 'x-locale': language })).text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')

describe('ruling 51: a table of payments', () => {
  it('has a row for each payment, by order and day, and what was paid back in a column of its own', async () => {
    const rows = (await lines('&format=csv&values=raw&bom=false')).map((line) => line.split(','))
    const at = (name: string) => rows[0]?.indexOf(name) ?? -1
    const column = (name: string) => rows.slice(1).map((row) => row[at(name)])
    expect(column('uuid')).toEqual(['one', 'one', 'one', 'gone', 'krone'])
    expect(column('payment.guest')).toEqual(['a', 'a', 'b', 'd', 'f'])
    expect(column('payment.kind')).toEqual(['deposit', 'fullPayment', 'deposit', 'deposit', 'deposit'])
    expect(column('payment.amount')).toEqual(['100.1', '200.2', '', '30', '8'])
    expect(column('payment.refund')).toEqual(['', '', '-50.05', '', ''])
    expect(column('payment.group')).toEqual(['valid', 'valid', 'valid', 'void', 'valid'])
    expect(column('payment.currency')).toEqual(['EUR', 'EUR', 'EUR', 'EUR', 'EUR'])
    expect(column('currency')).toEqual(['EUR', 'EUR', 'EUR', 'EUR', 'NOK'])
    // The total of an order is not a payment.
    expect(at('totalAmount')).toBe(-1)
  })

  it('has the totals of the control of orders', async () => {
    const rows = (await lines('&format=csv&values=raw&bom=false')).map((line) => line.split(','))
    const at = (name: string) => rows[0]?.indexOf(name) ?? -1
    const sum = (name: string, groups: readonly string[], currency = 'EUR') =>
      rows
        .slice(1)
        .filter((row) => groups.includes(row[at('payment.group')] ?? '') && row[at('currency')] === currency)
        .reduce((all, row) => all + Math.round(Number(row[at(name)]) * 100), 0) / 100
    const { body } = await api.get(`/v1/orders/control?${RANGE}&includePayments=true`)
    const { payments } = (
      body.currencies as { currency: string; payments: Record<string, { total: number }> }[]
    ).find(({ currency }) => currency === 'EUR')!
    expect(sum('payment.amount', ['valid', 'open'])).toBe(payments.paid?.total)
    expect(sum('payment.refund', ['valid', 'open'])).toBe(payments.paidBack?.total)
    const others = ['void', 'notDecided']
    expect(sum('payment.amount', others) + sum('payment.refund', others)).toBe(payments.paidOfOthers?.total)
    const { total } = body.paymentsInOtherCurrency as { total: number }
    expect(sum('payment.amount', ['valid', 'open'], 'NOK')).toBe(total)
  })

  it('has headings, decimals, days and words of the language, and no formula', async () => {
    const [headings, first, second] = await lines('&format=csv', 'de')
    expect(headings).toMatch(/;Zahlungsdatum;/)
    expect(first).toContain('"=""0000123"""')
    expect(first).toMatch(/;Guest a;2026-10-04;Anzahlung;Überweisung;100,1;;EUR;/)
    expect(first).not.toMatch(/;=cmd/)
    expect(second).toContain('Barzahlung')
  })

  it('has a heading in every language', () => {
    for (const language of LANGUAGES) {
      for (const name of [
        'group',
        'guest',
        'paidAt',
        'kind',
        'paymentType',
        'amount',
        'refund',
        'currency',
        'notes',
      ]) {
        expect(orderLabel(`payment.${name}`, language), `${name} in ${language}`).toBeTruthy()
      }
    }
  })

  it('has headings alone if nothing was paid', async () => {
    const none = await api.get('/v1/orders?startDate=2026-01-01&endDate=2026-01-31&rows=payments&format=csv')
    expect(none.text.trimEnd().split('\r\n')).toHaveLength(1)
    expect(await lines('&format=csv&orderNumber=142')).toHaveLength(1)
  })

  it('follows a payment, although the order has not changed', async () => {
    const own = await api.newCenter([
      order('o', { orderDate: '2026-10-03T12:00', totalAmount: 10 }),
      ...paying('p', 'o'),
    ])
    const count = async () =>
      (await own.get(`${PAYMENTS}&format=csv`)).text.trimEnd().split('\r\n').length - 1
    expect(await count()).toBe(0)
    const tag = (await own.get(`${PAYMENTS}&format=csv`)).headers.etag
    await api.load([{ kind: 'booking', centerId: own.id, id: 'p', financial: { deposit: { amount: 5 } } }])
    expect(await count()).toBe(1)
    expect((await own.get(`${PAYMENTS}&format=csv`)).headers.etag).not.toBe(tag)
  })
})

describe('ruling 51: payments', () => {
  it('need guests.financial; rows of orders and items do not', async () => {
    const asker = api.as(await api.createKey({ scopes: ['orders', 'guests', 'guests.paid'] }))
    const refused = await asker.get(`${PAYMENTS}&format=csv`)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('guests.financial')
    expect((await asker.get(`/v1/orders?${RANGE}&rows=items&format=csv`)).status).toBe(200)
  })

  it('of another center with the same order are not in the table', async () => {
    const own = await api.newCenter([
      order('one', { orderDate: '2026-10-03T12:00', totalAmount: 10 }),
      ...paying('a', 'one', { amount: 1 }),
    ])
    const { text } = await own.get(`${PAYMENTS}&format=csv&values=raw`)
    expect(text).not.toContain('100.1')
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
  })

  it('cannot be limited to changes of orders', async () => {
    const { body } = await api.get('/v1/changes')
    const answer = await api.get(`${PAYMENTS}&format=csv&changedAfter=${String(body.cursor)}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Rows of payments cannot be limited to changes')
  })

  it('leave the guests in the audit trail', async () => {
    expect((await api.get(`${PAYMENTS}&format=csv`)).status).toBe(200)
    await expect
      .poll(async () => (await readsInTrail(api.database)).map(({ recordIds }) => recordIds))
      .toContainEqual(expect.arrayContaining(['one', 'a', 'b', 'gone', 'd']))
  })
})
