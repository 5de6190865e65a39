/**
 * The statements of `GET /orders/control`: orders with the values that they are checked against, then deposits without
 * an order.
 */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../../database/json-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import { amountOf } from '../../records/payments-sql.ts'
import type { Bounds } from '../../request/bounds.ts'

/** The position of an order or a booking in the range: its moment as PostgreSQL writes it, and its identifier. */
export type ControlPosition = readonly [at: string, id: string]

/** Which orders are read. */
export interface ControlledRange {
  readonly bounds: Bounds
  /** conditions on an order `o` */
  readonly filters: readonly Sql[]
}

const ROWS_PER_STATEMENT = 200

/**
 * The first 200 orders of the range, by date and identifier, along `orders_by_date`. Callers may rely on: exactly one
 * row, with the revision, `orders`, the orders as JSON (`ControlledOrder`), in no order, and the last of them, if there
 * may be more. Amounts are texts, because sums of doubles are inexact. Guests are found along `bookings_by_order`, and
 * their payments are read only if requested.
 */
export const selectControlledOrders = (
  center: CenterId,
  range: ControlledRange,
  withPayments: boolean,
  after?: ControlPosition,
): Sql => sql`
    with slice as materialized (
      select o.* from orders o
      where ${ordersWithin(center, range)}
        ${after === undefined ? empty : sql`and (o.order_date, o.uuid) > (${after[0]}::timestamptz, ${after[1]})`}
      order by o.order_date, o.uuid limit ${ROWS_PER_STATEMENT}
    )
    select ${controlledOrders(center, withPayments)},
      (
        select json_build_array(order_date, uuid) from slice
        order by order_date, uuid offset ${ROWS_PER_STATEMENT - 1} limit 1
      ) as last`

/**
 * Of the first 200 bookings that begin in the range, along `bookings_by_start`, those with a deposit and without an
 * order: one row of the same form, with `deposits`.
 */
export const selectLooseDeposits = (center: CenterId, bounds: Bounds, after?: ControlPosition): Sql => sql`
    with slice as materialized (
      select b.id, b.start_date from bookings b
      where ${bookingsWithin(center, bounds)}
        ${after === undefined ? empty : sql`and (b.start_date, b.id) > (${after[0]}::timestamptz, ${after[1]})`}
      order by b.start_date, b.id limit ${ROWS_PER_STATEMENT}
    )
    select ${looseDeposits(center)},
      (
        select json_build_array(start_date, id) from slice
        order by start_date, id offset ${ROWS_PER_STATEMENT - 1} limit 1
      ) as last`

/** All of both, in one row each. */
export const selectWholeControl = (center: CenterId, range: ControlledRange, withPayments: boolean): Sql => {
  const orders = sql`
    (with slice as materialized (select o.* from orders o where ${ordersWithin(center, range)})
    select ${controlledOrders(center, withPayments)}, null::json as last)`
  if (!withPayments) return orders
  return sql`${orders}
    union all
    (with slice as materialized (select b.id, b.start_date from bookings b where ${bookingsWithin(center, range.bounds)})
    select ${looseDeposits(center)}, null::json as last)`
}

const ordersWithin = (center: CenterId, { bounds: { lower, upper }, filters }: ControlledRange): Sql =>
  sql`o.center_id = ${center} and o.order_date >= ${lower} and o.order_date <= ${upper}${
    filters.length === 0 ? empty : join([...filters], ' and ', ' and ')
  }`

const bookingsWithin = (center: CenterId, { lower, upper }: Bounds): Sql =>
  sql`b.center_id = ${center} and b.start_date >= ${lower} and b.start_date <= ${upper}`

/** An order `o` with the values that it is checked against, in the form of `ControlledOrder`. */
export const controlledOrder = (withPayments: boolean): Sql => sql`json_build_array(o.uuid, o.number,
          ${raw(epochMs('o.order_date'))}, o.total_amount::text, o.currency, o.status, o.payment_status, ${ITEMS_TOTAL},
          ${guestsOf(withPayments)})`

const controlledOrders = (center: CenterId, withPayments: boolean): Sql => sql`
      (select revision from center_revisions where center_id = ${center}) as revision, 'orders' as kind,
      (
        select coalesce(json_agg(${controlledOrder(withPayments)}), '[]')
        from slice o
      ) as found`

const looseDeposits = (center: CenterId): Sql => sql`
      (select revision from center_revisions where center_id = ${center}) as revision, 'deposits' as kind,
      (
        select coalesce(json_agg(json_build_array(b.id, ${raw(epochMs('b.start_date'))}, ${amountOf('b', 'deposit')})), '[]')
        from slice
        join bookings b on b.center_id = ${center} and b.id = slice.id
        where b.order_uuid is null and (${amountOf('b', 'deposit')})::numeric > 0
      ) as found`

/**
 * Null if there are no items. A value that another system wrote in another type counts as zero, and causes no error.
 */
const ITEMS_TOTAL = raw(`(
            select sum(case when jsonb_typeof(i -> 'quantity') = 'number' and jsonb_typeof(i -> 'price') = 'number'
              then (i -> 'quantity')::numeric * (i -> 'price')::numeric else 0 end)::text
            from jsonb_array_elements(case when jsonb_typeof(o.items) = 'array' then o.items else '[]' end) i)`)

const guestsOf = (withPayments: boolean): Sql => sql`(
            select json_agg(json_build_array(b.id, c.first_name, c.last_name, coalesce(b.is_order_main_guest, false),
              b.status, ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))},
              (
                select json_agg(json_build_array(s.id, ${raw(epochMs('s.start_date'))}, ${raw(epochMs('s.end_date'))}))
                from sessions s where s.center_id = b.center_id and s.id = any(b.session_ids)
              )${withPayments ? sql`, ${amountOf('b', 'deposit')}, ${amountOf('b', 'fullPayment')}` : empty}))
            from bookings b
            join customers c on c.center_id = b.center_id and c.id = b.customer_id
            where b.center_id = o.center_id and b.order_uuid = o.uuid)`
