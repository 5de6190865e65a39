/** How rows of a guest are found by their primary keys. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'

/**
 * A row found by its primary key, for a lateral join. The limit tells the planner what it cannot know of a key of two
 * columns: that there is one row. If many centers use the same identifiers, or after an import that has not been
 * analyzed yet, it expected hundreds of rows, and read all customers of a center of a million instead of fifty.
 */
export const oneRow = (fromAndWhere: Sql): Sql => sql`(select * from ${fromAndWhere} limit 1)`

/**
 * The rows of a table with these keys, each once, in any order. The guests of a page have neighboring keys, and reading
 * all of them in one pass along the index takes a fifth of the time of a lookup for each.
 *
 * The center is the only one between itself and itself. If it is written with `=`, the planner expects as many rows as
 * centers have on average. Where that is a handful, because most centers are small or the tables were nearly empty when
 * they were analyzed, it takes any other index of centers, and reads all rows of this one. Of a range between values of
 * lists it expects nearly the whole table, so only the primary key is cheap, whatever is known of the tables.
 * PostgreSQL 18 finds the range as fast as one center (skip scan). Older versions read the center's part of the index: a
 * page took 155 ms in place of 1 in a center of 100,000 bookings. For them each row is found by itself.
 * @param ids a select of one column; null is no key
 */
export const rowsByKey = (table: string, key: string, center: CenterId, ids: Sql): Sql => sql`
        select * from ${raw(table)}
        where center_id >= any(${[center]}) and center_id <= any(${[center]}) and ${raw(key)} = any(array(${ids}))`
