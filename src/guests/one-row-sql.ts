/** How a single row of a guest is joined. */
import sql, { type Sql } from 'sql-template-tag'

/**
 * A row found by its primary key, for a lateral join. The limit tells the planner what it cannot know of a key of two
 * columns: that there is one row. If many centers use the same identifiers, or after an import that has not been
 * analyzed yet, it expected hundreds of rows, and read all customers of a center of a million instead of fifty.
 */
export const oneRow = (fromAndWhere: Sql): Sql => sql`(select * from ${fromAndWhere} limit 1)`
