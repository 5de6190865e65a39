/**
 * Makes orders from rows: humanized in the list, with the raw values in `ids` (rulings 30 and 40); raw for a single
 * order (ruling 31).
 */
import { formatAmount } from '../locale/amounts.ts'
import { formatMomentDate, isoMoment } from '../locale/dates.ts'
import { labelOf } from '../locale/labels.ts'
import type { Language } from '../locale/languages.ts'
import { compareNames, fullName } from '../locale/names.ts'

interface Item {
  readonly name: string
  readonly quantity: number
  readonly price: number
  readonly itemId: string
}

/** The selected values of `orders-sql.ts`. */
export type OrderRow = readonly [
  revision: number,
  uuid: string,
  number: string | null,
  orderDate: number,
  totalAmount: number,
  currency: string | null,
  status: string,
  paymentMethod: string | null,
  paymentStatus: string | null,
  items: readonly Item[],
  createdAt: number | null,
  updatedAt: number | null,
  billingAddress: Partial<Record<'street' | 'city' | 'zip' | 'country', string>> | null,
  notes: string | null,
  guestNames: readonly (readonly [first: string, last: string, main: boolean])[] | null,
]

export interface OrderContext {
  readonly language: Language
  readonly zone: string
  /** of the center, for orders without a currency */
  readonly currency: string
  readonly formatDates: boolean
  readonly includeGuestNames: boolean
}

/** An item of `GET /orders`. */
export function presentListedOrder(row: OrderRow, context: OrderContext) {
  const [
    ,
    uuid,
    number,
    orderDate,
    totalAmount,
    ownCurrency,
    status,
    paymentMethod,
    paymentStatus,
    items,
    createdAt,
    updatedAt,
  ] = row
  const { language } = context
  const currency = ownCurrency ?? context.currency
  const moment = (at: number | null) =>
    at !== null && context.formatDates ? formatMomentDate(language, context.zone, at) : isoOrNull(at)
  return {
    uuid,
    orderNumber: number,
    orderDate: formatMomentDate(language, context.zone, orderDate),
    totalAmount: formatAmount(language, currency, totalAmount),
    status: labelOf(language, 'orderStatus', status),
    ...(context.includeGuestNames ? { guestNames: namesOf(row).join(', ') } : {}),
    items: items.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      price: formatAmount(language, currency, item.price),
    })),
    paymentMethod: paymentMethod === null ? null : labelOf(language, 'paymentMethod', paymentMethod),
    paymentStatus: paymentStatus === null ? null : labelOf(language, 'paymentStatus', paymentStatus),
    createdAt: moment(createdAt),
    updatedAt: moment(updatedAt),
    ids: {
      orderDate: isoMoment(orderDate),
      totalAmount,
      currency,
      status,
      items: items.map((item) => ({ price: item.price })),
      paymentMethod,
      paymentStatus,
      createdAt: isoOrNull(createdAt),
      updatedAt: isoOrNull(updatedAt),
    },
  }
}

/**
 * The record of `GET /orders/{uuid}`. `formatDates=true` localizes `orderDate`, and nothing else. All fields are always
 * present (ruling 21), and the address is always an object.
 */
export function presentOrder(row: OrderRow, context: OrderContext) {
  const [
    ,
    uuid,
    number,
    orderDate,
    totalAmount,
    currency,
    status,
    paymentMethod,
    paymentStatus,
    items,
    createdAt,
    updatedAt,
    billing,
    notes,
  ] = row
  return {
    uuid,
    orderNumber: number,
    orderDate: context.formatDates
      ? formatMomentDate(context.language, context.zone, orderDate)
      : isoMoment(orderDate),
    totalAmount,
    currency: currency ?? context.currency,
    status,
    ...(context.includeGuestNames ? { guestNames: namesOf(row) } : {}),
    items: items.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      price: item.price,
      itemId: item.itemId,
    })),
    billingAddress: {
      street: billing?.street ?? null,
      city: billing?.city ?? null,
      zip: billing?.zip ?? null,
      country: billing?.country ?? null,
    },
    paymentMethod,
    paymentStatus,
    notes,
    createdAt: isoOrNull(createdAt),
    updatedAt: isoOrNull(updatedAt),
  }
}

const isoOrNull = (at: number | null) => (at === null ? null : isoMoment(at))

/** Main guest first, then by last name, first name (ruling 32). */
function namesOf(row: OrderRow): string[] {
  return namesInOrder(row[14] ?? [])
}

export function namesInOrder(
  names: readonly (readonly [first: string, last: string, main: boolean])[],
): string[] {
  return [...names]
    .sort(
      ([firstA, lastA, mainA], [firstB, lastB, mainB]) =>
        Number(mainB) - Number(mainA) || compareNames(lastA, lastB) || compareNames(firstA, firstB),
    )
    .map(([first, last]) => fullName(first, last))
}
