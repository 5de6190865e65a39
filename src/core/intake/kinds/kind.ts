/** The definition of a kind of record: its schema, key and columns. */

import type { TObject } from 'typebox'
import { type FieldReason, reason, type Sentence } from '../../locale/said.ts'

export const KIND_NAMES = [
  'center',
  'metaField',
  'term',
  'session',
  'order',
  'customer',
  'booking',
  'bookingCounter',
  'freedBookingId',
  'mapping',
  'key',
  'auditHead',
  'auditRecordList',
  'auditEntry',
] as const
export type KindName = (typeof KIND_NAMES)[number]

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/**
 * Types that only the audit trail uses, and keys: numbers, timestamps in microseconds, and hashes in hexadecimal. They
 * are exported unchanged and never merged.
 */
export type TrailType = 'bigint' | 'microseconds' | 'hash'

export interface Column {
  readonly name: string
  readonly type:
    | 'text'
    | 'text[]'
    | 'boolean'
    | 'integer'
    | 'numeric'
    | 'date'
    | 'timestamptz'
    | 'jsonb'
    | 'bytea'
    | TrailType
  /** The field stored in the column; absent if `toRow` fills it. */
  readonly field?: string
  /** The value stored if the field is left out or cleared; null by default. */
  readonly empty?: Json
}

export interface Kind {
  readonly name: KindName
  readonly table: string
  /** The fields that identify the record within its center, and their columns. */
  readonly key: readonly { readonly field: string; readonly column: string; readonly type?: TrailType }[]
  /** The option without which this kind is neither exported nor imported. */
  readonly only?: 'keys' | 'audit'
  /** All fields of the record except `kind`, `centerId` and `deleted`. */
  readonly schema: TObject
  /** All columns except `center_id` and those of the key. */
  readonly columns: readonly Column[]
  /**
   * Adds to `row` what `columns` alone cannot express, for the fields in `record`. Both are merge patches (RFC 7396):
   * null clears.
   */
  toRow?(record: JsonObject, row: JsonObject): void
  /** Fields of which a record has at least one, each stored in a column of its own, and the problem without them. */
  readonly atLeastOne?: { readonly fields: readonly string[]; readonly says: Sentence }
  /** The reverse of `toRow`: adds to `record` what `columns` alone cannot express. */
  fromRow?(row: JsonObject, record: JsonObject): void
  /** Splits a record that would be too long for one line. */
  inLines?(record: JsonObject): JsonObject[]
  /** Adjusts a merged row, which has no problem, by the stored one and the center's time zone. */
  settle?(before: JsonObject | undefined, after: JsonObject, zone: string): void
  /** Columns that the database fills: a record with a version that leaves them out does not clear them. */
  readonly own?: readonly string[]
  /** Whether records of this kind cannot be removed. */
  readonly isPermanent?: boolean
  /** Normalizes a merged row to its stored form. */
  tidy?(row: JsonObject): void
  /**
   * Finds problems of the merged row that no single field shows. Messages give times in the center's time zone.
   * @param record the fields of the line, with those of the key
   */
  check?(row: JsonObject, zone: string, record: JsonObject): FieldReason[]
}

/** Checks that the end is not before the start; for all kinds that have both. */
export function checkInterval(row: JsonObject, zone: string, given: JsonObject): FieldReason[] {
  const { start_date: start, end_date: end } = row
  if (typeof start !== 'string' || typeof end !== 'string' || end >= start) return []
  // Shown as the center's own programs show it.
  const local = (moment: string) =>
    Temporal.Instant.from(moment)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' })
  // The sender may not be allowed to read what is stored.
  const values = {
    end: given.endDate === undefined ? ({ key: 'storedEnd' } as const) : local(end),
    start: given.startDate === undefined ? ({ key: 'storedStart' } as const) : local(start),
  }
  return [{ field: 'endDate', ...reason({ key: 'endBeforeStart', values }) }]
}
