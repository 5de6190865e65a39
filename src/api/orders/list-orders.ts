/** `GET /orders`: all orders within a date range. */
import sql from 'sql-template-tag'
import { errors } from '../../errors/api-error.ts'
import { defineList, filter } from '../../lists/define-list.ts'
import { ORDER } from '../../records/order.ts'
import { dateParameter } from '../../request/parameter-kinds.ts'
import { ITEMS_PER_SLICE } from '../../request/slices.ts'
import { textParameter } from '../../request/text-parameters.ts'
import { STATUS_FILTERS } from './order-filters.ts'
import { orderParameters } from './order-parameters.ts'
import { ORDER_LIST_SCHEMA } from './order-schema.ts'
import { orderTable, rowsParameter } from './order-tables.ts'
import { guestNames } from './orders-sql.ts'

export const ORDER_FILTERS = {
  ...STATUS_FILTERS,
  // Uses an index of its own.
  orderNumber: filter(
    textParameter({ description: 'Only the orders with this number.', maximum: 200 }),
    (number) => sql`o.number = ${number}`,
  ),
}

export const listOrders = defineList({
  name: 'listOrders',
  summary: 'List orders',
  description:
    'The orders within a date range, humanized, by `orderDate`, then `uuid`; the raw values are in `ids`. There are no pages: a range with very many orders is streamed. If the stream fails, the connection is closed before the end: a truncated list is never valid JSON.',
  path: '/orders',
  scope: 'orders',
  response: ORDER_LIST_SCHEMA,
  record: ORDER,
  range: {
    startDate: dateParameter({ description: 'First day of the range. Required.' }),
    endDate: dateParameter({ description: 'Last day of the range. Required.' }),
  },
  pages: false,
  heldRowsMax: 1000,
  // An order takes twice as long to write as a guest of a report.
  recordsPerSlice: ITEMS_PER_SLICE / 2,
  shows: { ...orderParameters, rows: rowsParameter },
  filters: ORDER_FILTERS,
  shown: ({ formatDates, includeGuestNames, rows }) => ({
    normal: [formatDates, includeGuestNames, ...(rows === 'items' ? [rows] : [])],
    made: includeGuestNames ? { guestNames } : {},
    daysPerCost: 31,
  }),
  // Ruling 10: the interface answers a missing date with 404, whatever else is wrong. The other problems are listed too.
  refuseWithoutDates: (problems) =>
    errors.notFound('GET /orders needs startDate and endDate, both as YYYY-MM-DD.', problems),
  table: ({ rows }, columns, language) => orderTable(rows ?? 'orders', columns, language),
})
