/**
 * People who were erased, by digests of identifiers: enough to know them again when an import brings them, and too
 * little to say who they were. An import leaves their records out.
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

/** An import that is writing has looked before whom it leaves out; others wait until this transaction ends. */
export const waitForImports = (tx: Queryable, center: string): Promise<unknown> =>
  tx.query(lockCenterImportsSql(center))

/** What was erased with a customer. */
export interface ErasedRecords {
  readonly bookings: readonly string[]
  /** orders that lost what was the person's */
  readonly orders: readonly string[]
  /** those of them whose billing address was the person's */
  readonly addresses: readonly string[]
  /** orders that stay as they are */
  readonly kept: readonly string[]
}

/** @param newSalt used where nobody of the center was erased before @returns the customer's digest, in hexadecimal */
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
 * Marks the staged lines of people who were erased. An order that others belong to stays without what was the person's.
 * @param restore the people are no longer known as erased, and no line is marked
 * @returns how many lines are marked, by center
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

/** Of each line, where they are refused. */
export const ERASED_PROBLEM: FieldProblem = {
  message:
    'is of a person who was erased; leave the record out, or use --restore-erased if the person has agreed to be stored again',
}
