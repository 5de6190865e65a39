/** Rows as json, for records of any shape; pages of guests come as `text-rows.ts` has it. */
import sql, { join, type Sql } from 'sql-template-tag'

/** PostgreSQL's functions take a hundred arguments at most. */
const ARGUMENTS_MAX = 100

/** One row's values as a json array; of more values than a function takes, as an array of arrays. */
export function jsonRow(expressions: readonly Sql[]): Sql {
  if (expressions.length <= ARGUMENTS_MAX) return sql`json_build_array(${join([...expressions], ', ')})`
  const chunks: Sql[] = []
  for (let at = 0; at < expressions.length; at += ARGUMENTS_MAX) {
    chunks.push(jsonRow(expressions.slice(at, at + ARGUMENTS_MAX)))
  }
  return sql`json_build_array(${join(chunks, ', ')})`
}

/**
 * A moment as epoch milliseconds, which is what it is everywhere else in this code; what is finer than that is
 * cut off. The half microsecond makes up for a double's error, which stays below it until the year 2242: a whole
 * millisecond stays the one it is, and the last microsecond of a day stays in that day. Later moments, such as the
 * end of 9999 that stands for no end, may come a millisecond early.
 */
export const epochMs = (expression: string): string =>
  `floor(date_part('epoch', ${expression}) * 1000 + 0.0005)`
