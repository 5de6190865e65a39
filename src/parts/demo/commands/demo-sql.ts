import sql, { type Sql } from 'sql-template-tag'

/** One center that is not in `centers`, if there is any. */
export function anyOtherCenter(centers: readonly string[]): Sql {
  return sql`select center_id from centers where center_id <> all(${centers}) order by center_id limit 1`
}
