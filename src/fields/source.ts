/**
 * Where the values of a guest's fields come from: the table, its column and the place in it, or what is made of
 * such a value. Said as data; `guests/guest-columns-sql.ts` makes the SQL of it.
 */
import type { TermKind, ValueKind } from './value-kinds.ts'

/** The rows that a guest is joined from; `sessions` is the booking's main session, `orders` its order. */
export type GuestTable = 'bookings' | 'customers' | 'sessions' | 'orders'

/** A value that is kept as it came in; null where there is none. */
export interface Stored<T = unknown, Kind extends ValueKind = ValueKind> {
  readonly from: 'record'
  readonly table: GuestTable
  readonly column: string
  /** the place in a column of json; empty for a column that holds nothing else */
  readonly path: readonly string[]
  readonly kind: Kind
  /** whether every record has it */
  readonly required: boolean
  /** never set: it carries the type, as in all of these */
  readonly type?: T
}

/** The name of the term that an identifier points at, in the language asked for; of a list, the names of all. */
export interface TermNames<T = unknown> {
  readonly from: 'terms'
  readonly of: Stored<T, TermKind>
  readonly type?: T
}

/** Sessions of the same customer beside this booking's (ruling 25): identifier and name, in date order. */
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

export type Source = Stored | TermNames | SessionHistory | CustomValue

/** What a source answers. */
export type ValueOf<From extends Source> = Exclude<From['type'], undefined>

type InColumn<Kind extends ValueKind> = NonNullable<Kind['types']>['inColumn']
type InJson<Kind extends ValueKind> = NonNullable<Kind['types']>['inJson']

const rowOf = (table: GuestTable) => ({
  /** A value that has a column of its own. */
  column: <Kind extends ValueKind>(column: string, kind: Kind): Stored<InColumn<Kind> | null, Kind> => ({
    from: 'record',
    table,
    column,
    path: [],
    kind,
    required: false,
  }),
  /** The same, of every record. */
  required: <Kind extends ValueKind>(column: string, kind: Kind): Stored<InColumn<Kind>, Kind> => ({
    from: 'record',
    table,
    column,
    path: [],
    kind,
    required: true,
  }),
  /** A value within a column of json. @param path names with dots between. */
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
})

export const booking = rowOf('bookings')
export const customer = rowOf('customers')
export const mainSession = rowOf('sessions')
export const order = rowOf('orders')

/** The row that must be joined for a source. */
export function joinedTable(source: Source): GuestTable {
  if (source.from === 'record') return source.table
  if (source.from === 'terms') return source.of.table
  if (source.from === 'custom') return source.owner === 'customer' ? 'customers' : 'bookings'
  return 'bookings'
}

/** What leads from a booking to the row of each table. */
const LINKS: Readonly<Record<GuestTable, readonly string[]>> = {
  bookings: [],
  customers: ['bookings.customer_id'],
  sessions: ['bookings.session_ids', 'sessions.id'],
  orders: ['bookings.order_uuid', 'orders.uuid'],
}

/** What the history of a customer's other stays is made of, beside those themselves (migrations/0006-changes.sql). */
const HISTORY_COLUMNS = ['customer_id', 'status', 'session_ids', 'start_date', 'end_date']
  .map((column) => `bookings.${column}`)
  .concat('guests.history')

/**
 * Every column that the value is made of, as `table.column`: while none of them differs, the value stays. Terms are
 * not among them: a change of theirs counts for everything of a center.
 */
export function columnsRead(source: Source): readonly string[] {
  if (source.from === 'history') return HISTORY_COLUMNS
  if (source.from === 'terms') return columnsRead(source.of)
  const table = joinedTable(source)
  const column = source.from === 'custom' ? 'meta' : source.column
  return [`${table}.${column}`, ...LINKS[table]]
}
