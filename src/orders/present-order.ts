/** Makes the raw record of a single order (ruling 31). */
import { formatMomentDate, isoMoment } from '../locale/dates.ts'
import type { Language } from '../locale/languages.ts'
import { compareNames, fullName } from '../locale/names.ts'
import type { Order, OrderGuest } from './order-row.ts'

export interface OrderContext {
  readonly language: Language
  readonly zone: string
  /** of the center, for orders without a currency */
  readonly currency: string
  readonly formatDates: boolean
  readonly includeGuestNames: boolean
}

/**
 * The record of `GET /orders/{uuid}`. `formatDates=true` localizes `orderDate`, and nothing else. All fields are always
 * present (ruling 21), and the address is always an object.
 */
export function presentOrder(order: Order, context: OrderContext) {
  const { uuid, orderDate, totalAmount, status, paymentMethod, paymentStatus, notes } = order
  const { billingAddress: billing } = order
  return {
    uuid,
    orderNumber: order.number,
    orderDate: context.formatDates
      ? formatMomentDate(context.language, context.zone, orderDate)
      : isoMoment(orderDate),
    totalAmount,
    currency: order.currency ?? context.currency,
    status,
    ...(context.includeGuestNames ? { guestNames: namesInOrder(order.guestNames ?? []) } : {}),
    items: order.items.map((item) => ({
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
    createdAt: isoOrNull(order.createdAt),
    updatedAt: isoOrNull(order.updatedAt),
  }
}

const isoOrNull = (at: number | null) => (at === null ? null : isoMoment(at))

/** Main guest first, then by last name, first name (ruling 32). */
export function namesInOrder(guests: readonly OrderGuest[]): string[] {
  return [...guests]
    .sort(
      ([firstA, lastA, mainA], [firstB, lastB, mainB]) =>
        Number(mainB) - Number(mainA) ||
        compareNames(lastA ?? firstA ?? '', lastB ?? firstB ?? '') ||
        compareNames(firstA ?? lastA ?? '', firstB ?? lastB ?? ''),
    )
    .map(([first, last]) => fullName(first, last))
}
