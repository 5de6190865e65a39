/** A person in a center: a customer with their stays and orders. */

import type { Queryable } from '../../core/database/database.ts'
import { type CenterId, centerId } from '../../core/records/centers/center.ts'
import { centersOfCustomer, customersOfBooking, selectOthers, selectStays } from './subjects-sql.ts'

/** A request that is not possible. The message says why and how to go on. */
export class SubjectError extends Error {
  override readonly name: string = 'SubjectError'
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
 * Finds a customer by identifier.
 * @param center needed only if several centers have a customer with this identifier
 * @throws {SubjectError} if there is none, or there are several and no center is given
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
    throw new SubjectError(
      `There is no customer ${JSON.stringify(customer)}${where}.${await hint(queryable, customer, center)}`,
    )
  }
  if (found.length > 1) {
    throw new SubjectError(
      `Several centers have a customer ${JSON.stringify(customer)}: ${found.join(', ')}. Name one with --center.`,
    )
  }
  return readSubject(queryable, centerId(id), customer)
}

/**
 * Finds the customer of a booking.
 * @param booking its identifier, or the booking number that people use
 * @throws {SubjectError} if there is none, or there are several of different customers
 */
export async function customerOfBooking(
  queryable: Queryable,
  booking: string,
  center: string | undefined,
): Promise<{ customer: string; center: string }> {
  const rows = await bookers(queryable, booking, center)
  const [first] = rows
  if (first === undefined) {
    const where = center === undefined ? '' : ` at the center ${JSON.stringify(center)}`
    throw new SubjectError(`There is no booking ${JSON.stringify(booking)}${where}.${FIND}`)
  }
  if (rows.length > 1) {
    const who = rows.map(({ center_id, customer_id }) => `${customer_id} of ${center_id}`).join(', ')
    throw new SubjectError(
      `Several customers have a booking ${JSON.stringify(booking)}: ${who}. Say which with --customer and --center.`,
    )
  }
  return { customer: first.customer_id, center: first.center_id }
}

async function bookers(queryable: Queryable, booking: string, center: string | undefined) {
  const rows = await queryable.query<{ center_id: string; customer_id: string }>(customersOfBooking(booking))
  return center === undefined ? rows : rows.filter(({ center_id }) => center_id === center)
}

const FIND = ' "sojourn guest find" finds customers by name, date of birth or e-mail address.'

/** People often know only the booking, so it may have been given as the customer. */
async function hint(queryable: Queryable, customer: string, center: string | undefined): Promise<string> {
  const rows = await bookers(queryable, customer, center)
  return rows.length === 0 ? FIND : ` It is a booking: give it with --booking ${customer}.`
}

/** Reads a customer's stays and orders. */
export async function readSubject(
  queryable: Queryable,
  center: CenterId,
  customer: string,
): Promise<Subject> {
  const stays = await queryable.query<StayRow>(selectStays(center, customer))
  const orders = [...new Set(stays.flatMap(({ order_uuid }) => order_uuid ?? []))]
  return { center, customer, stays, orders }
}

/** The identifiers of other guests' bookings, as used by the items of shared orders. */
export async function othersOf(
  queryable: Queryable,
  { center, customer, orders }: Subject,
): Promise<Set<string>> {
  const rows = await queryable.query<{ id: string; booking_id: string | null }>(
    selectOthers(center, orders, customer),
  )
  return new Set(rows.flatMap(({ id, booking_id }) => [id, booking_id ?? id]))
}

/** The texts by which a guest is found in kitchen sheets. */
export const sheetNeedles = ({ stays }: Subject): string[] =>
  stays.map(({ id }) => `{"id":${JSON.stringify(id)},`)
