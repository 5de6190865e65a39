/**
 * Where the values of a guest's fields come from: the table, its column and the path in it, or how they are derived
 * from such a value. Sources are data; `api/guests/guest-columns-sql.ts` makes the SQL from them.
 */
import { type TermKind, type ValueKind, value } from './value-kinds.ts'

/** The tables that a guest is joined from. `sessions` is the booking's main session, `orders` its order. */
export type GuestTable = 'bookings' | 'customers' | 'sessions' | 'orders'

/** A value that is stored as it was imported; null if there is none. */
export interface Stored<T = unknown, Kind extends ValueKind = ValueKind> {
  readonly from: 'record'
  readonly table: GuestTable
  readonly column: string
  /** the path in a JSON column; empty for a column that contains only this value */
  readonly path: readonly string[]
  readonly kind: Kind
  /** whether every record has it */
  readonly required: boolean
  /** set if the segment of the day has the value in place of the booking, where a stay is in several rooms */
  readonly inSegments?: true
  /** never set: it carries the type, as in all sources */
  readonly type?: T
}

/** The name of the term with this identifier, in the requested language; of a list, the names of all. */
export interface TermNames<T = unknown> {
  readonly from: 'terms'
  readonly of: Stored<T, TermKind>
  readonly type?: T
}

/** Other sessions of the same customer (ruling 25): identifier and name, by date. */
export interface SessionHistory {
  readonly from: 'history'
  readonly which: 'attendedBefore' | 'registeredFuture'
  readonly type?: [id: string, name: string][]
}

/** The value of a custom field. */
export interface CustomValue {
  readonly from: 'custom'
  readonly owner: 'customer' | 'booking'
  readonly key: string
  readonly type?: string | number | boolean | null
}

/** Whether the order of a booking is paid, or a booking without one (`records/payments-sql.ts`). */
export interface PaidSource {
  readonly from: 'paid'
  readonly type?: string | null
}

/** A value that a list's own statement makes, such as the guests of an order; null if it was not requested. */
export interface Made<T = unknown> {
  readonly from: 'made'
  readonly name: string
  /** as `table.column` */
  readonly columns: readonly string[]
  readonly type?: T | null
}

/** What a guest's values come from. */
export type GuestSource = Stored | TermNames | SessionHistory | CustomValue | PaidSource

export type Source = GuestSource | Made

/** The type of a source's value. */
export type ValueOf<From extends Source> = Exclude<From['type'], undefined>

type InColumn<Kind extends ValueKind> = NonNullable<Kind['types']>['inColumn']
type InJson<Kind extends ValueKind> = NonNullable<Kind['types']>['inJson']

const rowOf = (table: GuestTable) => ({
  /** A value that has its own column. */
  column: <Kind extends ValueKind>(column: string, kind: Kind): Stored<InColumn<Kind> | null, Kind> => ({
    from: 'record',
    table,
    column,
    path: [],
    kind,
    required: false,
  }),
  /** A value that has its own column and is in every record. */
  required: <Kind extends ValueKind>(column: string, kind: Kind): Stored<InColumn<Kind>, Kind> => ({
    from: 'record',
    table,
    column,
    path: [],
    kind,
    required: true,
  }),
  /** A value in a JSON column. @param path names, separated by dots */
  json: <Kind extends ValueKind>(
    column: string,
    path: string,
    kind: Kind,
  ): Stored<InJson<Kind> | null, Kind> => ({
    from: 'record',
    table,
    column,
    path: path.split('.'),
    kind,
    required: false,
  }),
  /** A value of each item of a list in a JSON column. */
  itemRequired: <Kind extends ValueKind>(
    column: string,
    name: string,
    kind: Kind,
  ): Stored<InJson<Kind>, Kind> => ({
    from: 'record',
    table,
    column,
    path: [name],
    kind,
    required: true,
  }),
})

export const booking = rowOf('bookings')
export const customer = rowOf('customers')
export const mainSession = rowOf('sessions')
export const order = rowOf('orders')

/** The parts of a stay that is in several rooms. */
export const accSegments = booking.column('acc_segments', value.accSegments)

/** A value of the accommodation, which differs by day where a stay is in several rooms. */
export const inAccommodation = <Kind extends ValueKind>(name: string, kind: Kind) =>
  ({ ...booking.json('accommodation', name, kind), inSegments: true }) as const

/** The table that must be joined for a source. */
export function joinedTable(source: GuestSource): GuestTable {
  if (source.from === 'record') return source.table
  if (source.from === 'terms') return source.of.table
  if (source.from === 'custom') return source.owner === 'customer' ? 'customers' : 'bookings'
  if (source.from === 'paid') return 'orders'
  return 'bookings'
}

/** The columns that lead from a booking to the row of each table. */
const LINKS: Readonly<Record<GuestTable, readonly string[]>> = {
  bookings: [],
  customers: ['bookings.customer_id'],
  sessions: ['bookings.session_ids', 'sessions.id'],
  orders: ['bookings.order_uuid', 'orders.uuid'],
}

/** The columns that define the history of a customer's other stays (migrations/0040-baseline.sql). */
const HISTORY_COLUMNS = ['customer_id', 'status', 'session_ids', 'start_date', 'end_date']
  .map((column) => `bookings.${column}`)
  .concat('guests.history')

/** The columns that define whether a guest has paid; `guests.payments` is noted if another guest of the order pays. */
export const PAID_COLUMNS = [
  'guests.payments',
  ...['financial', 'order_uuid', 'status'].map((column) => `bookings.${column}`),
  ...['uuid', 'total_amount', 'currency', 'status', 'payment_status'].map((column) => `orders.${column}`),
]

/** The columns that define which segment of a stay is shown. */
const SEGMENT_COLUMNS = [
  'bookings.acc_segments',
  'bookings.start_date',
  'bookings.session_ids',
  'sessions.id',
  'sessions.start_date',
]

/**
 * Every column that the value is made from, as `table.column`: the value stays current while none of them changes.
 * Terms are not included, because a changed term affects everything of a center.
 */
export function columnsRead(source: GuestSource): readonly string[] {
  if (source.from === 'history') return HISTORY_COLUMNS
  if (source.from === 'paid') return PAID_COLUMNS
  if (source.from === 'terms') return columnsRead(source.of)
  const table = joinedTable(source)
  const column = source.from === 'custom' ? 'meta' : source.column
  const also = source.from === 'record' && source.inSegments ? SEGMENT_COLUMNS : []
  return [`${table}.${column}`, ...LINKS[table], ...also]
}
