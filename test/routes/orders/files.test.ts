/** Tables of orders: a row for each order or for each item, in the language of the reader. */
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'
import { orderLabel } from '../../../src/core/locale/order-labels.ts'
import { ORDER } from '../../../src/core/records/order.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { order, spa } from '../../support/world.ts'

const OCTOBER = '/v1/orders?startDate=2026-10-01&endDate=2026-10-31'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa({ orderRules: { orderStatuses: { valid: ['confirmed'] }, paymentStatuses: { valid: ['paid'] } } }),
      order('one', {
        number: '0000123',
        orderDate: '2026-10-03T12:00',
        totalAmount: 120.6,
        items: [
          { itemId: 'i1', name: 'Stay', quantity: 3, price: 33.5 },
          { itemId: 'i2', name: 'Tea', quantity: 2, price: 10.05 },
        ],
      }),
      order('two', { number: '142', orderDate: '2026-10-04T12:00', totalAmount: 7, items: [] }),
      order('three', { orderDate: '2026-10-05T12:00', totalAmount: 9, status: 'draft' }),
    ],
  })
})

const lines = async (query: string, language = 'en') =>
  (await api.get(`${OCTOBER}${query}`, { 'x-locale': language })).text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')

describe('a table of orders', () => {
  it('has headings, decimals and dates of the language, and numbers of orders keep their zeros', async () => {
    const [headings, first, second] = await lines('&format=csv', 'de')
    expect(headings).toMatch(/^Auftragskennung;Auftragsnummer;Datum;Summe;Währung;Auftragsstatus;/)
    expect(first).toMatch(/^one;"=""0000123""";2026-10-03;120,6;EUR;Bestätigt;/)
    expect(second).toMatch(/^two;142;2026-10-04;7;EUR;/)
  })

  it('has raw numbers of orders for programs', async () => {
    const [headings, first] = await lines('&format=csv&values=raw&bom=false')
    expect(headings).toMatch(/^uuid,orderNumber,orderDate,totalAmount,/)
    expect(first).toMatch(/^one,0000123,2026-10-03T/)
  })

  it('has a row for each item, with line totals that add up, and the total of an order once', async () => {
    const rows = (await lines('&format=csv&rows=items')).map((line) => line.split(','))
    const at = (heading: string) => rows[0]?.indexOf(heading) ?? -1
    const column = (heading: string) => rows.slice(1).map((row) => row[at(heading)])
    expect(column('Order identifier')).toEqual(['one', 'one', 'two', 'three'])
    expect(column('Total')).toEqual(['120.6', '', '7', '9'])
    expect(column('Item')).toEqual(['Stay', 'Tea', '', ''])
    expect(column('Line total')).toEqual(['100.5', '20.1', '', ''])
  })

  it('has the filters of the page', async () => {
    expect(await lines('&format=csv&group=notDecided')).toHaveLength(2)
  })

  it.each(['', '&format=json', '&format=ndjson'])('400: rows without a table (%s)', async (format) => {
    const { status, body } = await api.get(`${OCTOBER}${format}&rows=items`)
    expect(status).toBe(400)
    expect(body.error.details?.map(({ parameter }) => parameter)).toEqual(['rows'])
  })

  it.each(LANGUAGES)('has a heading of its own for each column in %s', (language) => {
    const names = ORDER.listed({ includeGuestNames: true }).columns.map(({ name }) => name)
    const labels = names.map((name) => orderLabel(name, language))
    expect(labels).not.toContain(undefined)
    expect(new Set(labels).size).toBe(names.length)
  })
})
