/** The list of orders as a table: a row for each order, for each item, or for each payment. */
import type { Column, FileRecord } from '../../answer/files/table.ts'
import type { ListTable } from '../../lists/shown-records.ts'
import { amountNumber, exactAmount } from '../../locale/exact-amounts.ts'
import { labelOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import { fullName } from '../../locale/names.ts'
import { orderLabel } from '../../locale/order-labels.ts'
import type { OrderGroup } from '../../records/centers/order-rules.ts'
import { enumParameter } from '../../request/parameter-kinds.ts'
import { type PaymentRow, paymentsFrom } from './present-extras.ts'

export const rowsParameter = enumParameter({
  description:
    'For tables (`csv`, `xlsx`): a row for each of the `orders` (default), for each of their `items` (an order without items has one row), or for each of the `payments` of their guests, which needs `guests.financial` (an order without payments has no row; what was paid back is in a column of its own). Amounts of the order are in the first row of each order only, so that a column adds up.',
  values: ['orders', 'items', 'payments'],
})

/** What is read here of a record of the list. */
interface ListedOrder extends FileRecord {
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly price: string }[]
  readonly ids: FileRecord & { readonly items: readonly { readonly price: number }[] }
}

export function orderTable(
  rows: 'orders' | 'items' | 'payments',
  columns: readonly Column[],
  language: Language,
): ListTable {
  const named = columns.map((column): Column => ({ ...column, label: orderLabel(column.name, language) }))
  if (rows === 'payments') {
    return {
      columns: [...named.filter(({ name }) => OF_PAYMENTS.has(name)), ...paymentColumns(language)],
      rows: (record, inTable) => paymentRows(record, inTable as PaymentsInTable, language),
      hasSeveralRows: true,
    }
  }
  if (rows === 'orders') return { columns: named, rows: (record) => [asRow(record)], hasSeveralRows: false }
  return {
    columns: named.flatMap((column) => (column.name === 'items' ? itemColumns(language) : [column])),
    rows: itemRows,
    hasSeveralRows: true,
  }
}

const itemColumns = (language: Language): Column[] =>
  (
    [
      ['name', 'text'],
      ['quantity', 'number'],
      ['price', 'number'],
      ['lineTotal', 'number'],
    ] as const
  ).map(([name, kind]) => ({
    name: `item.${name}`,
    label: orderLabel(`item.${name}`, language),
    kind,
    shown: ['item', name],
    raw: ['item', name],
  }))

/** What is shown of the order of a payment. If its currency is another one, the payment is in no sum of the control. */
const OF_PAYMENTS: ReadonlySet<string> = new Set([
  ...['uuid', 'orderNumber', 'orderDate', 'currency', 'status', 'paymentStatus'],
])

/** As `orders-sql.ts` selects them: in the currency of the center, with the guests of the order by identifier. */
export type PaymentsInTable = readonly [
  currency: string,
  group: OrderGroup,
  payments: readonly PaymentRow[],
  guests: readonly (readonly [id: string, first: string | null, last: string | null])[] | null,
]

const paymentColumns = (language: Language): Column[] =>
  (
    [
      ['group', 'text'],
      ['guest', 'text'],
      ['paidAt', 'moment'],
      ['kind', 'text'],
      ['paymentType', 'text'],
      ['amount', 'number'],
      ['refund', 'number'],
      ['currency', 'text'],
      ['notes', 'text'],
    ] as const
  ).map(([name, kind]) => ({
    name: `payment.${name}`,
    label: orderLabel(`payment.${name}`, language),
    kind,
    shown: ['payment', name],
    raw: ['payment', 'raw', name],
  }))

function paymentRows(
  record: FileRecord,
  [currency, group, payments, guests]: PaymentsInTable,
  language: Language,
): FileRecord[] {
  return paymentsFrom(payments, { language, currency }).map((payment) => {
    const { guestId, kind, amount, paidAt, paymentType, paymentTypeLabel, notes } = payment
    const [, first = null, last = null] = guests?.find(([id]) => id === guestId) ?? []
    const common = {
      ...{ paidAt, currency, notes },
      amount: amount >= 0 ? amount : null,
      refund: amount >= 0 ? null : amount,
    }
    const shown = {
      ...common,
      group: labelOf(language, 'orderGroup', group),
      guest: fullName(first, last) || guestId,
      kind: labelOf(language, 'payment', kind),
      paymentType: paymentTypeLabel,
    }
    return { ...record, payment: { ...shown, raw: { ...common, group, guest: guestId, kind, paymentType } } }
  })
}

/** A cell has no room for a table. */
function asRow(record: FileRecord): FileRecord {
  const { items } = record as ListedOrder
  return { ...record, items: items.map(({ name, quantity, price }) => `${quantity} × ${name} (${price})`) }
}

function itemRows(record: FileRecord): FileRecord[] {
  const { items, ids } = record as ListedOrder
  if (items.length === 0) return [record]
  return items.map(({ name, quantity }, at) => {
    const price = ids.items[at]?.price ?? null
    const lineTotal = price === null ? null : lineTotalOf(quantity, price)
    const own = at === 0 ? record : { ...record, totalAmount: null, ids: { ...ids, totalAmount: null } }
    return { ...own, item: { name, quantity, price, lineTotal } }
  })
}

/** Exact, as far as the numbers are written without an exponent. */
function lineTotalOf(quantity: number, price: number): number {
  const [count, each] = [String(quantity), String(price)]
  if (/e/.test(count + each)) return quantity * price
  return amountNumber((exactAmount(count) * exactAmount(each)) / exactAmount('1'))
}
