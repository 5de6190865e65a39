/**
 * The orders of the month that the day before the report's day is in: on the first of a month, of the month that has ended.
 * What does not fit first, then the totals by group and status, then each order, as the console prints them.
 */
import type { ListedOrder, OrderControlAnswer } from '../../../../client/src/index.ts'
import { localTime, writtenDay } from '../../../documents/days.ts'
import { type MonthRow, monthRows, statusesNotDecided } from '../../../documents/month-rows.ts'
import { amountInColumn, amountText, numberText } from '../../../documents/numbers.ts'
import { nameOfOrder } from '../../../documents/order-name.ts'
import { problemTexts } from '../../../documents/problem-words.ts'
import type { Block, ReportDocument, Row } from './document.ts'
import { finishDocument, type Making, startWriting, type Writing } from './writing.ts'

/** A commit between the two reads is seen by their counts; then they are asked again. */
const READS_MAX = 3

interface Month {
  readonly orders: readonly ListedOrder[]
  readonly control: OrderControlAnswer
  /** whether the key may read payments */
  readonly hasPayments: boolean
}

export const ordersQuery = (from: string, until: string): string =>
  `/orders?startDate=${from}&endDate=${until}`
export const ordersControlQuery = (from: string, until: string): string =>
  `/orders/control?startDate=${from}&endDate=${until}`

export async function ordersList(making: Making): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { t, language, day, center } = writing
  const before = Temporal.PlainDate.from(day).subtract({ days: 1 })
  const from = before.with({ day: 1 }).toString()
  const until = before.with({ day: before.daysInMonth }).toString()
  const { asked, month } = await readMonth(making, from, until)
  const { orders, control } = month
  const dayOf = (moment: string) => localTime(moment, center.timezone).day
  const blocks: Block[] =
    control.orders === 0
      ? [{ kind: 'paragraph', style: 'notice', text: t('noOrders') }, ...looseDeposits(writing, control)]
      : [
          ...mismatches(writing, control),
          {
            kind: 'paragraph',
            style: 'small',
            text: `${t('lookedAtOrders')} ${t(control.notChecked.length > 0 ? 'paymentsNotChecked' : 'lookedAtPayments')}`,
          },
          ...notDecided(writing, control),
          totals(writing, month),
          { kind: 'paragraph', style: 'small', text: t('neverOneSum') },
          ...otherCurrency(writing, control),
          {
            kind: 'table',
            caption: t('orders'),
            showsCaption: true,
            headings: [t('order'), t('date'), t('status'), t('payment'), t('total')],
            rows: orders.map((order) => ({
              cells: [
                nameOfOrder(order),
                writtenDay(dayOf(order.ids.orderDate), language),
                order.status ?? '–',
                order.paymentStatus ?? '–',
                order.totalAmount ?? '–',
              ],
            })),
            numbers: [4],
          },
        ]
  return finishDocument(writing, {
    heading: [t('orders'), `${writtenDay(from, language)} – ${writtenDay(until, language)}`],
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

async function readMonth({ ask, language }: Making, from: string, until: string) {
  const { key } = JSON.parse((await ask('/me', language)).body) as { key: { scopes: readonly string[] } }
  const hasPayments = key.scopes.includes('guests.financial')
  const controlled = `${ordersControlQuery(from, until)}${hasPayments ? '&includePayments=true' : ''}`
  for (let read = 1; ; read += 1) {
    const asked = await ask(ordersQuery(from, until), language)
    const orders = JSON.parse(asked.body) as ListedOrder[]
    const control = JSON.parse((await ask(controlled, language)).body) as OrderControlAnswer
    if (control.orders === orders.length || read === READS_MAX) {
      return { asked, month: { orders, control, hasPayments } satisfies Month }
    }
  }
}

const heading = (text: string): Block => ({ kind: 'paragraph', style: 'heading', text })

function looseDeposits({ t }: Writing, control: OrderControlAnswer): Block[] {
  if (control.looseDeposits === 0) return []
  return [{ kind: 'paragraph', text: t('depositsWithoutOrder', { n: control.looseDeposits }) }]
}

/** What does not fit; the heading counts also what is not listed. */
function mismatches(writing: Writing, control: OrderControlAnswer): Block[] {
  const { t, language } = writing
  const { doNotFit, mismatches: found } = control
  if (doNotFit + control.looseDeposits === 0) return [{ kind: 'paragraph', text: t('everythingFits') }]
  return [
    heading(t('doesNotFit', { n: doNotFit })),
    ...looseDeposits(writing, control),
    ...(found.length < doNotFit
      ? [{ kind: 'paragraph', text: t('firstRows', { n: found.length }) } as const]
      : []),
    ...(found.length === 0
      ? []
      : [
          {
            kind: 'table',
            caption: t('doesNotFit', { n: doNotFit }),
            headings: [t('order'), t('date'), t('what'), t('status'), t('total')],
            rows: found.map((order) => ({
              cells: [
                nameOfOrder(order),
                writtenDay(order.date, language),
                problemTexts(t, order.problems, order.currency, language).join('. '),
                [order.statusLabel, order.paymentStatusLabel].filter(Boolean).join(', '),
                order.totalLabel,
              ],
            })),
            numbers: [4],
            widths: [18, 14, 36, 16, 16],
          } as const,
        ]),
  ]
}

function notDecided({ t }: Writing, control: OrderControlAnswer): Block[] {
  const names = statusesNotDecided(control)
  if (names.length === 0) return []
  return [{ kind: 'paragraph', style: 'notice', text: t('statusesNotDecided', { names: names.join(', ') }) }]
}

/** Each currency has a column, because amounts of two currencies have no sum. */
function totals({ t, language }: Writing, { control, hasPayments }: Month): Block {
  const { currencies } = control
  const amountsOf = ({ amounts }: MonthRow): string[] =>
    currencies.map(({ currency }, at) => {
      if (amounts === 'notPermitted') return t('notPermitted')
      const amount = amounts[at]
      return amount === undefined ? '–' : amountInColumn(amount, currency, language)
    })
  return {
    kind: 'table',
    caption: t('theMonth'),
    showsCaption: true,
    headings: [t('status'), ...currencies.map(({ currency }) => currency), t('orders')],
    rows: monthRows(t, control, hasPayments, language).map((row): Row => {
      if (row.kind === 'group')
        return { cells: [[row.name, row.note].filter(Boolean).join(' ')], isGroup: true }
      return {
        cells: [
          row.name,
          ...amountsOf(row),
          row.orders === undefined ? '' : numberText(row.orders, language),
        ],
        isStrong: row.isBold,
      }
    }),
    numbers: [...currencies.map((_, at) => at + 1), currencies.length + 1],
  }
}

function otherCurrency({ t, language }: Writing, control: OrderControlAnswer): Block[] {
  const other = control.paymentsInOtherCurrency
  if (other === null || other.orders === 0) return []
  const amount = amountText(other.total, other.currency, language)
  return [{ kind: 'paragraph', text: t('paymentsInOtherCurrency', { amount }) }]
}
