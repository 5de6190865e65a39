/** What a projection reads from the database: its values, and the rows that contain them. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { asText, SEPARATOR, textRow } from '../../database/text-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import { columnsRead, type GuestSource, type GuestTable, joinedTable } from '../../records/fields/source.ts'
import { CUSTOMER_NEXT_TO_SESSIONS, NEXT_TO_SESSIONS } from './bookings-of-page-sql.ts'
import { type ColumnInputs, expressionOf, formOf, type ShownOn } from './guest-columns-sql.ts'
import { oneRow, rowsByKey } from './one-row-sql.ts'

/** Made once for each projection. */
export interface Selection {
  /** every column that the values are made from, as `table.column` */
  readonly columns: readonly string[]
  /** whether guests with a session can be listed without reading their bookings */
  readonly isNextToSessions: boolean
  /** the rows that are joined to the booking's, each found by itself; without any, its customer is already there */
  readonly joins: Sql
  /** whether any of them are of other tables */
  readonly isJoined: boolean
  /** The same for the bookings of a page, which are in the set `booked`: found together. */
  joinsOfPage(center: CenterId): { readonly sets: readonly Sql[]; readonly joins: Sql }
  /** a row's values, each in the form of `asText`, after the booking's identifier */
  rowIn(inputs: ColumnInputs, separator: string): Sql
}

export function selectionOf(sources: readonly GuestSource[]): Selection {
  const columns = sources.flatMap(columnsRead)
  const areNextToSessions = (table: GuestTable) =>
    columns.every((column) => !column.startsWith(`${table}.`) || nextToSessions.has(column))
  const rowIn = (inputs: ColumnInputs, separator: string) =>
    textRow(
      [raw('b.id'), ...sources.map((source) => asText(expressionOf(source, inputs), formOf(source)))],
      separator,
    )
  const isCustomerNextToSessions = areNextToSessions('bookings') && areNextToSessions('customers')
  const linked = LINKED.filter(
    ({ table }) =>
      sources.some((source) => joinedTable(source) === table) &&
      !(isCustomerNextToSessions && table === 'customers'),
  )
  const besides = isCustomerNextToSessions && sources.some((source) => joinedTable(source) === 'customers')
  const customer = besides ? [CUSTOMER_NEXT_TO_SESSIONS] : []
  const variesByDay = sources.some((source) => {
    const stored = source.from === 'terms' ? source.of : source
    return stored.from === 'record' && stored.inSegments === true
  })
  const showsPaid = sources.some(({ from }) => from === 'paid')
  /** Cached for the last inputs, which are nearly always those of the next call. */
  let last: { readonly inputs: ColumnInputs; readonly row: Sql } | undefined
  return {
    columns,
    isNextToSessions: areNextToSessions('bookings'),
    joins: joined([...customer, ...linked.map(joinOne)]),
    isJoined: linked.length > 0,
    joinsOfPage: (center) => ({
      sets: linked.map((link) => setOf(link, center)),
      joins: joined([...customer, ...linked.map(joinSet)]),
    }),
    rowIn(inputs, separator) {
      if (separator !== SEPARATOR) return rowIn(inputs, separator)
      if (last === undefined || !isSame(last.inputs, inputs, { variesByDay, showsPaid })) {
        last = { inputs, row: rowIn(inputs, separator) }
      }
      return last.row
    },
  }
}

interface Varies {
  readonly variesByDay: boolean
  readonly showsPaid: boolean
}

const isSame = (a: ColumnInputs, b: ColumnInputs, { variesByDay, showsPaid }: Varies): boolean =>
  a.center === b.center &&
  a.language === b.language &&
  (!variesByDay || isSameDay(a.shownOn, b.shownOn)) &&
  // The rules of a center are one object until they change.
  (!showsPaid || (a.paidBy.orderRules === b.paidBy.orderRules && a.paidBy.currency === b.paidBy.currency))

const isSameDay = (a: ShownOn, b: ShownOn): boolean =>
  a.zone === b.zone && a.from === b.from && a.sessionIds?.join() === b.sessionIds?.join()

/** The columns that are next to sessions, including those that lead to the customer and the session. */
const nextToSessions = new Set([
  ...['id', 'start_date', ...NEXT_TO_SESSIONS.bookings].map((column) => `bookings.${column}`),
  ...NEXT_TO_SESSIONS.customers.map((column) => `customers.${column}`),
])

interface Linked {
  readonly table: string
  readonly alias: string
  readonly key: string
  /** the key in the booking `b` */
  readonly of: string
}

/** The rows that a source can need in addition to the booking's, in the order of the joins. */
const LINKED: readonly Linked[] = [
  { table: 'customers', alias: 'c', key: 'id', of: 'b.customer_id' },
  { table: 'sessions', alias: 's', key: 'id', of: 'b.session_ids[1]' },
  { table: 'orders', alias: 'o', key: 'uuid', of: 'b.order_uuid' },
]

const joinOne = ({ table, alias, key, of }: Linked): Sql =>
  sql`left join lateral ${oneRow(raw(`${table} where center_id = b.center_id and ${key} = ${of}`))} ${raw(alias)} on true`

const setOf = ({ table, key, of }: Linked, center: CenterId): Sql =>
  sql`${raw(table)}_of_page as materialized (${rowsByKey(table, key, center, raw(`select ${of} from booked b`))})`

/**
 * No row of the set is without a booking, so a full join has the rows of a left one. But it is always hashed or merged:
 * PostgreSQL compares each booking with each row of a left one if it expects a handful of them.
 */
const joinSet = ({ table, alias, key, of }: Linked): Sql =>
  raw(`full join ${table}_of_page ${alias} on ${alias}.${key} = ${of}`)

const joined = (joins: readonly Sql[]): Sql => (joins.length === 0 ? empty : join([...joins], '\n        '))
