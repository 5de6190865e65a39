/** An order as the statements of `orders-sql.ts` select it. */
import type { Rows } from '../request/operation.ts'
import type { ControlledOrder } from './order-mismatches.ts'
import type { PaymentRow } from './present-extras.ts'

export interface Item {
  readonly name: string
  readonly quantity: number
  readonly price: number
  readonly itemId: string
}

/** First and last name, of which a person may lack one, and whether the guest is the order's main one. */
export type OrderGuest = readonly [first: string | null, last: string | null, main: boolean]

/** Moments are epoch milliseconds, amounts are in units of the currency. */
export interface Order {
  /** of the center */
  readonly revision: number
  readonly uuid: string
  readonly number: string | null
  readonly orderDate: number
  readonly totalAmount: number
  /** null: the center's */
  readonly currency: string | null
  readonly status: string
  readonly paymentMethod: string | null
  readonly paymentStatus: string | null
  readonly items: readonly Item[]
  readonly createdAt: number | null
  readonly updatedAt: number | null
  readonly billingAddress: Partial<Record<'street' | 'city' | 'zip' | 'country', string>> | null
  readonly notes: string | null
  /** null if they were not requested */
  readonly guestNames: readonly OrderGuest[] | null
}

/** The values of a row, in the order of the select list. */
type OrderRow = readonly [
  revision: Order['revision'],
  uuid: Order['uuid'],
  number: Order['number'],
  orderDate: Order['orderDate'],
  totalAmount: Order['totalAmount'],
  currency: Order['currency'],
  status: Order['status'],
  paymentMethod: Order['paymentMethod'],
  paymentStatus: Order['paymentStatus'],
  items: Order['items'],
  createdAt: Order['createdAt'],
  updatedAt: Order['updatedAt'],
  billingAddress: Order['billingAddress'],
  notes: Order['notes'],
  guestNames: Order['guestNames'],
]

export const ordersOf = (rows: Rows): readonly Order[] => rows.map(orderOf)

export function orderOf(row: readonly unknown[]): Order {
  const values = row as unknown as OrderRow
  return {
    revision: values[0],
    uuid: values[1],
    number: values[2],
    orderDate: values[3],
    totalAmount: values[4],
    currency: values[5],
    status: values[6],
    paymentMethod: values[7],
    paymentStatus: values[8],
    items: values[9],
    createdAt: values[10],
    updatedAt: values[11],
    billingAddress: values[12],
    notes: values[13],
    guestNames: values[14],
  }
}

/** The last two values of a row of a single order; null if they were not requested. */
export function extrasOf(row: readonly unknown[]) {
  const [control, payments] = row.slice(15) as readonly unknown[]
  return {
    control: (control ?? null) as ControlledOrder | null,
    payments: (payments ?? null) as readonly PaymentRow[] | null,
  }
}
