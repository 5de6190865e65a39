/** The JSON Schemas of orders, in the list and as a single record. */
import { inOrder } from '../../records/intake-fields.ts'
import { ORDER } from '../../records/order.ts'
import { requestOfSingle } from '../../records/record-parts.ts'
import { idsSchemas, requestedFields, shownSchemas, singleSchemas } from '../../records/record-schema.ts'
import { object } from '../../request/object-schema.ts'
import { NAMED_GUEST, ORDER_PROBLEM } from './control-schema.ts'
import { PAYMENT_CHECKS } from './order-mismatches.ts'

const STRING = { type: 'string' }
const NUMBER = { type: 'number' }
const NULLABLE_STRING = { type: ['string', 'null'] }
const CURRENCY = { ...STRING, description: 'ISO 4217 code', examples: ['EUR'] }

const list = (items: unknown) => ({ type: 'array', items })

const FIELDS = inOrder(ORDER.fields, ORDER.firstInAnswers ?? [])

const IDS = {
  ...object(idsSchemas(FIELDS)),
  description:
    'Raw values for programs, under the same paths, independent of `formatDates` and the language; `currency` applies to all amounts of the order.',
}

export const ORDER_LIST_SCHEMA = list(
  object({ ...shownSchemas(FIELDS), ids: IDS }, requestedFields(ORDER.fields)),
)

const LABELS = idsSchemas(ORDER.fields.filter(({ labels }) => labels !== undefined))

export const ORDER_SCHEMA = object(
  {
    ...singleSchemas(FIELDS, { billingAddress: 'always an object; parts without a value are null' }),
    labels: {
      ...object(LABELS),
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
    guests: {
      ...list(NAMED_GUEST),
      description: 'the guests of the order, the main guest first; only with includeGuests=true',
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
  [...requestedFields(ORDER.fields, requestOfSingle), 'labels', 'checks', 'guests', 'payments'],
)
