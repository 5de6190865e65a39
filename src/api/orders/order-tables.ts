/** The list of orders as a table: a row for each order, or for each item. */
import type { Column, FileRecord } from '../../answer/files/table.ts'
import type { ListTable } from '../../lists/define-list.ts'
import { amountNumber, exactAmount } from '../../locale/exact-amounts.ts'
import type { Language } from '../../locale/languages.ts'
import { orderLabel } from '../../locale/order-labels.ts'
import { enumParameter } from '../../request/parameter-kinds.ts'

export const rowsParameter = enumParameter({
  description:
    'For tables (`csv`, `xlsx`): a row for each of the `orders` (default), or for each of their `items`; an order without items has one row. Amounts of the order are in the first row of each order only, so that a column adds up.',
  values: ['orders', 'items'],
})

/** What is read here of a record of the list. */
interface ListedOrder extends FileRecord {
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly price: string }[]
  readonly ids: FileRecord & { readonly items: readonly { readonly price: number }[] }
}

/** Their digits are no numbers. */
const CODES: ReadonlySet<string> = new Set(['uuid', 'orderNumber'])

export function orderTable(
  rows: 'orders' | 'items',
  columns: readonly Column[],
  language: Language,
): ListTable {
  const named = columns.map(
    (column): Column => ({
      ...column,
      label: orderLabel(column.name, language),
      ...(CODES.has(column.name) && { kind: 'code' }),
    }),
  )
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
