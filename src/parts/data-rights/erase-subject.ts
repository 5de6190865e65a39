/**
 * Erases a person from a center (GDPR article 17): deletes the customer and their stays, removes personal data from
 * their orders but keeps the sums, and removes the person from kitchen sheets. The recorded changes tell every client
 * that the guests were deleted, and the audit trail still has who read what, by identifier only.
 */

import { recordAct } from '../../core/audit/record-act.ts'
import type { Database, Queryable } from '../../core/database/database.ts'
import { noteRewrite } from '../../core/database/schema/rewrite-files.ts'
import { noteErased, type ReplacedText, waitForImports } from '../../core/intake/erased/erased.ts'
import { type CustomerNames, mentions, mentionTerms } from '../../core/intake/references/mentions.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import { sheetWithoutGuests } from '../kitchen/sheet-content.ts'
import { removeMentions } from './remove-mentions.ts'
import { findSubject, readSubject, type Subject, SubjectError, sheetNeedles } from './subject.ts'
import {
  analyzeSql,
  clearOrder,
  countMentions,
  deleteCustomer,
  deleteStays,
  deleteVersions,
  lockCustomer,
  MENTIONED_IN,
  rewriteSheet,
  selectOrders,
  selectSheets,
} from './subjects-sql.ts'

export interface ErasureInput {
  readonly customer: string
  /** needed only if several centers have a customer with this identifier */
  readonly center?: string | undefined
  /** Orders and medical records younger than this many milliseconds prevent the erasure; 0: nothing must be retained. */
  readonly retentionMs: number
  /** leaves the orders unchanged, including addresses and notes */
  readonly keepOrders?: boolean | undefined
  /** reports what would be done and changes nothing */
  readonly dryRun?: boolean | undefined
}

export interface Erasure {
  readonly center: string
  readonly customerId: string
  readonly dryRun: boolean
  readonly bookings: number
  readonly orders: {
    /** orders whose sums, items and dates remain, but no personal data */
    readonly cleared: number
    /** those of them from which a billing address, notes, or an item with the person's name were removed */
    readonly addresses: number
    readonly notes: number
    readonly names: number
    /** orders whose billing address remains because it is another guest's */
    readonly shared: number
    /** orders left unchanged by `keepOrders` */
    readonly retained: number
  }
  readonly kitchenSheets: number
  /** Rows of other records that still mention the person. Only a human reader can tell what they mean. */
  readonly mentions: Readonly<Record<string, number>>
  /** recorded in the trail in place of the identifier */
  readonly digest: string
}

export interface ErasureMaking {
  readonly random: (count: number) => Uint8Array
  /** epoch ms */
  readonly now: number
}

/** The law may require some data to be retained. */
export class Retained extends SubjectError {
  readonly what: { readonly orders: number; readonly stays: number }
  constructor(what: Retained['what'], message: string) {
    super(message)
    this.what = what
  }
}

/** Rolls the transaction back, but keeps the counts. */
class RolledBack extends Error {}

const SALT_BYTES = 32

/**
 * Erases a customer.
 * @throws {SubjectError} if there is no such customer, or the law may require some data to be retained
 */
export async function eraseSubject(
  database: Database,
  input: ErasureInput,
  making: ErasureMaking,
): Promise<Erasure> {
  const { center } = await findSubject(database, input.customer, input.center)
  let erasure: Erasure | undefined
  try {
    await database.transaction(async (tx) => {
      erasure = await eraseIn(tx, center, input, making)
      if (input.dryRun) throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  if (erasure === undefined) throw new Error('an erasure ended without a result')
  return erasure
}

/** Erases within a transaction. @throws {SubjectError} as `eraseSubject` does; the transaction must not be committed then */
export async function eraseIn(
  tx: Queryable,
  center: CenterId,
  input: ErasureInput,
  { random, now }: ErasureMaking,
): Promise<Erasure> {
  const { customer } = input
  await waitForImports(tx, center)
  const [names] = await tx.query<CustomerNames>(lockCustomer(center, customer))
  if (names === undefined)
    throw new SubjectError(`There is no customer ${JSON.stringify(customer)} any more.`)
  const subject = await readSubject(tx, center, customer)
  const orders = await tx.query<OrderRow>(selectOrders(center, subject.orders, customer))
  refuseRetained(subject, orders, input, now)

  const cleared = input.keepOrders ? [] : orders
  const terms = mentionTerms(names)
  const addresses: string[] = []
  const texts: ReplacedText[] = []
  const counts = { shared: 0, addresses: 0, notes: 0, names: 0 }
  for (const order of cleared) {
    const keepsAddress = order.is_shared && !isMainGuestOf(subject, order)
    if (!keepsAddress) addresses.push(order.uuid)
    if (order.has_address) counts[keepsAddress ? 'shared' : 'addresses'] += 1
    if (order.notes !== null) counts.notes += 1
    const named = order.items.filter(({ name }) => mentions(name, terms))
    if (named.length > 0) counts.names += 1
    for (const { name } of named)
      texts.push({ kind: 'order', id: order.uuid, field: 'items.name', text: name })
    const items = order.items.map((item) => ({
      ...item,
      name: mentions(item.name, terms) ? item.itemId : item.name,
    }))
    await tx.query(clearOrder(center, order.uuid, { items: JSON.stringify(items), keepsAddress }))
  }
  const sheets = await tx.query<{ day: string; number: number; content: string }>(
    selectSheets(center, sheetNeedles(subject)),
  )
  const ids = new Set(subject.stays.map(({ id }) => id))
  for (const { day, number, content } of sheets) {
    await tx.query(rewriteSheet(center, day, number, sheetWithoutGuests(content, ids)))
  }
  await tx.query(deleteStays(center, customer))
  await tx.query(deleteCustomer(center, customer))
  await tx.query(deleteVersions(center, customer, [...ids]))
  const uuids = orders.map(({ uuid }) => uuid)
  const records = {
    bookings: [...ids],
    orders: input.keepOrders ? [] : uuids,
    addresses,
    retained: input.keepOrders ? uuids : [],
    texts,
  }
  const digest = await noteErased(tx, center, customer, records, () => random(SALT_BYTES))
  const done = {
    bookings: subject.stays.length,
    orders: { cleared: cleared.length, ...counts, retained: orders.length - cleared.length },
    kitchenSheets: sheets.length,
  }
  await recordAct(tx, {
    center,
    name: 'eraseGuest',
    facts: { customer: digest, bookings: String(done.bookings), orders: String(orders.length) },
    scopes: [],
  })
  await removeMentions(tx, center, terms)
  const named: Record<string, number> = {}
  for (const table of Object.keys(MENTIONED_IN)) {
    const [row] = await tx.query<{ rows: number }>(countMentions(center, table, terms))
    if (row !== undefined && row.rows > 0) named[table] = row.rows
  }
  for (const statement of analyzeSql) await tx.query(statement)
  await noteRewrite(tx)
  return { center, customerId: customer, dryRun: input.dryRun ?? false, ...done, mentions: named, digest }
}

interface OrderRow {
  uuid: string
  number: string | null
  /** epoch ms */
  order_date: number
  has_address: boolean
  notes: string | null
  items: { readonly itemId: string; readonly name: string }[]
  is_shared: boolean
}

const isMainGuestOf = ({ stays }: Subject, { uuid }: OrderRow) =>
  stays.some(({ order_uuid, is_main }) => order_uuid === uuid && is_main)

/** @throws {SubjectError} for data that laws commonly require to be retained: invoices and medical records */
function refuseRetained(
  { stays }: Subject,
  orders: readonly OrderRow[],
  { retentionMs, keepOrders }: ErasureInput,
  now: number,
): void {
  const since = now - retentionMs
  const invoices = keepOrders
    ? []
    : orders.filter(
        ({ order_date, has_address, notes }) => order_date > since && (has_address || notes !== null),
      )
  const medical = stays.filter(({ is_medical, end_date }) => is_medical && end_date > since)
  if (retentionMs === 0 || invoices.length + medical.length === 0) return
  const newest = (moments: readonly number[]) => isoMoment(Math.max(...moments)).slice(0, 10)
  const parts = [
    ...(invoices.length === 0
      ? []
      : [
          `${invoices.length} with a billing address or notes in orders, the newest of ${newest(invoices.map((order) => order.order_date))}`,
        ]),
    ...(medical.length === 0
      ? []
      : [
          `${medical.length} with medical data in stays, the last one until ${newest(medical.map((stay) => stay.end_date))}`,
        ]),
  ]
  throw new Retained(
    { orders: invoices.length, stays: medical.length },
    `Nothing was erased, because the law may require you to keep ${parts.join(', and ')}. Use --retention with the time that applies to you (such as 6y), --keep-orders to leave orders unchanged, or --retention 0 if nothing has to be retained.`,
  )
}
