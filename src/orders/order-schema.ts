/** The JSON Schemas of orders, in the list and as a single record. */
import { object } from '../request/object-schema.ts'
import { ORDER_PROBLEM } from './control-schema.ts'
import { PAYMENT_CHECKS } from './order-mismatches.ts'

const STRING = { type: 'string' }
const NUMBER = { type: 'number' }
const NULLABLE_STRING = { type: ['string', 'null'] }
const MOMENT = { type: 'string', format: 'date-time' }
const NULLABLE_MOMENT = { type: ['string', 'null'], format: 'date-time' }
const CURRENCY = { ...STRING, description: 'ISO 4217 code', examples: ['EUR'] }

const list = (items: unknown) => ({ type: 'array', items })

const LISTED_MOMENT = {
  type: ['string', 'null'],
  description: 'ISO 8601 timestamp; a localized date when formatDates=true',
}

const IDS = {
  ...object({
    orderDate: MOMENT,
    totalAmount: NUMBER,
    currency: CURRENCY,
    status: STRING,
    items: list(object({ price: NUMBER })),
    paymentMethod: NULLABLE_STRING,
    paymentStatus: NULLABLE_STRING,
    createdAt: NULLABLE_MOMENT,
    updatedAt: NULLABLE_MOMENT,
  }),
  description:
    'Raw values for programs, under the same paths, independent of `formatDates` and the language; `currency` applies to all amounts of the order.',
}

export const ORDER_LIST_SCHEMA = list(
  object(
    {
      uuid: STRING,
      orderNumber: NULLABLE_STRING,
      orderDate: { ...STRING, description: 'localized date' },
      totalAmount: { ...STRING, description: 'formatted amount with currency symbol' },
      status: { ...STRING, description: 'localized label' },
      guestNames: {
        ...STRING,
        description:
          'names joined by a comma and a space, empty if the order has no guests; only with includeGuestNames=true',
      },
      items: list(
        object({ name: STRING, quantity: NUMBER, price: { ...STRING, description: 'formatted amount' } }),
      ),
      paymentMethod: { ...NULLABLE_STRING, description: 'localized label' },
      paymentStatus: { ...NULLABLE_STRING, description: 'localized label' },
      createdAt: LISTED_MOMENT,
      updatedAt: LISTED_MOMENT,
      ids: IDS,
    },
    ['guestNames'],
  ),
)

export const ORDER_SCHEMA = object(
  {
    uuid: STRING,
    orderNumber: NULLABLE_STRING,
    orderDate: { ...STRING, description: 'ISO 8601 timestamp; a localized date when formatDates=true' },
    totalAmount: NUMBER,
    currency: CURRENCY,
    status: STRING,
    guestNames: {
      ...list(STRING),
      description: 'empty if the order has no guests; only with includeGuestNames=true',
    },
    items: list(object({ name: STRING, quantity: NUMBER, price: NUMBER, itemId: STRING })),
    billingAddress: {
      ...object({
        street: NULLABLE_STRING,
        city: NULLABLE_STRING,
        zip: NULLABLE_STRING,
        country: NULLABLE_STRING,
      }),
      description: 'always an object; parts without a value are null',
    },
    paymentMethod: NULLABLE_STRING,
    paymentStatus: NULLABLE_STRING,
    notes: NULLABLE_STRING,
    createdAt: NULLABLE_MOMENT,
    updatedAt: NULLABLE_MOMENT,
    labels: {
      ...object({ status: STRING, paymentMethod: NULLABLE_STRING, paymentStatus: NULLABLE_STRING }),
      description: 'the labels of the list, in the language of the answer; only with includeLabels=true',
    },
    checks: {
      ...object({
        itemsTotal: {
          type: ['number', 'null'],
          description: 'the sum of the items; null if the order has no items',
        },
        problems: list(ORDER_PROBLEM),
        notChecked: list({ type: 'string', enum: [...PAYMENT_CHECKS] }),
      }),
      description:
        'what does not fit, as in the control of orders, and the checks that need includePayments=true; only with includeChecks=true',
    },
    payments: {
      ...list(
        object({
          guestId: STRING,
          kind: { type: 'string', enum: ['deposit', 'fullPayment'] },
          amount: NUMBER,
          currency: { ...CURRENCY, description: 'ISO 4217 code of the center' },
          paidAt: { ...NULLABLE_STRING, description: 'as recorded: a timestamp or a day' },
          paymentType: NULLABLE_STRING,
          paymentTypeLabel: NULLABLE_STRING,
          notes: NULLABLE_STRING,
        }),
      ),
      description:
        'deposits and payments of the order’s bookings, by day; empty if none is recorded; only with includePayments=true',
    },
  },
  ['guestNames', 'labels', 'checks', 'payments'],
)
