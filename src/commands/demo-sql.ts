import sql, { type Sql } from 'sql-template-tag'

/** One center, if there is any, that is none of `centers`. */
export function centerBeside(centers: readonly string[]): Sql {
  return sql`select center_id from centers where center_id <> all(${centers}) order by center_id limit 1`
}
