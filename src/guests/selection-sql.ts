/** What a projection asks of the database: its values and the rows that they stand in. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { asText, SEPARATOR, textRow } from '../database/text-rows.ts'
import { columnsRead, type GuestTable, joinedTable, type Source } from '../fields/source.ts'
import { type ColumnInputs, expressionOf, formOf } from './guest-columns-sql.ts'
import { BESIDE_SESSIONS } from './guests-sql.ts'
import { oneRow } from './one-row-sql.ts'

/** Made once, for every page that shows it. */
export interface Selection {
  /** every column that the values are made of, as `table.column` */
  readonly columns: readonly string[]
  /** whether a session's guests are listed without a look at their bookings */
  readonly isBesideSessions: boolean
  readonly joins: Sql
  /** a row's values, each as `asText` has it, after the booking's identifier */
  rowIn(inputs: ColumnInputs, separator: string): Sql
}

export function selectionOf(sources: readonly Source[]): Selection {
  const columns = sources.flatMap(columnsRead)
  const rowIn = (inputs: ColumnInputs, separator: string) =>
    textRow(
      [raw('b.id'), ...sources.map((source) => asText(expressionOf(source, inputs), formOf(source)))],
      separator,
    )
  /** for who asked last, which nearly always is who asks next */
  let last: { readonly inputs: ColumnInputs; readonly row: Sql } | undefined
  return {
    columns,
    isBesideSessions: columns.every(
      (column) => !column.startsWith('bookings.') || besideSessions.has(column),
    ),
    joins: joinsOf(sources),
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

/** What the list of a session needs no look at the bookings for; what leads to its customer and session is there too. */
const besideSessions = new Set(['id', 'start_date', ...BESIDE_SESSIONS].map((column) => `bookings.${column}`))

/** The rows beside the booking's that a source can ask for, in the order in which they are joined. */
const JOINS: readonly (readonly [table: GuestTable, join: Sql])[] = [
  [
    'customers',
    sql`left join lateral ${oneRow(sql`customers where center_id = b.center_id and id = b.customer_id`)} c on true`,
  ],
  [
    'sessions',
    sql`left join lateral ${oneRow(sql`sessions where center_id = b.center_id and id = b.session_ids[1]`)} s on true`,
  ],
  [
    'orders',
    sql`left join lateral ${oneRow(sql`orders where center_id = b.center_id and uuid = b.order_uuid`)} o on true`,
  ],
]

function joinsOf(selected: readonly Source[]): Sql {
  const tables = new Set(selected.map(joinedTable))
  const joins = JOINS.filter(([table]) => tables.has(table)).map(([, join]) => join)
  return joins.length === 0 ? empty : join(joins, '\n        ')
}
