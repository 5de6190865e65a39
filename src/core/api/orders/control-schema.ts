/** The JSON Schema of the order check. */
import { ORDER_GROUPS } from '../../records/centers/order-rules.ts'
import * as Schema from '../../request/object-schema.ts'
import { MONEY } from './order-groups.ts'
import { ORDER_CHECKS, ORDER_PROBLEM, PAYMENT_CHECKS } from './order-mismatches.ts'

const SUM = {
  orders: Schema.count(),
  total: Schema.number(),
  totalLabel: Schema.text('formatted amount with currency symbol'),
}
const GROUP = Schema.oneOf([...ORDER_GROUPS])
const REFUNDS = Schema.described(
  Schema.object(SUM),
  '0 or negative, and in no total: orders with a negative total, and orders whose total was paid back',
)
const GROUP_SUM = {
  orders: Schema.count(),
  total: Schema.number('without negative totals'),
  totalLabel: SUM.totalLabel,
  refunds: REFUNDS,
}
const STATUSES = {
  status: Schema.text(),
  statusLabel: Schema.text(),
  paymentStatus: Schema.textOrNull(),
  paymentStatusLabel: Schema.textOrNull(),
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
export const NAMED_GUEST = Schema.object({
  guestId: Schema.text('`id` of the guest in `GET /guests`'),
  name: Schema.text(),
})

/** What is read of an order, wherever it is listed. */
const LISTED_ORDER = {
  uuid: Schema.text(),
  orderNumber: Schema.textOrNull(),
  date: Schema.day('local day of the order'),
  currency: Schema.text(),
  total: Schema.number(),
  totalLabel: Schema.text(),
  ...STATUSES,
  group: { ...GROUP, description: 'by the center’s `orderRules`' },
  guestNames: Schema.listOf(Schema.text(), 'with `includeGuestNames`: the main guest first'),
  guests: Schema.listOf(
    NAMED_GUEST,
    'with `includeGuestNames`: the same guests, with their identifiers in `GET /guests`',
  ),
}

/** A check of bookings, not of orders. */
export const LOOSE_DEPOSIT = 'depositWithoutOrder'

export const CONTROL_SCHEMA = Schema.object(
  {
    orders: Schema.count('orders of the range'),
    currencies: Schema.list(
      'totals of each currency; currencies are never added to each other',
      Schema.object({
        currency: Schema.text('ISO 4217 code'),
        ...SUM,
        byStatus: Schema.list(
          'by order status',
          Schema.object({ status: Schema.text(), label: Schema.text(), ...SUM }),
        ),
        byDay: Schema.list(
          'by local day, days with orders only',
          Schema.object({ date: Schema.day(), ...SUM }),
        ),
        groups: Schema.list(
          'the four groups, which the center’s `orderRules` decide; each order is in exactly one',
          Schema.object({
            group: GROUP,
            ...GROUP_SUM,
            byStatus: Schema.list(
              'by order status and payment status',
              Schema.object({ ...STATUSES, ...GROUP_SUM }),
            ),
          }),
        ),
        payments: Schema.orNull(
          Schema.object({
            ...Object.fromEntries(
              MONEY.map((name) => [name, Schema.described(Schema.object(SUM), MONEY_MEANS[name])]),
            ),
            paidOfOthers: Schema.described(
              Schema.object(SUM),
              'payments of orders that are not decided or void; they are in no other amount',
            ),
          }),
          'of the orders that are valid or open; null without `includePayments`. Their totals and refunds are paid + paidBack + open + notRecorded + notComparable - overpaid.',
        ),
      }),
    ),
    statusesNotDecided: Schema.object({
      status: Schema.list('order statuses of the range that `orderRules` do not list', Schema.text()),
      paymentStatus: Schema.list(
        'payment statuses of the range that `orderRules` do not list',
        Schema.text(),
      ),
    }),
    paymentsInOtherCurrency: Schema.orNull(
      Schema.object({ currency: Schema.text(), ...SUM }),
      'payments in the center’s currency, of orders in another one; null without `includePayments`',
    ),
    checked: Schema.list('checks that were made', Schema.oneOf([...ORDER_CHECKS, LOOSE_DEPOSIT])),
    notChecked: Schema.list(
      'checks that need `includePayments`, if it was not asked for',
      Schema.oneOf([...PAYMENT_CHECKS, LOOSE_DEPOSIT]),
    ),
    doNotFit: Schema.count('orders in which something does not fit'),
    mismatches: Schema.list(
      'the first 1000 of them, by date',
      Schema.object({ ...LISTED_ORDER, problems: Schema.list('what does not fit', ORDER_PROBLEM) }, [
        'guestNames',
        'guests',
      ]),
    ),
    listed: {
      ...Schema.list(
        'with `includeOrders`: the first 1000 orders, by date',
        Schema.object(
          {
            ...LISTED_ORDER,
            doesNotFit: Schema.flag('whether it is among the mismatches'),
            paid: Schema.numberOrNull(
              'null without `includePayments`, or if the payments are in another currency',
            ),
            open: Schema.numberOrNull(
              'null if it is not known, and for orders that are neither valid nor open',
            ),
          },
          ['guestNames', 'guests'],
        ),
      ),
    },
    looseDeposits: Schema.count('guests whose stay begins in the range, with a deposit and no order'),
    depositsWithoutOrder: Schema.list(
      'the first 1000 of them, by start',
      Schema.object({
        guestId: Schema.text(),
        date: Schema.day('local day on which the stay begins'),
        amount: Schema.number(),
        amountLabel: Schema.text(),
      }),
    ),
  },
  ['listed'],
)
