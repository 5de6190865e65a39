/** Writes the orders of a list as JSON: humanized, with the raw values in `ids` (rulings 30 and 40). */
import { formatAmount } from '../locale/amounts.ts'
import { formatMomentDate } from '../locale/dates.ts'
import { type LabelKind, labelOf } from '../locale/labels.ts'
import { sharedJson as into } from '../request/json-bytes.ts'
import { partsOfRecord } from '../request/record-parts.ts'
import { ITEMS_PER_SLICE } from '../request/slices.ts'
import type { Item, Order } from './order-row.ts'
import { namesInOrder, type OrderContext } from './present-order.ts'

/** An order takes twice as long to write as a guest of a report. */
export const ORDERS_PER_SLICE = ITEMS_PER_SLICE / 2

/**
 * @param first what precedes the first order
 * @returns a part of a JSON list: these orders. All fields are always present (ruling 21).
 */
export function ordersJson(orders: readonly Order[], context: OrderContext, first: '[' | ','): Buffer {
  const parts = context.includeGuestNames ? WITH_NAMES : WITHOUT_NAMES
  into.begin()
  into.add(first === '[' ? LIST : COMMA)
  for (const [at, order] of orders.entries()) {
    if (at > 0) into.add(COMMA)
    addRecord(parts, order, context, order.currency ?? context.currency)
  }
  return into.end()
}

/** Writes a value of an order or an item. @param currency of the order */
type Add<T> = (of: T, context: OrderContext, currency: string) => void

interface Parts<T> {
  readonly values: readonly { readonly before: Buffer; readonly add: Add<T> }[]
  readonly end: Buffer
}

/** @param adds by name; a dotted name is nested */
function partsOf<T>(adds: Readonly<Record<string, Add<T>>>): Parts<T> {
  const { values, end } = partsOfRecord(Object.keys(adds).map((name) => name.split('.')))
  const all = Object.values(adds)
  return { values: values.map(({ before, of }) => ({ before, add: all[of] as Add<T> })), end }
}

function addRecord<T>({ values, end }: Parts<T>, of: T, context: OrderContext, currency: string): void {
  for (let at = 0; at < values.length; at += 1) {
    const { before, add } = values[at] as Parts<T>['values'][number]
    into.add(before)
    add(of, context, currency)
  }
  into.add(end)
}

const LIST = Buffer.from('[')
const COMMA = Buffer.from(',')
const END_OF_LIST = Buffer.from(']')

/** Makes the writer of an order's items. */
function items(parts: Parts<Item>): Add<Order> {
  return ({ items }, context, currency) => {
    into.add(LIST)
    for (let at = 0; at < items.length; at += 1) {
      if (at > 0) into.add(COMMA)
      addRecord(parts, items[at] as Item, context, currency)
    }
    into.add(END_OF_LIST)
  }
}

const addAmount = (amount: number, { language }: OrderContext, currency: string) =>
  into.addText(formatAmount(language, currency, amount))

const addMoment = (at: number | null) => (at === null ? into.addValue(null) : into.addMoment(at))

/** In ISO 8601, unless the client wants dates for people. */
function addDate(at: number | null, { language, zone, formatDates }: OrderContext): void {
  if (at !== null && formatDates) into.addText(formatMomentDate(language, zone, at))
  else addMoment(at)
}

const addLabel = (raw: string | null, kind: LabelKind, { language }: OrderContext) =>
  into.addValue(raw === null ? null : labelOf(language, kind, raw))

const RAW_ITEM = partsOf<Item>({
  price: ({ price }) => into.addValue(price),
})

const ITEM = partsOf<Item>({
  name: ({ name }) => into.addValue(name),
  quantity: ({ quantity }) => into.addValue(quantity),
  price: ({ price }, context, currency) => addAmount(price, context, currency),
})

const orderParts = (names: Readonly<Record<string, Add<Order>>>) =>
  partsOf<Order>({
    uuid: ({ uuid }) => into.addText(uuid),
    orderNumber: ({ number }) => into.addValue(number),
    orderDate: ({ orderDate }, { language, zone }) =>
      into.addText(formatMomentDate(language, zone, orderDate)),
    totalAmount: ({ totalAmount }, context, currency) => addAmount(totalAmount, context, currency),
    status: ({ status }, context) => addLabel(status, 'orderStatus', context),
    ...names,
    items: items(ITEM),
    paymentMethod: ({ paymentMethod }, context) => addLabel(paymentMethod, 'paymentMethod', context),
    paymentStatus: ({ paymentStatus }, context) => addLabel(paymentStatus, 'paymentStatus', context),
    createdAt: ({ createdAt }, context) => addDate(createdAt, context),
    updatedAt: ({ updatedAt }, context) => addDate(updatedAt, context),
    'ids.orderDate': ({ orderDate }) => into.addMoment(orderDate),
    'ids.totalAmount': ({ totalAmount }) => into.addValue(totalAmount),
    'ids.currency': (_, __, currency) => into.addText(currency),
    'ids.status': ({ status }) => into.addText(status),
    'ids.items': items(RAW_ITEM),
    'ids.paymentMethod': ({ paymentMethod }) => into.addValue(paymentMethod),
    'ids.paymentStatus': ({ paymentStatus }) => into.addValue(paymentStatus),
    'ids.createdAt': ({ createdAt }) => addMoment(createdAt),
    'ids.updatedAt': ({ updatedAt }) => addMoment(updatedAt),
  })

const WITHOUT_NAMES = orderParts({})
const WITH_NAMES = orderParts({
  guestNames: ({ guestNames }) => into.addText(namesInOrder(guestNames ?? []).join(', ')),
})
