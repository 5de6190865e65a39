/** What a projection reads from the database: its values, and the rows that contain them. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { asText, SEPARATOR, textRow } from '../database/text-rows.ts'
import { columnsRead, type GuestTable, joinedTable, type Source } from '../fields/source.ts'
import { type ColumnInputs, expressionOf, formOf } from './guest-columns-sql.ts'
import { BESIDE_SESSIONS, CUSTOMER_BESIDE_SESSIONS } from './guests-sql.ts'
import { oneRow } from './one-row-sql.ts'

/** Made once for each projection. */
export interface Selection {
  /** every column that the values are made from, as `table.column` */
  readonly columns: readonly string[]
  /** whether guests with a session can be listed without reading their bookings */
  readonly isBesideSessions: boolean
  /** the rows that are joined to the booking's; without any, its customer is already there */
  readonly joins: Sql
  /** a row's values, each in the form of `asText`, after the booking's identifier */
  rowIn(inputs: ColumnInputs, separator: string): Sql
}

export function selectionOf(sources: readonly Source[]): Selection {
  const columns = sources.flatMap(columnsRead)
  const isBeside = (table: GuestTable) =>
    columns.every((column) => !column.startsWith(`${table}.`) || besideSessions.has(column))
  const rowIn = (inputs: ColumnInputs, separator: string) =>
    textRow(
      [raw('b.id'), ...sources.map((source) => asText(expressionOf(source, inputs), formOf(source)))],
      separator,
    )
  /** Cached for the last inputs, which are nearly always those of the next call. */
  let last: { readonly inputs: ColumnInputs; readonly row: Sql } | undefined
  return {
    columns,
    isBesideSessions: isBeside('bookings'),
    joins: joinsOf(
      sources,
      isBeside('bookings') && isBeside('customers')
        ? { ...JOINS, customers: CUSTOMER_BESIDE_SESSIONS }
        : JOINS,
    ),
    rowIn(inputs, separator) {
      if (separator !== SEPARATOR) return rowIn(inputs, separator)
      const { center, language } = inputs
      if (last?.inputs.center !== center || last.inputs.language !== language) {
        last = { inputs, row: rowIn(inputs, separator) }
      }
      return last.row
    },
  }
}

/** The columns that are beside sessions, including those that lead to the customer and the session. */
const besideSessions = new Set([
  ...['id', 'start_date', ...BESIDE_SESSIONS.bookings].map((column) => `bookings.${column}`),
  ...BESIDE_SESSIONS.customers.map((column) => `customers.${column}`),
])

/** The rows that a source can need in addition to the booking's, in the order of the joins. */
const JOINS = {
  customers: sql`left join lateral ${oneRow(sql`customers where center_id = b.center_id and id = b.customer_id`)} c on true`,
  sessions: sql`left join lateral ${oneRow(sql`sessions where center_id = b.center_id and id = b.session_ids[1]`)} s on true`,
  orders: sql`left join lateral ${oneRow(sql`orders where center_id = b.center_id and uuid = b.order_uuid`)} o on true`,
}

function joinsOf(selected: readonly Source[], joins: typeof JOINS): Sql {
  const tables = new Set<string>(selected.map(joinedTable))
  const used = Object.entries(joins).flatMap(([table, join]) => (tables.has(table) ? [join] : []))
  return used.length === 0 ? empty : join(used, '\n        ')
}
