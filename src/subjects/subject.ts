/** A person of a center: a customer with their stays and orders. */
import { type CenterId, centerId } from '../centers/center.ts'
import type { Queryable } from '../database/database.ts'
import { centersOfCustomer, customersOfBooking, selectStays } from './subjects-sql.ts'

/** Something a person asked that cannot be done; the message says what and how to go on. */
export class SubjectError extends Error {
  override readonly name = 'SubjectError'
}

export interface StayRow {
  id: string
  order_uuid: string | null
  session_ids: string[]
  is_main: boolean
  /** epoch ms */
  end_date: number
  is_medical: boolean
}

export interface Subject {
  readonly center: CenterId
  readonly customer: string
  readonly stays: readonly StayRow[]
  readonly orders: readonly string[]
}

/**
 * @param center needed only where several centers have a customer of this identifier
 * @throws {SubjectError} where there is none, or several and no center
 */
export async function findSubject(
  queryable: Queryable,
  customer: string,
  center: string | undefined,
): Promise<Subject> {
  const rows = await queryable.query<{ center_id: string }>(centersOfCustomer(customer))
  const centers = rows.map((row) => row.center_id)
  const found = center === undefined ? centers : centers.filter((id) => id === center)
  const [id] = found
  if (id === undefined) {
    const where = center === undefined ? '' : ` at the center ${JSON.stringify(center)}`
    const hint = await bookingHint(queryable, customer, center)
    throw new SubjectError(`There is no customer ${JSON.stringify(customer)}${where}.${hint}`)
  }
  if (found.length > 1) {
    throw new SubjectError(
      `Several centers have a customer ${JSON.stringify(customer)}: ${found.join(', ')}. Name one with --center.`,
    )
  }
  return readSubject(queryable, centerId(id), customer)
}

/** People know the number of a stay rather than the identifier of whose it is. */
async function bookingHint(queryable: Queryable, id: string, center: string | undefined): Promise<string> {
  const bookings = await queryable.query<{ center_id: string; customer_id: string }>(customersOfBooking(id))
  const [found] = bookings.filter((row) => center === undefined || row.center_id === center)
  if (found === undefined) return ''
  return ` It is a booking at ${found.center_id}, of the customer ${JSON.stringify(found.customer_id)}.`
}

export async function readSubject(
  queryable: Queryable,
  center: CenterId,
  customer: string,
): Promise<Subject> {
  const stays = await queryable.query<StayRow>(selectStays(center, customer))
  const orders = [...new Set(stays.flatMap(({ order_uuid }) => order_uuid ?? []))]
  return { center, customer, stays, orders }
}

/** As a kitchen sheet names a guest. */
export const sheetNeedles = ({ stays }: Subject): string[] =>
  stays.map(({ id }) => `{"id":${JSON.stringify(id)},`)
