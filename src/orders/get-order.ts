/** `GET /orders/{uuid}`: one order. */
import { errors } from '../errors/api-error.ts'
import { defineOperation } from '../request/operation.ts'
import { IDENTIFIER } from '../request/parameter-kinds.ts'
import { quote, readParameters, refusalOf } from '../request/parameters.ts'
import { orderParameters } from './order-parameters.ts'
import { ordersOf } from './order-row.ts'
import { ORDER_SCHEMA } from './order-schema.ts'
import { columnsOfOrders, selectOrder } from './orders-sql.ts'
import { presentOrder } from './present-order.ts'

/** 8-4-4-4-12 hexadecimal digits; version and variant are not checked (ruling 33). */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const getOrder = defineOperation({
  name: 'getOrder',
  summary: 'Read one order',
  description:
    'One order, raw: numbers, raw status values, ISO timestamps. `formatDates=true` shows `orderDate` as a localized date. Order identifiers are opaque; those of another system work too.',
  paths: ['/orders/{uuid}'],
  scope: 'orders',
  dependsOn: ['language'],
  parameters: orderParameters,
  pathParameters: { uuid: { description: 'Order identifier.', schema: { type: 'string' } } },
  response: ORDER_SCHEMA,

  parse(context) {
    const { values, problems } = readParameters(orderParameters, context.query)
    const uuid = context.pathParameters.uuid ?? ''
    const refusal = refusalOf(problems) ?? (IDENTIFIER.test(uuid) ? undefined : notFound(uuid))
    if (refusal !== undefined) return { needs: [], refusal }
    return {
      needs: [],
      normalForm: JSON.stringify([uuid, values.formatDates, values.includeGuestNames]),
      statement: selectOrder(context.center.id, namesOf(uuid), values.includeGuestNames),

      madeFrom: [{ kind: 'order', ids: namesOf(uuid), columns: columnsOfOrders(values.includeGuestNames) }],

      present(rows) {
        const orders = ordersOf(rows)
        const found = orders.find((order) => order.uuid === uuid) ?? orders[0]
        if (found === undefined) throw notFound(uuid)
        const record = presentOrder(found, {
          language: context.language,
          zone: context.center.timezone,
          currency: context.center.currency,
          formatDates: values.formatDates,
          includeGuestNames: values.includeGuestNames,
        })
        return {
          body: JSON.stringify(record),
          revision: found.revision,
          records: { count: 1, ids: [record.uuid] },
        }
      },
    }
  },
})

/** A UUID in upper case is the same UUID. */
function namesOf(uuid: string): readonly string[] {
  const small = uuid.toLowerCase()
  return UUID.test(uuid) && small !== uuid ? [uuid, small] : [uuid]
}

/** Ruling 33: 404 for a text in the form of a UUID, 400 for anything else. */
function notFound(uuid: string) {
  if (UUID.test(uuid)) return errors.notFound('There is no order with this identifier.')
  return errors.invalidParameters([
    {
      parameter: 'uuid',
      message: `${quote(uuid)} is neither an order of this center nor a UUID. Give the uuid of an order from GET /orders.`,
    },
  ])
}
