/** `GET /orders/{uuid}`: one order. */
import { errors } from '../errors/api-error.ts'
import type { Answer, Operation } from '../request/operation.ts'
import { IDENTIFIER } from '../request/parameter-kinds.ts'
import { quote, readParameters, refuse } from '../request/parameters.ts'
import { orderParameters } from './order-parameters.ts'
import { ORDER_SCHEMA } from './order-schema.ts'
import { selectOrder } from './orders-sql.ts'
import { type OrderRow, presentOrder } from './present-order.ts'

/** 8-4-4-4-12 hexadecimal digits; version and variant are not looked at (ruling 33). */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const getOrder: Operation = {
  name: 'getOrder',
  summary: 'Read one order',
  description:
    'One order, raw: numbers, raw status values, ISO timestamps. `formatDates=true` shows `orderDate` as a localized date. Order identifiers are opaque; one in another system’s form is served where the order exists.',
  paths: ['/orders/{uuid}'],
  scope: 'orders',
  parameters: orderParameters,
  pathParameters: { uuid: { description: 'Order identifier.', schema: { type: 'string' } } },
  response: ORDER_SCHEMA,

  parse(context) {
    const { values, problems } = readParameters(orderParameters, context.query)
    refuse(problems)
    const uuid = context.pathParameters.uuid ?? ''
    return {
      normalForm: JSON.stringify([uuid, values.formatDates, values.includeGuestNames]),

      async answer(database): Promise<Answer> {
        const [row] = IDENTIFIER.test(uuid) ? await read(uuid) : []
        // A UUID that came in capitals is the same UUID.
        const [found] =
          row === undefined && UUID.test(uuid) && uuid !== uuid.toLowerCase()
            ? await read(uuid.toLowerCase())
            : [row]
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
          revision: found[0],
          records: { count: 1, ids: [record.uuid] },
        }

        async function read(identifier: string): Promise<OrderRow[]> {
          const rows = await database.queryArrays(
            selectOrder(context.center.id, identifier, values.includeGuestNames),
          )
          // Rows come in the select list's order.
          return rows as unknown as OrderRow[]
        }
      },
    }
  },
}

/** Ruling 33: 404 for what has the shape of a UUID, 400 for anything else. */
function notFound(uuid: string) {
  if (UUID.test(uuid)) return errors.notFound('There is no order with this identifier.')
  return errors.invalidParameters([
    {
      parameter: 'uuid',
      message: `${quote(uuid)} is no order of this center and no UUID; give the uuid of an order as GET /orders lists it.`,
    },
  ])
}
