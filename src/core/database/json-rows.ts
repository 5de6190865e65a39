/** Rows as JSON, for records of any shape. Pages of guests use `text-rows.ts` instead. */
import sql, { join, type Sql } from 'sql-template-tag'

/** PostgreSQL functions take at most a hundred arguments. */
const ARGUMENTS_MAX = 100

/** One row's values as a JSON array, or as an array of arrays if a function cannot take all of them. */
export function jsonRow(expressions: readonly Sql[]): Sql {
  if (expressions.length <= ARGUMENTS_MAX) return sql`json_build_array(${join([...expressions], ', ')})`
  const chunks: Sql[] = []
  for (let at = 0; at < expressions.length; at += ARGUMENTS_MAX) {
    chunks.push(jsonRow(expressions.slice(at, at + ARGUMENTS_MAX)))
  }
  return sql`json_build_array(${join(chunks, ', ')})`
}

/**
 * A timestamp as epoch milliseconds, as everywhere else in this code, rounded down. The added half microsecond
 * compensates for the error of a double, which stays below it until the year 2242: a whole millisecond keeps its value,
 * and the last microsecond of a day stays in that day. Later timestamps, such as the end of 9999 that means no
 * end, may be one millisecond early.
 */
export const epochMs = (expression: string): string =>
  `floor(date_part('epoch', ${expression}) * 1000 + 0.0005)`
