/** The condition for the group of an order (ruling 51), as `groupOf` decides it. */
import sql, { type Sql } from 'sql-template-tag'
import type { OrderGroup, OrderRules } from '../../records/centers/order-rules.ts'

/** Whether the order `o` is in one of the groups. */
export function isInGroups(groups: readonly OrderGroup[], rules: OrderRules): Sql {
  const { orderStatuses: of, paymentStatuses: ofPayment } = rules
  const isVoid = (lists: typeof of) => [...lists.void, ...lists.refunded]
  const all = (lists: typeof of) => [...lists.valid, ...lists.open, ...isVoid(lists)]
  return sql`(case
          when o.status <> all(${all(of)}::text[]) or (o.payment_status is not null and o.payment_status <> all(${all(ofPayment)}::text[])) then 'notDecided'
          when o.status = any(${isVoid(of)}::text[]) or o.payment_status = any(${isVoid(ofPayment)}::text[]) then 'void'
          when o.status = any(${of.open}::text[]) or o.payment_status = any(${ofPayment.open}::text[]) then 'open'
          else 'valid'
        end = any(${groups}::text[]))`
}
