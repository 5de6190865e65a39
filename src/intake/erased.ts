/**
 * People who were erased, by digests of their identifiers: enough to recognize them in an import, but not to tell who
 * they were. An import leaves their records out.
 */
import { hash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { markOrders } from './erased-orders.ts'
import * as statements from './erased-sql.ts'
import type { FieldProblem } from './problems.ts'
import { kindPlace } from './stage.ts'
import { lockCenterImportsSql } from './stage-sql.ts'

const digestOf = (salt: Buffer, text: string) =>
  hash('sha256', Buffer.concat([salt, Buffer.from(text)]), 'hex')

/**
 * Waits for running imports, which have already checked whom they leave out. Later imports wait until this transaction
 * ends.
 */
export const waitForImports = (tx: Queryable, center: string): Promise<unknown> =>
  tx.query(lockCenterImportsSql(center))

/** The records erased together with a customer. */
export interface ErasedRecords {
  readonly bookings: readonly string[]
  /** orders from which the person's data was removed */
  readonly orders: readonly string[]
  /** those of them whose billing address was the person's */
  readonly addresses: readonly string[]
  /** orders that remain unchanged */
  readonly kept: readonly string[]
}

/**
 * Stores the digests of an erased customer and of their records.
 * @param newSalt used if nobody of the center was erased before
 * @returns the customer's digest, in hexadecimal
 */
export async function noteErased(
  tx: Queryable,
  center: string,
  id: string,
  records: ErasedRecords,
  newSalt: () => Uint8Array,
): Promise<string> {
  const [row] = await tx.query<{ salt: Uint8Array }>(statements.selectSalt(center))
  const salt = Buffer.from(row?.salt ?? newSalt())
  const digest = digestOf(salt, id)
  const texts = [
    ...records.bookings.map((booking) => `booking/${booking}`),
    ...records.orders.map((order) => `order/${order}`),
    ...records.addresses.map((order) => `address/${order}`),
    ...records.kept.map((order) => `kept/${order}`),
  ]
  const digests = [digest, ...new Set(texts.map((text) => digestOf(salt, text)))]
  await tx.query(statements.insertErasures(center, salt, digest, digests))
  return digest
}

const KINDS: statements.PersonKinds = {
  customer: kindPlace('customer'),
  booking: kindPlace('booking'),
  order: kindPlace('order'),
}

/**
 * Marks the staged lines of erased people. An order shared with other people is kept without the erased person's data.
 * @param restore deletes the people's digests instead, and marks no line
 * @returns the number of marked lines by center
 */
export async function markErased(tx: Queryable, restore: boolean): Promise<ReadonlyMap<string, number>> {
  const centers = await tx.query<statements.Salted>(statements.stagedSaltsSql)
  for (const { center_id: center, salt: bytes } of centers) {
    const salt = Buffer.from(bytes)
    if (restore) {
      await tx.query(statements.forgetErasedSql(center, salt, KINDS))
      continue
    }
    await tx.query(statements.markCustomersSql(center, salt, KINDS))
    await tx.query(statements.markBookingsSql(center, salt, KINDS))
    await markOrders(tx, center, salt, KINDS)
  }
  if (centers.length === 0 || restore) return new Map()
  const counts = await tx.query<{ center_id: string; count: number }>(statements.countErasedSql)
  return new Map(counts.map(({ center_id, count }) => [center_id, count]))
}

/** The problem of each such line if erased people are refused. */
export const ERASED_PROBLEM: FieldProblem = {
  message:
    'is of a person who was erased; leave the record out, or use --restore-erased if the person has agreed to be stored again',
}
