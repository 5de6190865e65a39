/** Lists who read what, newest first: the reads of the trail by guest, key, endpoint and time. */

import type { Queryable } from '../database/database.ts'
import { recordListIds } from '../database/record-list.ts'
import { localDateOf } from '../locale/zones.ts'
import { noSuchCenter } from '../records/centers/find-center.ts'
import { zonesOf } from '../records/centers/zones-of.ts'
import { type Entry, requestLines } from './entry.ts'
import { selectAuditedCenters } from './heads-sql.ts'
import {
  type EntryFilter,
  type ListedRow,
  selectBookings,
  selectListed,
  type WantedRecord,
} from './list-reads-sql.ts'
import { customerInTrail, OF_BOOKINGS, OF_CHECKS, OF_ORDERS } from './named-records.ts'
import { GROUP_MS_MAX } from './write/read-queue.ts'

export interface ReadsQuestion {
  /** only this center; all centers by default */
  readonly center: string | undefined
  /** only this key: a public key or an application */
  readonly key: string | undefined
  /** only these operations */
  readonly operations: readonly string[] | undefined
  /**
   * only reads of this guest's records: a booking by its identifier or booking number, or all bookings of a customer
   */
  readonly guest: { readonly booking: string } | { readonly customer: string } | undefined
  /** epoch ms in a center's time zone, both inclusive */
  readonly since: ((zone: string) => number) | undefined
  readonly until: ((zone: string) => number) | undefined
}

/** A read from the trail. */
export interface TrailRead {
  /** ISO 8601 */
  readonly at: string
  readonly center: string
  readonly key: { readonly name: string; readonly appId: string; readonly publicKey: string }
  readonly operation: string
  /** `assistant` for a read by an assistant; null for a program's own request */
  readonly channel: string | null
  readonly filters: Readonly<Record<string, string | readonly string[]>>
  /** the scopes that the requested fields needed */
  readonly scopes: readonly string[]
  /** number of records; a minimum if the list was too long to name them */
  readonly records: number
  /** identifiers of the records; if a guest is given, only that guest's; null if they were not named */
  readonly recordIds: readonly string[] | null
  /** 0 for a command's action (record-act.ts) */
  readonly status: number
  readonly requestId: string
  /** revision of the center's data */
  readonly revision: number
  /** number of the entry that contains the read */
  readonly entry: number
}

/** A question that cannot be answered. The message says why. */
export class TrailQuestionError extends Error {
  override readonly name = 'TrailQuestionError'
}

/** Times before and after all entries, for periods without a bound. */
export const FIRST_MOMENT = Date.UTC(1000, 0, 1)
export const LAST_MOMENT = Date.UTC(9999, 11, 31)
const PIECE = 500

/**
 * Lists reads. An order belongs to a guest if the guest's booking belongs to it now. A list too long to name its orders
 * counts as including every order of its days.
 * @throws {TrailQuestionError} if the customer has no booking
 * @throws {NoSuchCenter}
 */
export async function* listReads(database: Queryable, question: ReadsQuestion): AsyncGenerator<TrailRead> {
  const centers = await readCenters(database, question)
  if (centers.length === 0) return
  const records =
    question.guest === undefined ? undefined : await wantedRecords(database, centers, question.guest)
  const filter: EntryFilter = {
    within: {
      centers: centers.map(({ id }) => id),
      // The time of an entry is that of its first read.
      since: centers.map(({ since }) => new Date(since - GROUP_MS_MAX).toISOString()),
      until: centers.map(({ until }) => new Date(until).toISOString()),
    },
    key: question.key,
    operations: question.operations,
    records,
  }
  const bounds = new Map(centers.map((center) => [center.id, center]))
  const wantedIds =
    records === undefined ? undefined : new Set(records.map(({ needle }) => needle.slice(1, -1)))

  // Entries come in the order of their first reads, and may overlap by up to a second. So reads are held until no later
  // row can precede them.
  let held: TrailRead[] = []
  let after: Pick<Entry, 'at' | 'center_id' | 'seq'> | undefined
  while (true) {
    const rows = await database.query<ListedRow>(selectListed(filter, after, PIECE))
    for (const row of rows) {
      const settled = new Date(row.at / 1000 + GROUP_MS_MAX).toISOString()
      held.sort(newestFirst)
      // The reads of an entry end before it is closed (read-queue.ts), so a read at exactly this time need not wait.
      while (held[0] !== undefined && held[0].at >= settled) yield held.shift() as TrailRead
      const within = bounds.get(row.center_id)
      held.push(...readsOf(row, wantedIds).filter((read) => within !== undefined && isWithin(read, within)))
    }
    const last = rows.at(-1)
    if (rows.length < PIECE || last === undefined) break
    after = last
  }
  held = held.sort(newestFirst)
  yield* held
}

/** The centers whose trails a question concerns, in order. @throws {NoSuchCenter} */
export const centersAsked = async (database: Queryable, question: ReadsQuestion): Promise<string[]> =>
  (await readCenters(database, question)).map(({ id }) => id)

/** The centers that have a trail, in order. */
async function auditedCenters(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ center_id: string }>(selectAuditedCenters)
  return rows.map((row) => row.center_id)
}

interface Within {
  readonly id: string
  readonly since: number
  readonly until: number
}

async function readCenters(database: Queryable, question: ReadsQuestion): Promise<Within[]> {
  const known = await auditedCenters(database)
  const ids = known.filter((id) => question.center === undefined || id === question.center)
  const zoneOf = await zonesOf(database, question.center === undefined ? ids : [question.center])
  if (question.center !== undefined && ids.length === 0 && zoneOf.size === 0) {
    throw await noSuchCenter(database, question.center)
  }
  return ids.map((id) => {
    // A removed center has left no time zone.
    const zone = zoneOf.get(id) ?? 'UTC'
    return {
      id,
      since: question.since?.(zone) ?? FIRST_MOMENT,
      until: question.until?.(zone) ?? LAST_MOMENT,
    }
  })
}

async function wantedRecords(
  database: Queryable,
  centers: readonly Within[],
  guest: { readonly booking: string } | { readonly customer: string },
): Promise<WantedRecord[]> {
  const ids = centers.map(({ id }) => id)
  const bookings = await database.query<{
    center_id: string
    id: string
    customer_id: string
    order_uuid: string | null
    ordered: number | null
    timezone: string
  }>(selectBookings(ids, guest))
  if (bookings.length === 0 && 'customer' in guest) {
    throw new TrailQuestionError(
      `There is no booking of the customer ${JSON.stringify(guest.customer)}; give the booking itself with --guest.`,
    )
  }
  const needle = (id: string) => `\n${id}\n`
  const wanted: WantedRecord[] = bookings.flatMap((booking) => [
    { center_id: booking.center_id, operations: OF_BOOKINGS, needle: needle(booking.id), day: null },
    {
      center_id: booking.center_id,
      operations: OF_CHECKS,
      needle: needle(customerInTrail(booking.customer_id)),
      day: null,
    },
    ...(booking.order_uuid === null
      ? []
      : [
          {
            center_id: booking.center_id,
            operations: OF_ORDERS,
            needle: needle(booking.order_uuid),
            day: booking.ordered === null ? null : localDateOf(booking.timezone, booking.ordered),
          },
        ]),
  ])
  // A booking that was removed later may have been read before.
  if ('booking' in guest) {
    for (const center_id of ids) {
      wanted.push({ center_id, operations: OF_BOOKINGS, needle: needle(guest.booking), day: null })
    }
  }
  return wanted
}

/** The reads of an entry, newest first. @param wantedIds the only identifiers to name */
export function readsOf(
  row: Omit<ListedRow, 'previous_hash' | 'hash'>,
  wantedIds: ReadonlySet<string> | undefined,
): TrailRead[] {
  const ids = row.ids === null ? null : recordListIds(row.ids)
  const common = {
    center: row.center_id,
    key: { name: row.key_name, appId: row.app_id, publicKey: row.public_key },
    operation: row.operation,
    channel: row.channel,
    filters: filtersOf(row.query),
    scopes: row.scopes === '' ? [] : row.scopes.split(' '),
    records: row.records,
    // The answer about one guest must not name other guests on the page.
    recordIds: wantedIds === undefined ? ids : (ids?.filter((id) => wantedIds.has(id)) ?? null),
    revision: row.revision,
    entry: row.seq,
  }
  return requestLines(row.requests)
    .reverse()
    .map(({ offsetMs, status, requestId }) => ({
      at: new Date(row.at / 1000 + offsetMs).toISOString(),
      ...common,
      status,
      requestId,
    }))
}

function filtersOf(query: string): Record<string, string | string[]> {
  const filters: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(query)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    filters[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return filters
}

const isWithin = ({ at }: TrailRead, { since, until }: Within) => {
  const moment = Date.parse(at)
  return moment >= since && moment <= until
}

const newestFirst = (a: TrailRead, b: TrailRead) => (a.at === b.at ? b.entry - a.entry : a.at < b.at ? 1 : -1)
