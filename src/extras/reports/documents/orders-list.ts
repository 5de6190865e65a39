/** The orders of the month that the day before the report's day is in: on the first of a month, of the month that has ended. */
import type { ListedOrder } from './console-parts.ts'
import type { Block, ReportDocument } from './document.ts'
import { finishDocument, type Making, startWriting } from './writing.ts'

export async function ordersList(making: Making): Promise<ReportDocument> {
  const writing = await startWriting(making)
  const { t, parts, language, day, center } = writing
  const before = Temporal.PlainDate.from(day).subtract({ days: 1 })
  const from = before.with({ day: 1 }).toString()
  const until = before.with({ day: before.daysInMonth }).toString()
  const asked = await making.ask(`/orders?startDate=${from}&endDate=${until}`, language)
  const orders = JSON.parse(asked.body) as ListedOrder[]
  const dayOf = (moment: string) => parts.localTime(moment, center.timezone).day
  const totals = totalsOf(orders)
  const amount = (value: number, currency: string) => parts.amountText(value, currency, language)
  const blocks: Block[] =
    orders.length === 0
      ? [{ kind: 'paragraph', style: 'notice', text: t('noOrders') }]
      : [
          {
            kind: 'table',
            caption: t('total'),
            headings: [t('status'), t('number'), t('total')],
            rows: totals.flatMap(({ currency, count, amount: sum, byStatus }) => [
              ...[...byStatus].map(([status, one]) => ({
                cells: [status, parts.numberText(one.count, language), amount(one.amount, currency)],
              })),
              {
                cells: [
                  `${t('total')} ${currency}`,
                  parts.numberText(count, language),
                  amount(sum, currency),
                ],
                isStrong: true,
              },
            ]),
            numbers: [1, 2],
          },
          {
            kind: 'table',
            caption: t('orders'),
            headings: [t('order'), t('date'), t('status'), t('payment'), t('total')],
            rows: orders.map((order) => ({
              cells: [
                parts.nameOfOrder(order),
                parts.writtenDay(dayOf(order.ids.orderDate), language),
                order.status ?? '–',
                order.paymentStatus ?? '–',
                order.totalAmount ?? '–',
              ],
            })),
            numbers: [4],
          },
        ]
  return finishDocument(writing, {
    heading: [t('orders'), `${parts.writtenDay(from, language)} – ${parts.writtenDay(until, language)}`],
    page: t('orders'),
    ages: ['orders'],
    asked,
    blocks,
    file: {
      name: 'orders',
      headings: ['orderNumber', 'uuid', 'orderDate', 'status', 'paymentStatus', 'totalAmount', 'currency'],
      rows: orders.map(({ orderNumber, uuid, ids }) => [
        orderNumber,
        uuid,
        dayOf(ids.orderDate),
        ids.status,
        ids.paymentStatus,
        ids.totalAmount,
        ids.currency,
      ]),
    },
  })
}

interface Sum {
  count: number
  amount: number
}

/** Each currency by itself, because amounts of two currencies have no sum; by the label of the status. */
function totalsOf(
  orders: readonly ListedOrder[],
): (Sum & { readonly currency: string; readonly byStatus: ReadonlyMap<string, Sum> })[] {
  const found = new Map<string, { sum: Sum; byStatus: Map<string, Sum> }>()
  for (const { ids, status } of orders) {
    const of = found.get(ids.currency) ?? { sum: { count: 0, amount: 0 }, byStatus: new Map() }
    const own = of.byStatus.get(status ?? '–') ?? { count: 0, amount: 0 }
    for (const sum of [of.sum, own]) {
      sum.count += 1
      sum.amount += ids.totalAmount ?? 0
    }
    of.byStatus.set(status ?? '–', own)
    found.set(ids.currency, of)
  }
  return [...found].map(([currency, { sum, byStatus }]) => ({ currency, ...sum, byStatus }))
}
