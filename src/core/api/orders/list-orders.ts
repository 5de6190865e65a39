/** `GET /orders`: all orders within a date range. */
import sql from 'sql-template-tag'
import type { Dependency } from '../../changes/change.ts'
import { errors } from '../../errors/api-error.ts'
import { defineList, filter } from '../../lists/define-list.ts'
import { ORDER } from '../../records/order.ts'
import { booleanParameter, dateParameter } from '../../request/parameter-kinds.ts'
import { ITEMS_PER_SLICE } from '../../request/slices.ts'
import { textParameter } from '../../request/text-parameters.ts'
import { STATUS_FILTERS } from './order-filters.ts'
import { orderParameters } from './order-parameters.ts'
import { ORDER_LIST_SCHEMA } from './order-schema.ts'
import { orderTable, rowsParameter } from './order-tables.ts'
import { guestNames, paymentsInTable } from './orders-sql.ts'

export const ORDER_FILTERS = {
  ...STATUS_FILTERS,
  // Uses an index of its own.
  orderNumber: filter(
    textParameter({ description: 'Only the orders with this number.', maximum: 200 }),
    (number) => sql`o.number = ${number}`,
  ),
}

/** A payment is a change of a guest, and not of the order. */
const CHANGED_PAYMENTS = {
  parameter: 'changedAfter',
  message:
    'Rows of payments cannot be limited to changes: a payment changes a guest, and not the order. Leave changedAfter out, or follow GET /changes.',
}

const PAYERS: Dependency = {
  kind: 'guest',
  columns: new Set([
    'bookings.id',
    'bookings.financial',
    'bookings.order_uuid',
    'customers.first_name',
    'customers.last_name',
  ]),
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
  shows: {
    ...orderParameters,
    // The interface has it, and the list is humanized without it (ruling 30).
    formatDates: booleanParameter({
      description:
        'Accepted, and changes nothing: `orderDate` is always formatted per `X-LOCALE`, the other timestamps never.',
    }),
    rows: rowsParameter,
  },
  filters: ORDER_FILTERS,
  shown: ({ includeGuestNames, rows = 'orders' }, sent, { center, language }) => ({
    normal: [includeGuestNames, ...(rows === 'orders' ? [] : [rows])],
    made: includeGuestNames ? { guestNames } : {},
    daysPerCost: 31,
    ...(rows === 'payments' && {
      requiredScopes: [{ scope: 'guests.financial', what: 'rows=payments' }],
      problems: sent.has('changedAfter') ? [CHANGED_PAYMENTS] : [],
      inTable: paymentsInTable(center, language),
      dependencies: () => [PAYERS],
    }),
  }),
  // Ruling 10: the interface answers a missing date with 404, whatever else is wrong. The other problems are listed too.
  refuseWithoutDates: errors.withoutDates,
  table: ({ rows }, columns, language) => orderTable(rows ?? 'orders', columns, language),
})
