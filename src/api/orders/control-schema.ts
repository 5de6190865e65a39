/** The JSON Schema of the order check. */
import { object } from '../../request/object-schema.ts'
import { ORDER_CHECKS, PAYMENT_CHECKS } from './order-mismatches.ts'

const STRING = { type: 'string' }
const NULLABLE = { type: ['string', 'null'] }
const DAY = { type: 'string', format: 'date' }
const COUNT = { type: 'integer', minimum: 0 }
const SUM = {
  orders: COUNT,
  total: { type: 'number' },
  totalLabel: { ...STRING, description: 'formatted amount with currency symbol' },
}
const list = (description: string, items: unknown) => ({ type: 'array', description, items })

/** A check of bookings, not of orders. */
export const LOOSE_DEPOSIT = 'depositWithoutOrder'

/** Something in an order that does not fit. */
export const ORDER_PROBLEM = object({
  kind: { type: 'string', enum: ORDER_CHECKS },
  amount: {
    type: ['number', 'null'],
    description: 'the sum of the items, or of the deposits; null for other problems',
  },
  guestId: { ...NULLABLE, description: 'the guest whom the problem is about, or null' },
})

export const CONTROL_SCHEMA = object({
  orders: { ...COUNT, description: 'orders of the range' },
  currencies: list(
    'totals of each currency; currencies are never added to each other',
    object({
      currency: { ...STRING, description: 'ISO 4217 code' },
      ...SUM,
      byStatus: list('by order status', object({ status: STRING, label: STRING, ...SUM })),
      byDay: list('by local day, days with orders only', object({ date: DAY, ...SUM })),
    }),
  ),
  notChecked: list('checks that need `includePayments`, if it was not asked for', {
    type: 'string',
    enum: [...PAYMENT_CHECKS, LOOSE_DEPOSIT],
  }),
  doNotFit: { ...COUNT, description: 'orders in which something does not fit' },
  mismatches: list(
    'the first 1000 of them, by date',
    object(
      {
        uuid: STRING,
        orderNumber: NULLABLE,
        date: { ...DAY, description: 'local day of the order' },
        currency: STRING,
        total: { type: 'number' },
        totalLabel: STRING,
        status: STRING,
        statusLabel: STRING,
        paymentStatus: NULLABLE,
        paymentStatusLabel: NULLABLE,
        guestNames: list('with `includeGuestNames`: the main guest first', STRING),
        problems: list('what does not fit', ORDER_PROBLEM),
      },
      ['guestNames'],
    ),
  ),
  looseDeposits: {
    ...COUNT,
    description: 'guests whose stay begins in the range, with a deposit and no order',
  },
  depositsWithoutOrder: list(
    'the first 1000 of them, by start',
    object({
      guestId: STRING,
      date: { ...DAY, description: 'local day on which the stay begins' },
      amount: { type: 'number' },
      amountLabel: STRING,
    }),
  ),
})
