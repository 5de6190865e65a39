/**
 * People who were erased, by digests of their identifiers: enough to recognize them in an import, but not to tell who
 * they were. An import leaves their records out.
 */

import { createHmac } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { onlyEnglish } from '../../locale/said.ts'
import type { FieldProblem } from '../rejects/problems.ts'
import { kindPlace } from '../stage/stage.ts'
import { lockCenterImportsSql } from '../stage/stage-sql.ts'
import { digestOf } from './digest-of-erased.ts'
import { markOrders } from './erased-orders.ts'
import * as statements from './erased-sql.ts'

/** The log of erasures in DATA_DIR, outside of the database, which a restore replaces. */
export const ERASURE_LOG = 'erasures.ndjson'

/**
 * Waits for running imports, which have already checked whom they leave out. Later imports wait until this transaction
 * ends.
 */
export const waitForImports = (tx: Queryable, center: string): Promise<unknown> =>
  tx.query(lockCenterImportsSql(center))

/** A text that an erasure has replaced in a record that remains. */
export interface ReplacedText {
  readonly kind: 'order'
  /** identifier of the record */
  readonly id: string
  readonly field: 'items.name'
  /** exactly as it was stored */
  readonly text: string
}

/**
 * Recognizes a replaced text when it comes again, in this field of this record only: it may be the name of somebody else
 * in another one. The key is the salt of the center. It has the protection of the data that it is stored next to, is in
 * every backup, and goes with the digests wherever they go.
 * @returns hexadecimal
 */
export const textDigest = (salt: Buffer, { kind, id, field, text }: ReplacedText): string =>
  createHmac('sha256', salt)
    .update(JSON.stringify([kind, id, field, text]))
    .digest('hex')

/** The records erased together with a customer. */
export interface ErasedRecords {
  readonly bookings: readonly string[]
  /** orders from which the person's data was removed */
  readonly orders: readonly string[]
  /** those of them whose billing address was the person's */
  readonly addresses: readonly string[]
  /** orders that remain unchanged */
  readonly retained: readonly string[]
  /** what was replaced in them */
  readonly texts: readonly ReplacedText[]
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
    ...records.retained.map((order) => `kept/${order}`),
  ]
  const replaced = records.texts.map((text) => textDigest(salt, text))
  const digests = [digest, ...new Set([...texts.map((text) => digestOf(salt, text)), ...replaced])]
  await tx.query(statements.insertErasures(center, salt, digest, digests))
  return digest
}

/** The digest of an order that an erasure left unchanged, in hexadecimal. */
export const retainedDigest = (salt: Buffer, uuid: string): string => digestOf(salt, `kept/${uuid}`)

/** Stores the digests of an erasure that was made in another database, or in this one before a backup was restored. */
export async function storeErasure(
  tx: Queryable,
  {
    center,
    salt,
    customer,
    digests,
  }: { center: string; salt: string; customer: string; digests: readonly string[] },
): Promise<void> {
  await waitForImports(tx, center)
  const all = [customer, ...digests]
  await tx.query(statements.insertErasures(center, Buffer.from(salt, 'hex'), customer, all))
}

const KINDS: statements.PersonKinds = {
  customer: kindPlace('customer'),
  booking: kindPlace('booking'),
  order: kindPlace('order'),
}

/** What was found among the staged lines. */
export interface Marked {
  /** the number of lines of erased people, by center */
  readonly counts: ReadonlyMap<string, number>
  /** whether lines of other people contained something of an erased person, which was removed */
  readonly isCleared: boolean
}

/**
 * Marks the staged lines of erased people. An order shared with other people is retained without the erased person's data.
 * @param restore deletes the people's digests instead, and marks no line
 */
export async function markErased(tx: Queryable, restore: boolean): Promise<Marked> {
  const centers = await tx.query<statements.Salted>(statements.stagedSaltsSql)
  let isCleared = false
  for (const { center_id: center, salt: bytes } of centers) {
    const salt = Buffer.from(bytes)
    if (restore) {
      await tx.query(statements.forgetErasedSql(center, salt, KINDS))
      continue
    }
    await tx.query(statements.markCustomersSql(center, salt, KINDS))
    await tx.query(statements.markBookingsSql(center, salt, KINDS))
    const recognize = (text: ReplacedText) => textDigest(salt, text)
    if (await markOrders(tx, { center, salt, recognize }, KINDS)) isCleared = true
  }
  if (centers.length === 0 || restore) return { counts: new Map(), isCleared: false }
  const counts = await tx.query<{ center_id: string; count: number }>(statements.countErasedSql)
  return { counts: new Map(counts.map(({ center_id, count }) => [center_id, count])), isCleared }
}

/** The problem of each such line if erased people are refused. */
export const ERASED_PROBLEM: FieldProblem = {
  ...onlyEnglish(
    'is of a person who was erased; leave the record out, or use --restore-erased if the person has agreed to be stored again',
  ),
}
