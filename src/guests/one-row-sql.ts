/** How a row of a guest is joined. */
import sql, { type Sql } from 'sql-template-tag'

/**
 * A row found by its primary key, for a lateral join. The limit says what the planner cannot know of a key of two
 * columns: that it is one row. Where identifiers are the same in many centers, or after an import that was not
 * analyzed yet, it expected hundreds and read all customers of a center of a million in place of fifty.
 */
export const oneRow = (fromAndWhere: Sql): Sql => sql`(select * from ${fromAndWhere} limit 1)`
