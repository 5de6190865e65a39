/** The JSON Schemas of orders, in the list and as a single record. */
import { inOrder } from '../../records/intake-fields.ts'
import { ORDER } from '../../records/order.ts'
import { requestOfSingle } from '../../records/record-parts.ts'
import { idsSchemas, requestedFields, shownSchemas, singleSchemas } from '../../records/record-schema.ts'
import * as Schema from '../../request/object-schema.ts'
import { NAMED_GUEST } from './control-schema.ts'
import { ORDER_PROBLEM, PAYMENT_CHECKS } from './order-mismatches.ts'

const CURRENCY = { ...Schema.text(), description: 'ISO 4217 code', examples: ['EUR'] }

const FIELDS = inOrder(ORDER.fields, ORDER.firstInAnswers ?? [])

const IDS = Schema.described(
  Schema.object(idsSchemas(FIELDS)),
  'Raw values for programs, under the same paths, independent of `formatDates` and the language; `currency` applies to all amounts of the order.',
)

export const ORDER_LIST_SCHEMA = Schema.listOf(
  Schema.object({ ...shownSchemas(FIELDS), ids: IDS }, requestedFields(ORDER.fields)),
)

const LABELS = idsSchemas(ORDER.fields.filter(({ labels }) => labels !== undefined))

export const ORDER_SCHEMA = Schema.object(
  {
    ...singleSchemas(FIELDS, { billingAddress: 'always an object; parts without a value are null' }),
    labels: Schema.described(
      Schema.object(LABELS),
      'the labels of the list, in the language of the answer; only with includeLabels=true',
    ),
    checks: Schema.described(
      Schema.object({
        itemsTotal: Schema.numberOrNull('the sum of the items; null if the order has no items'),
        problems: Schema.listOf(ORDER_PROBLEM),
        notChecked: Schema.listOf(Schema.oneOf([...PAYMENT_CHECKS])),
      }),
      'what does not fit, as in the control of orders, and the checks that need includePayments=true; only with includeChecks=true',
    ),
    guests: Schema.described(
      Schema.listOf(NAMED_GUEST),
      'the guests of the order, the main guest first; only with includeGuests=true',
    ),
    payments: Schema.described(
      Schema.listOf(
        Schema.object({
          guestId: Schema.text(),
          kind: Schema.oneOf(['deposit', 'fullPayment']),
          amount: Schema.number(),
          currency: { ...CURRENCY, description: 'ISO 4217 code of the center' },
          paidAt: Schema.textOrNull('as recorded: a timestamp or a day'),
          paymentType: Schema.textOrNull(),
          paymentTypeLabel: Schema.textOrNull(),
          notes: Schema.textOrNull(),
        }),
      ),
      'deposits and payments of the order’s bookings, by day; empty if none is recorded; only with includePayments=true',
    ),
  },
  [...requestedFields(ORDER.fields, requestOfSingle), 'labels', 'checks', 'guests', 'payments'],
)
