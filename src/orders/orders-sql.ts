/** The statements of `GET /orders` and `GET /orders/{uuid}`. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { ifMoved, type MovedSince } from '../changes/feed-sql.ts'
import { selectIds, selectProof } from '../changes/snapshots-sql.ts'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'
import type { Bounds } from '../request/bounds.ts'
import { controlledOrder } from './control-sql.ts'

/**
 * First name, last name and main-guest flag of the order's guests, each customer once, in no order; null if they were
 * not requested. Uses `bookings_by_order`.
 */
const guestNames = (included: boolean): Sql =>
  included
    ? sql`(
      select jsonb_agg(jsonb_build_array(g.first_name, g.last_name, g.main))
      from (
        select c.id, c.first_name, c.last_name, bool_or(coalesce(b.is_order_main_guest, false)) as main
        from bookings b
        join customers c on c.center_id = b.center_id and c.id = b.customer_id
        where b.center_id = o.center_id and b.order_uuid = o.uuid
        group by c.id, c.first_name, c.last_name
      ) g)`
    : sql`null::jsonb`

const orderColumns = (includeGuestNames: boolean): Sql => sql`
  o.uuid, o.number, o.order_date, o.total_amount, o.currency, o.status, o.payment_method, o.payment_status,
  o.items, o.created_at, o.updated_at, o.billing_address, o.notes, ${guestNames(includeGuestNames)} as guest_names`

/** Every column that `orderColumns` selects, as `table.column`; `orders.guests` are the names of the guests. */
export const columnsOfOrders = (includeGuestNames: boolean): ReadonlySet<string> =>
  includeGuestNames ? COLUMNS_WITH_NAMES : COLUMNS

const COLUMNS: ReadonlySet<string> = new Set(
  [
    'uuid',
    'number',
    'order_date',
    'total_amount',
    'currency',
    'status',
    'payment_method',
    'payment_status',
    'items',
    'created_at',
    'updated_at',
    'billing_address',
    'notes',
  ].map((column) => `orders.${column}`),
)
const COLUMNS_WITH_NAMES: ReadonlySet<string> = new Set([...COLUMNS, 'orders.guests'])

/** The filters of the list. An undefined filter has no condition. */
export interface OrderFilters extends Bounds {
  /** any of these raw values */
  readonly status?: readonly string[] | undefined
  readonly paymentStatus?: readonly string[] | undefined
  readonly orderNumber?: string | undefined
}

/** The condition on an order `o`. Uses `orders_by_date`, or an index for another filter that matches fewer orders. */
function isListed(center: CenterId, filters: OrderFilters, since: MovedSince | undefined): Sql {
  const { lower, upper, status, paymentStatus, orderNumber } = filters
  const isOneOf = (column: Sql, values: readonly string[]) =>
    values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`
  const asked = [
    ...(status === undefined ? [] : [isOneOf(sql`o.status`, status)]),
    ...(paymentStatus === undefined ? [] : [isOneOf(sql`o.payment_status`, paymentStatus)]),
    ...(orderNumber === undefined ? [] : [sql`o.number = ${orderNumber}`]),
  ]
  const all = asked.length === 0 ? empty : join(asked, ' and ', ' and ')
  return sql`o.center_id = ${center} and o.order_date >= ${lower} and o.order_date <= ${upper}${all}${ifMoved(center, since, sql`o.uuid`)}`
}

/**
 * The orders of a range by `orderDate`, then `uuid`, along `orders_by_date`: the database returns them while it reads
 * the index, so an answer of any size can be streamed. @param limit maximum number; undefined: all @param after only
 * orders after this one, which must exist
 */
export function selectOrders(
  center: CenterId,
  filters: OrderFilters,
  includeGuestNames: boolean,
  limit: number | undefined,
  since?: MovedSince,
  after?: string,
): Sql {
  return sql`
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${orderColumns(includeGuestNames)}
    from orders o
    where ${isListed(center, filters, since)}${
      after === undefined ? empty : sql` and (o.order_date, o.uuid) > ${placeOf(center, after)}`
    }
    order by o.order_date, o.uuid
    ${limit === undefined ? empty : sql`limit ${limit}`}`
}

/** With microseconds, which a row does not contain. */
const placeOf = (center: CenterId, uuid: string): Sql =>
  sql`(select p.order_date, p.uuid from orders p where p.center_id = ${center} and p.uuid = ${uuid})`

/** The number of orders in the range, along `orders_by_date`, for the audit entry of a streamed answer. */
export function countOrders(center: CenterId, filters: OrderFilters, since?: MovedSince): Sql {
  return sql`
    select count(*) from orders o
    where ${isListed(center, filters, since)}`
}

/** The number of orders of the list, and their digest in its order. */
export const proofOfOrders = (center: CenterId, filters: OrderFilters, since?: MovedSince): Sql =>
  selectProof(listedOrders(center, filters, since), sql`l.order_date, l.id`)

/** Their identifiers, in the form of `selectIds`. */
export const idsOfOrders = (center: CenterId, filters: OrderFilters, since?: MovedSince): Sql =>
  selectIds(listedOrders(center, filters, since), sql`l.order_date, l.id`)

const listedOrders = (center: CenterId, filters: OrderFilters, since: MovedSince | undefined): Sql => sql`
    select o.uuid as id, o.order_date from orders o
    where ${isListed(center, filters, since)}`

/** What one order has in addition. */
export interface OrderExtras {
  readonly control: boolean
  readonly payments: boolean
  /** of the names of payment types */
  readonly language: Language
}

/**
 * The orders with these identifiers, in no order, with the revision at which they were read; then the values that the
 * order is checked against (`ControlledOrder`), and the payments of its bookings (`PaymentRow`), each null if it was not
 * requested. Uses `bookings_by_order`.
 */
export function selectOrder(
  center: CenterId,
  uuids: readonly string[],
  includeGuestNames: boolean,
  extras?: OrderExtras,
): Sql {
  return sql`
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${orderColumns(includeGuestNames)},
      ${extras?.control ? controlledOrder(extras.payments) : raw('null::json')} as control,
      ${extras?.payments ? paymentsOf(center, extras.language) : raw('null::json')} as payments
    from orders o
    where o.center_id = ${center} and ${uuids.length === 1 ? sql`o.uuid = ${uuids[0]}` : sql`o.uuid = any(${uuids})`}`
}

/** Deposits and payments of the order's bookings (ruling 51), in no order. */
const paymentsOf = (center: CenterId, language: Language): Sql => sql`(
      select coalesce(json_agg(json_build_array(b.id, paid.kind, paid.what ->> 'amount', paid.what ->> 'paidAt',
        paid.what ->> 'paymentType', coalesce(${termNames(language)}), paid.what ->> 'notes')), '[]')
      from bookings b
      cross join lateral (
        values ('deposit', b.financial -> 'deposit'), ('fullPayment', b.financial -> 'fullPayment')
      ) paid (kind, what)
      left join terms t on t.center_id = ${center} and t.term_set = 'paymentType' and t.id = paid.what ->> 'paymentType'
      where b.center_id = ${center} and b.order_uuid = o.uuid and jsonb_typeof(paid.what -> 'amount') = 'number')`
