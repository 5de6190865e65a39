/** Exports all data stored about a person, and who has read it (GDPR articles 15 and 20). */

import { listReads, type TrailRead } from '../../core/audit/list-reads.ts'
import { recordAct } from '../../core/audit/record-act.ts'
import type { Database, Queryable, Transacting } from '../../core/database/database.ts'
import type { JsonObject, Kind } from '../../core/intake/kinds/kind.ts'
import { KINDS } from '../../core/intake/kinds.ts'
import { recordOfRow } from '../../core/intake/lines/record-of-row.ts'
import { fromDatabase } from '../../core/intake/lines/rows.ts'
import { selectRowsSql } from '../../core/intake/merge/upsert-sql.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { guestsOfSheet } from '../kitchen/sheet-content.ts'
import { type ContradictionAbout, contradictionsAbout } from './contradictions-about.ts'
import { findSubject, type Subject, sheetNeedles } from './subject.ts'
import { selectNotes, selectSheets } from './subjects-sql.ts'

export interface SubjectExport {
  readonly center: string
  readonly customerId: string
  /** ISO 8601 */
  readonly exportedAt: string
  /** records in the format of the import */
  readonly customer: JsonObject
  readonly bookings: readonly JsonObject[]
  readonly orders: readonly JsonObject[]
  readonly sessions: readonly JsonObject[]
  /** the person's entries in kitchen sheets */
  readonly kitchenSheets: readonly {
    readonly day: string
    readonly number: number
    readonly takenAt: string
    readonly guests: readonly object[]
  }[]
  /** what does not fit between these records, without the other people who are compared */
  readonly contradictions: readonly ContradictionAbout[]
  /** which columns changed and when, without values */
  readonly changes: readonly {
    readonly kind: string
    readonly id: string
    readonly operation: string
    readonly columns: readonly string[]
    readonly at: string
  }[]
  /** from the audit trail, newest first; other people on the same pages are not named */
  readonly reads: readonly TrailRead[]
}

/**
 * Exports a customer's data, and records the export in the audit trail.
 * @throws {SubjectError} if there is no such customer
 */
export async function exportSubject(
  database: Database,
  customer: string,
  { center, now }: { readonly center: string | undefined; readonly now: number },
): Promise<SubjectExport> {
  return exportOf(database, await findSubject(database, customer, center), now)
}

/** The same of a subject. @param database of which a transaction may be a part */
export async function exportOf(database: Transacting, subject: Subject, now: number): Promise<SubjectExport> {
  const { customer } = subject
  const records = (kind: Kind, keys: readonly string[]) => readRecords(database, subject, kind, keys)
  const bookings = subject.stays.map(({ id }) => id)
  const [own] = await records(KINDS.customer, [customer])
  const ids = new Set(bookings)
  const sheets = await database.query<{ day: string; number: number; taken_at: number; content: string }>(
    selectSheets(subject.center, sheetNeedles(subject)),
  )
  const notes = await database.query<{
    kind: string
    id: string
    operation: string
    columns: string[]
    committed_at: number
  }>(selectNotes(subject.center, bookings, subject.orders))
  const held = {
    center: subject.center,
    customerId: customer,
    exportedAt: isoMoment(now),
    customer: own ?? {},
    bookings: await records(KINDS.booking, bookings),
    orders: await records(KINDS.order, subject.orders),
    sessions: await records(KINDS.session, [...new Set(subject.stays.flatMap((stay) => stay.session_ids))]),
    kitchenSheets: sheets.map(({ day, number, taken_at, content }) => ({
      day,
      number,
      takenAt: isoMoment(taken_at),
      guests: guestsOfSheet(content, ids),
    })),
    contradictions: await contradictionsAbout(database, subject),
    changes: notes.map(({ committed_at, ...note }) => ({ ...note, at: isoMoment(committed_at) })),
    reads: bookings.length === 0 ? [] : await readsOf(database, subject),
  }
  await database.transaction((tx) =>
    recordAct(tx, {
      center: subject.center,
      name: 'exportGuest',
      facts: { bookings: String(bookings.length), orders: String(subject.orders.length) },
      scopes: ['guests', 'guests.personal', 'guests.medical', 'guests.financial', 'orders'],
      shown: bookings,
    }),
  )
  return held
}

async function readRecords(
  database: Queryable,
  { center }: Subject,
  kind: Kind,
  keys: readonly string[],
): Promise<JsonObject[]> {
  const rows = await database.query(selectRowsSql(kind, { centerIds: keys.map(() => center), keys: [keys] }))
  const [key] = kind.key
  if (key === undefined) return []
  const records = rows.map((row) =>
    recordOfRow(kind, center, fromDatabase(kind, row), { [key.field]: String(row[key.column]) }),
  )
  const place = new Map(keys.map((id, at) => [id, at]))
  return records.sort(
    (a, b) => (place.get(String(a[key.field])) ?? 0) - (place.get(String(b[key.field])) ?? 0),
  )
}

const readsOf = (database: Queryable, { center, customer }: Subject): Promise<TrailRead[]> =>
  Array.fromAsync(
    listReads(database, {
      center,
      key: undefined,
      operations: undefined,
      guest: { customer },
      since: undefined,
      until: undefined,
    }),
  )
