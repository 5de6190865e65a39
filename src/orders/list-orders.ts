/** `GET /orders`: the orders within a date range, all of them. */

import type { Database } from '../database/database.ts'
import { errors } from '../errors/api-error.ts'
import { resolveBounds } from '../request/bounds.ts'
import type { Answer, Operation } from '../request/operation.ts'
import { dateParameter } from '../request/parameter-kinds.ts'
import { missingDates, readParameters, refuse } from '../request/parameters.ts'
import { orderParameters } from './order-parameters.ts'
import { ORDER_LIST_SCHEMA } from './order-schema.ts'
import { countOrders, selectOrders } from './orders-sql.ts'
import { type OrderContext, type OrderRow, presentListedOrder } from './present-order.ts'

const parameters = {
  startDate: dateParameter({ description: 'From this day. Required.' }),
  endDate: dateParameter({ description: 'To this day. Required.' }),
  ...orderParameters,
} as const

/** Up to so many orders are one text that can be kept; more are streamed, so that memory stays flat. */
const HELD_ORDERS_MAX = 1000

/** Fewer cost round trips, more cost memory: 1000 of them kept 13 MB more resident while a year was streamed. */
const ORDERS_PER_PIECE = 200

export const listOrders: Operation = {
  name: 'listOrders',
  summary: 'List orders',
  description:
    'The orders within a date range, humanized, by `orderDate`, then `uuid`; the raw values are in `ids`. There are no pages: a range with very many orders is streamed. A stream that fails midway ends with a broken connection, never with a well-formed but cut list.',
  paths: ['/orders'],
  scope: 'orders',
  parameters,
  required: ['startDate', 'endDate'],
  response: ORDER_LIST_SCHEMA,

  parse(context) {
    const { values, problems } = readParameters(parameters, context.query)
    const missing = missingDates(context.query)
    // Ruling 10: the interface answers a missing date with 404; a date that is no date is still a 400.
    if (missing.length > 0 && problems.length === 0) {
      throw errors.notFound('GET /orders needs startDate and endDate, both as YYYY-MM-DD.', missing)
    }
    const { bounds, problems: order } = resolveBounds(values, context.center.timezone)
    refuse([...problems, ...missing, ...order])
    const shown: OrderContext = {
      language: context.language,
      zone: context.center.timezone,
      currency: context.center.currency,
      formatDates: values.formatDates,
      includeGuestNames: values.includeGuestNames,
    }
    const select = (limit: number | undefined) =>
      selectOrders(context.center.id, bounds, values.includeGuestNames, limit)
    return {
      normalForm: JSON.stringify([bounds, values.formatDates, values.includeGuestNames]),

      async answer(database): Promise<Answer> {
        // One more than is held tells whether there are more.
        const rows = asRows(await database.queryArrays(select(HELD_ORDERS_MAX + 1)))
        const revision = rows[0]?.[0]
        if (rows.length > HELD_ORDERS_MAX) {
          const [counted] = await database.queryArrays(countOrders(context.center.id, bounds))
          return {
            body: () => streamOrders(database, select, shown),
            revision,
            records: { count: counted?.[0] as number, ids: [] },
          }
        }
        return {
          body: JSON.stringify(rows.map((row) => presentListedOrder(row, shown))),
          revision,
          records: { count: rows.length, ids: rows.map((row) => row[1]) },
        }
      },
    }
  },
}

/** The same list in pieces, from one snapshot. */
async function* streamOrders(
  database: Database,
  select: (limit: number | undefined) => ReturnType<typeof selectOrders>,
  shown: OrderContext,
): AsyncGenerator<string> {
  let separator = '['
  for await (const rows of database.stream(select(undefined), ORDERS_PER_PIECE)) {
    let piece = ''
    for (const row of asRows(rows)) {
      piece += separator + JSON.stringify(presentListedOrder(row, shown))
      separator = ','
    }
    yield piece
  }
  yield separator === '[' ? '[]' : ']'
}

/** Rows come in the select list's order. */
const asRows = (rows: unknown[][]) => rows as unknown as OrderRow[]
