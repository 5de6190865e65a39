/** A person of a center: a customer with their stays and orders. */
import { type CenterId, centerId } from '../centers/center.ts'
import type { Queryable } from '../database/database.ts'
import { centersOfCustomer, customersOfBooking, selectOthers, selectStays } from './subjects-sql.ts'

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
 * @param booking its identifier, or the booking number that people use
 * @throws {SubjectError} where there is none, or several of different customers
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

/** Bookings are what people see. */
async function hint(queryable: Queryable, customer: string, center: string | undefined): Promise<string> {
  const rows = await bookers(queryable, customer, center)
  return rows.length === 0 ? FIND : ` It is a booking: give it with --booking ${customer}.`
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

/** What items of shared orders name the bookings of other guests by. */
export async function othersOf(
  queryable: Queryable,
  { center, customer, orders }: Subject,
): Promise<Set<string>> {
  const rows = await queryable.query<{ id: string; booking_id: string | null }>(
    selectOthers(center, orders, customer),
  )
  return new Set(rows.flatMap(({ id, booking_id }) => [id, booking_id ?? id]))
}

/** As a kitchen sheet names a guest. */
export const sheetNeedles = ({ stays }: Subject): string[] =>
  stays.map(({ id }) => `{"id":${JSON.stringify(id)},`)
