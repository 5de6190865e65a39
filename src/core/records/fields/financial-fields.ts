/** The price of the stay and the payments for it, in the center's currency. */
import { labelOf } from '../../locale/labels.ts'
import { type About, asItIs, field, financial, type GuestField, paid } from './field.ts'
import { amount, asIs, jsonMomentDate, named } from './shown.ts'
import { booking, type PaidSource, type TermNames } from './source.ts'
import { PAID_STATES } from './statuses.ts'
import { STRING, value } from './value-kinds.ts'

const about = (description: string): About => financial('Financial', description)

/** Decided in the database. */
const PAID: PaidSource = { from: 'paid' }

export const financialFields: readonly GuestField[] = [
  amount(
    'financial.subtotal',
    booking.json('financial', 'subtotal', value.amount),
    about('Amount before discounts.'),
  ),
  amount('financial.total', booking.json('financial', 'total', value.amount), about('Amount to pay.')),
  named('financial.discountIds', booking.json('financial', 'discountIds', value.terms('discount')), {
    ...about('Names of the discounts.'),
    recordDescription: 'The discounts.',
    example: [['Early booking'], ['early']],
  }),
  ...payment('deposit', 'the deposit'),
  ...payment('fullPayment', 'the full payment'),
  field('paid', {
    ...paid(
      'Financial',
      'Whether the order of the guest is paid, without amounts: paid, partly paid, open, or not decided, if the center’s `orderRules` do not list its status or its payments are in another currency. Of a guest without an order: whether the price of the stay is paid. `null` if the order is void, or nothing is known.',
    ),
    schema: STRING,
    example: 'Partially paid',
    sources: [PAID],
    labels: 'paid',
    show: ({ language }, state) => (state === null ? null : labelOf(language, 'paid', state)),
    raw: { schema: { ...STRING, enum: PAID_STATES }, example: 'partlyPaid', value: asItIs },
  }),
]

function payment(part: 'deposit' | 'fullPayment', what: string): GuestField[] {
  const type = booking.json('financial', `${part}.paymentType`, value.term('paymentType'))
  return [
    amount(
      `financial.${part}.amount`,
      booking.json('financial', `${part}.amount`, value.amount),
      about(`Amount of ${what}.`),
    ),
    asIs(`financial.${part}.notes`, booking.json('financial', `${part}.notes`, value.longText), {
      ...about(`Notes on ${what}.`),
      example: 'By phone',
    }),
    jsonMomentDate(`financial.${part}.paidAt`, booking.json('financial', `${part}.paidAt`, value.moment), {
      ...about(`Day on which ${what} was paid.`),
      recordDescription: `When ${what} was paid.`,
    }),
    field(`financial.${part}.paymentType`, {
      ...about(`How ${what} was paid.`),
      stored: type,
      schema: STRING,
      example: 'Bank transfer',
      sources: [type, { from: 'terms', of: type } satisfies TermNames<string | null>],
      show: ({ language }, id, name) => name ?? (id === null ? null : labelOf(language, 'paymentMethod', id)),
      raw: { schema: STRING, example: 'bank_transfer', value: asItIs },
    }),
  ]
}
