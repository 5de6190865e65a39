/** `GET /orders`: all orders within a date range. */
import { errors } from '../errors/api-error.ts'
import { fileParameters, fileText, readFile } from '../files/file-parameters.ts'
import { resolveBounds, spanOf } from '../request/bounds.ts'
import { changedAfterParameter, readChangedAfter } from '../request/changed-after.ts'
import { costOf } from '../request/cost.ts'
import { type Answer, defineOperation, type Rows } from '../request/operation.ts'
import { dateParameter } from '../request/parameter-kinds.ts'
import { missingDates, readParameters, refusalOf } from '../request/parameters.ts'
import type { Sliced } from '../request/slices.ts'
import { readSnapshot, snapshotParameter } from '../request/snapshot.ts'
import { textParameter, textsParameter } from '../request/text-parameters.ts'
import { ORDERS_PER_SLICE, ordersJson } from './listed-order.ts'
import { orderFile } from './order-file.ts'
import { orderParameters } from './order-parameters.ts'
import { orderOf, ordersOf } from './order-row.ts'
import { ORDER_LIST_SCHEMA } from './order-schema.ts'
import {
  columnsOfOrders,
  countOrders,
  idsOfOrders,
  type OrderFilters,
  proofOfOrders,
  selectOrders,
} from './orders-sql.ts'
import type { OrderContext } from './present-order.ts'

const parameters = {
  startDate: dateParameter({ description: 'First day of the range. Required.' }),
  endDate: dateParameter({ description: 'Last day of the range. Required.' }),
  ...orderParameters,
  status: textsParameter({
    description: 'Only orders with one of these raw values of `status`, as `ids.status` shows them.',
    maximum: 200,
    entriesMax: 50,
  }),
  paymentStatus: textsParameter({
    description:
      'Only orders with one of these raw values of `paymentStatus`, as `ids.paymentStatus` shows them.',
    maximum: 200,
    entriesMax: 50,
  }),
  orderNumber: textParameter({ description: 'Only the orders with this number.', maximum: 200 }),
  changedAfter: changedAfterParameter,
  snapshot: snapshotParameter,
  ...fileParameters,
} as const

/** Up to this many orders are one text that can be cached; longer lists are streamed, so that memory stays flat. */
const HELD_ORDERS_MAX = 1000

/**
 * Fewer cost round trips; more cost memory (with 1000, streaming a year kept 13 MB more resident) and time in which no
 * other request is served.
 */
const ORDERS_PER_CHUNK = 100

export const listOrders = defineOperation({
  name: 'listOrders',
  summary: 'List orders',
  description:
    'The orders within a date range, humanized, by `orderDate`, then `uuid`; the raw values are in `ids`. There are no pages: a range with very many orders is streamed. If the stream fails, the connection is closed before the end: a truncated list is never valid JSON.',
  paths: ['/orders'],
  scope: 'orders',
  dependsOn: ['language', 'accepts'],
  parameters,
  required: ['startDate', 'endDate'],
  response: ORDER_LIST_SCHEMA,
  formats: ['csv', 'ndjson', 'xlsx'],

  parse(context) {
    const { values, sent, problems } = readParameters(parameters, context.query)
    const missing = missingDates(sent)
    // Ruling 10: the interface answers a missing date with 404, whatever else is wrong. The other problems are listed
    // too.
    if (missing.length > 0) {
      const message = 'GET /orders needs startDate and endDate, both as YYYY-MM-DD.'
      return { needs: [], refusal: errors.notFound(message, [...missing, ...problems]) }
    }
    const { bounds, problems: order } = resolveBounds(values, context.center.timezone)
    const since = readChangedAfter(values.changedAfter, context.center.id)
    const { file, problems: misplaced } = readFile(values, sent, context)
    const snapshot = readSnapshot(
      file === undefined ? values.snapshot : values.snapshot || true,
      context.center.id,
    )
    const refusal = refusalOf([...problems, ...order, ...since.problems, ...snapshot.problems, ...misplaced])
    if (refusal !== undefined) return { needs: [], refusal }
    const shown: OrderContext = {
      language: context.language,
      zone: context.center.timezone,
      currency: context.center.currency,
      formatDates: values.formatDates,
      includeGuestNames: values.includeGuestNames,
    }
    const { status, paymentStatus, orderNumber } = values
    const filters: OrderFilters = { ...bounds, status, paymentStatus, orderNumber }
    const dependency = {
      kind: 'order',
      during: spanOf(bounds),
      columns: columnsOfOrders(values.includeGuestNames),
    } as const
    const moved = since.place === undefined ? undefined : { ...dependency, place: since.place }
    const select = (limit: number | undefined, after?: string) =>
      selectOrders(context.center.id, filters, values.includeGuestNames, limit, moved, after)
    return {
      needs: [],
      normalForm: JSON.stringify([
        filters,
        values.formatDates,
        values.includeGuestNames,
        ...since.text,
        ...snapshot.text,
        ...fileText(file),
      ]),
      check: since.check,
      cost: costOf({ bounds, sessions: 0, daysPerCost: 31 }),
      // One more than the limit shows whether there are more.
      statement: select(HELD_ORDERS_MAX + 1),

      madeFrom: [dependency],
      ...snapshot.of({
        madeFrom: () => [dependency],
        proof: () => proofOfOrders(context.center.id, filters, moved),
      }),
      ...(file === undefined
        ? {}
        : {
            file: orderFile({
              asked: file,
              shown,
              ids: idsOfOrders(context.center.id, filters, moved),
              select,
            }),
          }),

      present: (rows) => presentOrders(rows, shown),

      stream: {
        heldRowsMax: HELD_ORDERS_MAX,
        count: () => countOrders(context.center.id, filters, moved),
        statement: () => select(undefined),
        rowsAfter: (last, limit) => select(limit, last && orderOf(last).uuid),
        rowsPerChunk: ORDERS_PER_CHUNK,
        revisionOf: ([first]) => first && orderOf(first).revision,
        present: (rows) => inPieces(rows, shown),
      },
    }
  },
})

function* presentOrders(rows: Rows, shown: OrderContext): Sliced<Answer> {
  const orders = ordersOf(rows)
  const pieces: Buffer[] = []
  for (let at = 0; at < orders.length; at += ORDERS_PER_SLICE) {
    if (at > 0) yield
    pieces.push(ordersJson(orders.slice(at, at + ORDERS_PER_SLICE), shown, at === 0 ? '[' : ','))
  }
  pieces.push(orders.length === 0 ? EMPTY : END)
  return {
    body: pieces,
    revision: orders[0]?.revision,
    records: { count: orders.length, ids: orders.map(({ uuid }) => uuid) },
  }
}

/** The same list in pieces, each with as many orders as a slice. */
async function* inPieces(chunks: AsyncIterable<Rows>, shown: OrderContext): AsyncGenerator<Buffer> {
  let first: '[' | ',' = '['
  for await (const rows of chunks) {
    const orders = ordersOf(rows)
    for (let at = 0; at < orders.length; at += ORDERS_PER_SLICE) {
      yield ordersJson(orders.slice(at, at + ORDERS_PER_SLICE), shown, first)
      first = ','
    }
  }
  yield first === '[' ? EMPTY : END
}

const EMPTY = Buffer.from('[]')
const END = Buffer.from(']')
