/** `GET /orders/{uuid}`: one order. */
import { errors } from '../../errors/api-error.ts'
import { ORDER } from '../../records/order.ts'
import { defineOperation, firstRevision, type RequiredScope } from '../../request/operation.ts'
import { booleanParameter, IDENTIFIER } from '../../request/parameter-kinds.ts'
import { quote, readParameters, refusalOf } from '../../request/parameters.ts'
import { guestsOf } from './order-guests.ts'
import { orderParameters } from './order-parameters.ts'
import { ORDER_SCHEMA } from './order-schema.ts'
import { selectOrder } from './orders-sql.ts'
import { checksOf, extrasOf, labelsOf, paymentsFrom } from './present-extras.ts'

/** 8-4-4-4-12 hexadecimal digits; version and variant are not checked (ruling 33). */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const parameters = {
  ...orderParameters,
  includeDetails: booleanParameter({
    description:
      'When true, `orderNumber` and `currency` are included. Programs that accept further fields should ask for them.',
  }),
  includeLabels: booleanParameter({
    description: 'When true, the labels of status and payment in the language of the answer are included.',
  }),
  includeChecks: booleanParameter({
    description:
      'When true, the order is checked as in the control of orders, and what does not fit is included.',
  }),
  includeGuests: booleanParameter({
    description:
      'When true, the guests of the order are included, each with its name and its identifier in `GET /guests`.',
  }),
  includePayments: booleanParameter({
    description:
      'When true, deposits and payments of the order’s bookings are included. Needs the scope `guests.financial`.',
  }),
} as const

export const getOrder = defineOperation({
  name: 'getOrder',
  summary: 'Read one order',
  description:
    'One order, raw: numbers, raw status values, ISO timestamps. `formatDates=true` shows `orderDate` as a localized date, `includeDetails=true` adds `orderNumber` and the `currency` of its amounts. Order identifiers are opaque; those of another system work too.',
  paths: ['/orders/{uuid}'],
  scope: 'orders',
  dependsOn: ['language'],
  parameters,
  pathParameters: { uuid: { description: 'Order identifier.', schema: { type: 'string' } } },
  response: ORDER_SCHEMA,

  parse(context) {
    const { values, problems } = readParameters(parameters, context.query)
    const uuid = context.pathParameters.uuid ?? ''
    const refusal = refusalOf(problems)
    // Other texts are no order's, and are not looked up.
    const names = IDENTIFIER.test(uuid) ? namesOf(uuid) : []
    const { includeLabels, includeChecks, includeGuests, includePayments, includeGuestNames } = values
    const requiredScopes: RequiredScope[] = includePayments
      ? [{ scope: 'guests.financial', what: 'includePayments' }]
      : []
    if (refusal !== undefined) return { requiredScopes, refusal }
    const { center, language } = context
    const form = ORDER.single(values)
    const shown = {
      language,
      zone: center.timezone,
      currency: center.currency,
      withPayments: includePayments,
    }
    const extras = { control: includeChecks || includeGuests, payments: includePayments, language }
    return {
      requiredScopes,
      normalForm: JSON.stringify([uuid, ...Object.values(values)]),
      statement: selectOrder(center.id, names, includeGuestNames, extras),
      // Without an order there is none, so a replica that does not have it yet is not believed.
      revisionOf: (rows) => (rows.some((row) => ORDER.isRecord(row)) ? firstRevision(rows) : undefined),

      // Checks and payments are made from guests, sessions and terms too.
      dependencies:
        includeChecks || includeGuests || includePayments
          ? undefined
          : [{ kind: 'order', ids: names, columns: form.readColumns }],

      present(rows) {
        const found = rows.find((row) => ORDER.idOf(row) === uuid) ?? rows[0]
        if (found === undefined || !ORDER.isRecord(found)) throw notFound(uuid, found?.at(-1) === true)
        const { control, payments } = extrasOf(found)
        const record = form.json(found, { ...context, ...values })
        const extras = {
          ...(includeLabels ? { labels: labelsOf(found, language) } : {}),
          ...(control === null || !includeChecks ? {} : { checks: checksOf(control, shown) }),
          ...(control === null || !includeGuests ? {} : { guests: guestsOf(control[8] ?? []) }),
          ...(payments === null ? {} : { payments: paymentsFrom(payments, shown) }),
        }
        // The trail names the guests whose payments were read.
        const ids = [...new Set([ORDER.idOf(found), ...(payments ?? []).map(([guestId]) => guestId)])]
        const body =
          Object.keys(extras).length === 0
            ? record
            : `${record.toString().slice(0, -1)},${JSON.stringify(extras).slice(1)}`
        return { body, revision: found[0] as number, records: { count: ids.length, ids } }
      },
    }
  },
})

/** A UUID in upper case is the same UUID. */
function namesOf(uuid: string): readonly string[] {
  const small = uuid.toLowerCase()
  return UUID.test(uuid) && small !== uuid ? [uuid, small] : [uuid]
}

/**
 * Ruling 33: 404 for a text in the form of a UUID. For any other a 400, unless the center has or had orders with
 * identifiers of other systems: a client that follows deletions reads one that is gone.
 */
function notFound(uuid: string, hadOtherIds: boolean) {
  if (UUID.test(uuid) || hadOtherIds) return errors.notFound('There is no order with this identifier.')
  return errors.invalidParameters([
    {
      parameter: 'uuid',
      message: `${quote(uuid)} is neither an order of this center nor a UUID. Give the uuid of an order from GET /orders.`,
    },
  ])
}
