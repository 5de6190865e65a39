/** The group of an order (ruling 51), and what is paid of it, in SQL. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { OrderGroup, OrderRules } from './centers/order-rules.ts'

/** The group of the order `o`, as `groupOf` decides it. @param o its alias */
export const groupOfOrder = (rules: OrderRules, o: Sql): Sql => {
  const { orderStatuses: of, paymentStatuses: ofPayment } = rules
  const isVoid = (lists: typeof of) => [...lists.void, ...lists.refunded]
  const all = (lists: typeof of) => [...lists.valid, ...lists.open, ...isVoid(lists)]
  return sql`case
          when ${o}.status <> all(${all(of)}::text[]) or (${o}.payment_status is not null and ${o}.payment_status <> all(${all(ofPayment)}::text[])) then 'notDecided'
          when ${o}.status = any(${isVoid(of)}::text[]) or ${o}.payment_status = any(${isVoid(ofPayment)}::text[]) then 'void'
          when ${o}.status = any(${of.open}::text[]) or ${o}.payment_status = any(${ofPayment.open}::text[]) then 'open'
          else 'valid'
        end`
}

/** Whether the order `o` is in one of the groups. */
export const isInGroups = (groups: readonly OrderGroup[], rules: OrderRules): Sql =>
  sql`(${groupOfOrder(rules, sql`o`)} = any(${groups}::text[]))`

/**
 * An amount in JSON, as text, because sums of doubles are inexact; null if none is recorded. What another system wrote in
 * another type counts as none, and causes no error.
 */
const amountIn = (json: string, name: string): Sql =>
  raw(`case when jsonb_typeof(${json} -> '${name}') = 'number' then ${json} ->> '${name}' end`)

/** The amount of a payment of the booking `k`. @param k its alias */
export const amountOf = (k: string, part: 'deposit' | 'fullPayment'): Sql =>
  amountIn(`${k}.financial -> '${part}'`, 'amount')

/** Deposit and payment of the booking `k`. */
const payments = (k: string): Sql =>
  sql`(values ((${amountOf(k, 'deposit')})::numeric), ((${amountOf(k, 'fullPayment')})::numeric)) payment (amount)`

/** What decides whether something is paid, besides the rows. */
export interface PaidRules {
  readonly orderRules: OrderRules
  /** of the center, in which all payments are */
  readonly currency: string
}

/**
 * Whether the order `o` of the booking `b` is paid, as `moneyOf` decides it: by the payments of all of its bookings, or
 * because its payment status says so. Of a booking without an order: by its own price and payments, or because its status
 * says so. One of `PAID_STATES`, or null if nothing is to be paid (the order is void) or nothing is known.
 * Uses `bookings_by_order`. @param booking @param order their aliases
 */
export function paidState(booking: string, order: string, { orderRules, currency }: PaidRules): Sql {
  const [b, o] = [raw(booking), raw(order)]
  return sql`case
      when ${b}.order_uuid is null then (
        select case
          when ${b}.status = 'paid' then 'paid'
          when own.total is null then null
          when own.total <= own.paid then 'paid'
          when own.paid > 0 then 'partlyPaid'
          else 'open'
        end
        from (
          select (${amountIn(`${booking}.financial`, 'total')})::numeric as total,
            (select coalesce(sum(amount), 0) from ${payments(booking)}) as paid
        ) own)
      else (
        select case
          when own.kind = 'void' then null
          when own.kind = 'notDecided' then 'notDecided'
          when ${o}.payment_status = any(${orderRules.paymentStatuses.valid}::text[]) then 'paid'
          when coalesce(${o}.currency, ${currency}) <> ${currency} and own.payments > 0 then 'notDecided'
          when ${o}.total_amount <= own.paid then 'paid'
          when own.paid > 0 then 'partlyPaid'
          else 'open'
        end
        from (
          select ${groupOfOrder(orderRules, o)} as kind, coalesce(sum(amount), 0) as paid,
            count(*) filter (where amount <> 0) as payments
          from bookings payer
          cross join lateral ${payments('payer')}
          where payer.center_id = ${b}.center_id and payer.order_uuid = ${b}.order_uuid
        ) own)
    end`
}
