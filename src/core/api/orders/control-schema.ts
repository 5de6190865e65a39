/** The JSON Schema of the order check. */
import { ORDER_GROUPS } from '../../records/centers/order-rules.ts'
import { object } from '../../request/object-schema.ts'
import { MONEY } from './order-groups.ts'
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
const NULLABLE_AMOUNT = { type: ['number', 'null'] }
const GROUP = { ...STRING, enum: [...ORDER_GROUPS] }
const REFUNDS = {
  ...object(SUM),
  description:
    '0 or negative, and in no total: orders with a negative total, and orders whose total was paid back',
}
const GROUP_SUM = {
  orders: COUNT,
  total: { type: 'number', description: 'without negative totals' },
  totalLabel: SUM.totalLabel,
  refunds: REFUNDS,
}
const STATUSES = {
  status: STRING,
  statusLabel: STRING,
  paymentStatus: NULLABLE,
  paymentStatusLabel: NULLABLE,
}

const MONEY_MEANS: Readonly<Record<(typeof MONEY)[number], string>> = {
  paid: 'payments of the orders’ bookings',
  paidBack: 'negative payments',
  open: 'not paid yet',
  notRecorded: 'of orders that say that they are paid: the part without a recorded payment',
  notComparable:
    'totals of orders with payments in the center’s currency, which is not theirs: how much is open is not known',
  overpaid: 'paid beyond the total',
}

/** A guest of an order. */
export const NAMED_GUEST = object({
  guestId: { ...STRING, description: '`id` of the guest in `GET /guests`' },
  name: STRING,
})

/** What is read of an order, wherever it is listed. */
const LISTED_ORDER = {
  uuid: STRING,
  orderNumber: NULLABLE,
  date: { ...DAY, description: 'local day of the order' },
  currency: STRING,
  total: { type: 'number' },
  totalLabel: STRING,
  ...STATUSES,
  group: { ...GROUP, description: 'by the center’s `orderRules`' },
  guestNames: { type: 'array', items: STRING, description: 'with `includeGuestNames`: the main guest first' },
  guests: {
    type: 'array',
    items: NAMED_GUEST,
    description: 'with `includeGuestNames`: the same guests, with their identifiers in `GET /guests`',
  },
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

export const CONTROL_SCHEMA = object(
  {
    orders: { ...COUNT, description: 'orders of the range' },
    currencies: list(
      'totals of each currency; currencies are never added to each other',
      object({
        currency: { ...STRING, description: 'ISO 4217 code' },
        ...SUM,
        byStatus: list('by order status', object({ status: STRING, label: STRING, ...SUM })),
        byDay: list('by local day, days with orders only', object({ date: DAY, ...SUM })),
        groups: list(
          'the four groups, which the center’s `orderRules` decide; each order is in exactly one',
          object({
            group: GROUP,
            ...GROUP_SUM,
            byStatus: list('by order status and payment status', object({ ...STATUSES, ...GROUP_SUM })),
          }),
        ),
        payments: {
          ...object({
            ...Object.fromEntries(
              MONEY.map((name) => [name, { ...object(SUM), description: MONEY_MEANS[name] }]),
            ),
            paidOfOthers: {
              ...object(SUM),
              description: 'payments of orders that are not decided or void; they are in no other amount',
            },
          }),
          type: ['object', 'null'],
          description:
            'of the orders that are valid or open; null without `includePayments`. Their totals and refunds are paid + paidBack + open + notRecorded + notComparable - overpaid.',
        },
      }),
    ),
    statusesNotDecided: object({
      status: list('order statuses of the range that `orderRules` do not list', STRING),
      paymentStatus: list('payment statuses of the range that `orderRules` do not list', STRING),
    }),
    paymentsInOtherCurrency: {
      ...object({ currency: STRING, ...SUM }),
      type: ['object', 'null'],
      description:
        'payments in the center’s currency, of orders in another one; null without `includePayments`',
    },
    checked: list('checks that were made', { type: 'string', enum: [...ORDER_CHECKS, LOOSE_DEPOSIT] }),
    notChecked: list('checks that need `includePayments`, if it was not asked for', {
      type: 'string',
      enum: [...PAYMENT_CHECKS, LOOSE_DEPOSIT],
    }),
    doNotFit: { ...COUNT, description: 'orders in which something does not fit' },
    mismatches: list(
      'the first 1000 of them, by date',
      object({ ...LISTED_ORDER, problems: list('what does not fit', ORDER_PROBLEM) }, [
        'guestNames',
        'guests',
      ]),
    ),
    listed: {
      ...list(
        'with `includeOrders`: the first 1000 orders, by date',
        object(
          {
            ...LISTED_ORDER,
            doesNotFit: { type: 'boolean', description: 'whether it is among the mismatches' },
            paid: {
              ...NULLABLE_AMOUNT,
              description: 'null without `includePayments`, or if the payments are in another currency',
            },
            open: {
              ...NULLABLE_AMOUNT,
              description: 'null if it is not known, and for orders that are neither valid nor open',
            },
          },
          ['guestNames', 'guests'],
        ),
      ),
    },
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
  },
  ['listed'],
)
