/** The statement of `GET /orders/{uuid}`, and what both order endpoints select on request. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Language } from '../../locale/languages.ts'
import { termNames } from '../../locale/term-names-sql.ts'
import type { Center, CenterId } from '../../records/centers/center.ts'
import { ORDER } from '../../records/order.ts'
import { groupOfOrder } from '../../records/payments-sql.ts'
import { controlledOrder } from './control-sql.ts'

/**
 * First name, last name and main-guest flag of the order's guests, each customer once, in no order. Uses
 * `bookings_by_order`.
 */
export const guestNames = sql`(
      select jsonb_agg(jsonb_build_array(g.first_name, g.last_name, g.main))
      from (
        select c.id, c.first_name, c.last_name, bool_or(coalesce(b.is_order_main_guest, false)) as main
        from bookings b
        join customers c on c.center_id = b.center_id and c.id = b.customer_id
        where b.center_id = o.center_id and b.order_uuid = o.uuid
        group by c.id, c.first_name, c.last_name
      ) g)`

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
 * requested, and whether there is no order and the center has or had some with identifiers of other systems. If there is no
 * order, one row without one. Uses `bookings_by_order`.
 */
export function selectOrder(
  center: CenterId,
  uuids: readonly string[],
  includeGuestNames: boolean,
  extras?: OrderExtras,
): Sql {
  return sql`
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${ORDER.select('en', includeGuestNames ? { guestNames } : {})},
      ${extras?.control ? controlledOrder(extras.payments) : raw('null::json')} as control,
      ${extras?.payments ? paymentsOf(center, extras.language) : raw('null::json')} as payments,
      o.uuid is null and exists (select from other_order_ids i where i.center_id = ${center}) as had_other_ids
    from (values (1)) one (n)
    left join orders o
      on o.center_id = ${center} and ${uuids.length === 1 ? sql`o.uuid = ${uuids[0]}` : sql`o.uuid = any(${uuids})`}`
}

/**
 * What the table of payments shows of an order `o` (`PaymentsInTable`). Uses `bookings_by_order`.
 */
export const paymentsInTable = (
  center: Pick<Center, 'id' | 'currency' | 'orderRules'>,
  language: Language,
) => ({
  value: sql`json_build_array(${center.currency}::text, ${groupOfOrder(center.orderRules, sql`o`)}, ${paymentsOf(center.id, language)}, (
        select json_agg(json_build_array(g.id, c.first_name, c.last_name))
        from bookings g
        join customers c on c.center_id = g.center_id and c.id = g.customer_id
        where g.center_id = ${center.id} and g.order_uuid = o.uuid))`,
  alsoRead: (members: Sql): Sql => sql`
      select g.id, m.order_date from (${members}) m
      join bookings g on g.center_id = ${center.id} and g.order_uuid = m.id`,
})

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
