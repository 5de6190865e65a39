/** The statements of a list of one table's records. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { ifMoved, type MovedSince } from '../changes/feed-sql.ts'
import type { CenterId } from '../records/centers/center.ts'
import type { RecordTable } from '../records/record.ts'
import type { Bounds } from '../request/bounds.ts'
import type { Page } from '../request/paging.ts'

/** Which of them a list has. */
export interface Members {
  readonly center: CenterId
  readonly bounds: Bounds
  /** conditions on the row */
  readonly filters: readonly Sql[]
  readonly since: MovedSince | undefined
}

function isListed({ alias, key, during: [start, end] }: RecordTable, members: Members): Sql {
  const { center, bounds, filters, since } = members
  const own = (column: string) => raw(`${alias}.${column}`)
  const asked = filters.length === 0 ? empty : join([...filters], ' and ', ' and ')
  return sql`${own('center_id')} = ${center} and ${own(start)} <= ${bounds.upper} and ${own(end)} >= ${bounds.lower}${asked}${ifMoved(center, since, own(key))}`
}

/** The identifier of each member as `id`, and the column of the order. */
export const selectMembers = (of: RecordTable, members: Members): Sql => sql`
      select ${raw(`${of.alias}.${of.key}`)} as id, ${raw(`${of.alias}.${of.during[0]}`)} from ${raw(`${of.table} ${of.alias}`)}
      where ${isListed(of, members)}`

/** The order of the members `l`: by start, then identifier. */
export const orderOfMembers = ({ during: [start] }: RecordTable): Sql => raw(`l.${start}, l.id`)

/**
 * One page by start, then identifier. Callers may rely on: there is always at least one row, which begins with the
 * revision and ends with the total; if the page is empty, the values between them are null. Uses the index of the table's start: the range is
 * counted along it, so it is for tables of which a center has hundreds or thousands.
 * @param values of a row
 * @param set another set, which the values read
 */
export function selectPage(of: RecordTable, members: Members, page: Page, values: Sql, set?: Sql): Sql {
  const { center } = members
  const [start] = of.during
  return sql`
    with matched as materialized (${selectMembers(of, members)}
    )${set === undefined ? empty : sql`, ${set}`}
    select
      (select revision from center_revisions where center_id = ${center}) as revision,
      ${values},
      (select count(*) from matched) as total
    from (select 1) as one
    left join (
      select id, ${raw(start)} from matched
      order by ${raw(start)}, id
      limit ${page.length} offset ${(page.start - 1) * page.length}
    ) page on true
    left join ${raw(`${of.table} ${of.alias}`)} on ${raw(of.alias)}.center_id = ${center} and ${raw(`${of.alias}.${of.key}`)} = page.id
    order by ${raw(`page.${start}, page.id`)}`
}

/**
 * The members by start, then identifier, each beginning with the revision, along the index of the table's start: the
 * database returns them while it reads the index, so an answer of any size can be streamed.
 * @param values of a row
 * @param limit maximum number; undefined: all
 */
export function selectRows(of: RecordTable, members: Members, values: Sql, limit?: number): Sql {
  const { center } = members
  const order = raw(`${of.alias}.${of.during[0]}, ${of.alias}.${of.key}`)
  return sql`
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${values}
    from ${raw(`${of.table} ${of.alias}`)}
    where ${isListed(of, members)}
    order by ${order}
    ${limit === undefined ? empty : sql`limit ${limit}`}`
}

/** The number of members, for the audit entry of a streamed answer. */
export const countMembers = (of: RecordTable, members: Members): Sql => sql`
    select count(*) from ${raw(`${of.table} ${of.alias}`)}
    where ${isListed(of, members)}`
