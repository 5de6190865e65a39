/** What one kind of record is made of: its schema, its key, and the columns it is kept in. */
import type { TObject } from 'typebox'

export const KIND_NAMES = [
  'center',
  'metaField',
  'term',
  'session',
  'order',
  'customer',
  'booking',
  'bookingCounter',
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
 * What only the trail has: numbers, moments to the microsecond, and hashes in hexadecimal. They are exported as they are
 * and never merged.
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
  /** The record's field it holds; absent where `toRow` fills it. */
  readonly field?: string
  /** What stands in it when its field was left out or cleared; null unless given. */
  readonly empty?: Json
}

export interface Kind {
  readonly name: KindName
  readonly table: string
  /** The record's fields that identify it within its center, and their columns. */
  readonly key: readonly { readonly field: string; readonly column: string; readonly type?: TrailType }[]
  /** The option without which it is neither exported nor imported. */
  readonly only?: 'keys' | 'audit'
  /** Every field of the record beside `kind`, `centerId` and `deleted`. */
  readonly schema: TObject
  /** The columns beside `center_id` and the key's. */
  readonly columns: readonly Column[]
  /**
   * Adds to `row` what `columns` alone cannot say, for the fields that `record` names. Both are merge patches
   * (RFC 7396): null clears.
   */
  toRow?(record: JsonObject, row: JsonObject): void
  /** The way back: adds to `record` what `columns` alone cannot say of a row that was read. */
  fromRow?(row: JsonObject, record: JsonObject): void
  /** The records that it is written as, where one would be too long a line. */
  inLines?(record: JsonObject): JsonObject[]
  /** Changes a merged row by what is there already, where not everything may be replaced. */
  settle?(before: JsonObject | undefined, after: JsonObject): void
  /** Columns that the database fills by itself: a record with a version that leaves them out keeps them. */
  readonly own?: readonly string[]
  /** It cannot be removed. */
  readonly isKept?: boolean
  /** Brings a merged row into the one form it is kept in. */
  tidy?(row: JsonObject): void
  /** Problems of the merged row that no single field shows; moments are told in the center's time. */
  check?(row: JsonObject, zone: string): { field: string; message: string }[]
}

/** The same check for all that begins and ends. */
export function checkInterval(row: JsonObject, zone: string): { field: string; message: string }[] {
  const { start_date: start, end_date: end } = row
  if (typeof start !== 'string' || typeof end !== 'string' || end >= start) return []
  // As the center's own programs show them.
  const local = (moment: string) =>
    Temporal.Instant.from(moment)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' })
  return [
    { field: 'endDate', message: `lies before startDate (${local(end)} is earlier than ${local(start)})` },
  ]
}
