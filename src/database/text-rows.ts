/**
 * Many rows as one text, its values one after the other. A page of fifty guests is six hundred values: taking each out
 * of the wire protocol costs more than the query, and making json of them costs a third of it.
 *
 * A value may itself hold the separator. So the text begins with the number of its rows, and whoever reads it counts:
 * each separator in a value is one piece too many. Such rows are asked for again, with a separator that nobody can have
 * written (`unguessableSeparator`). Null stays apart from every text, because a text that may be null comes with a mark before.
 */
import { randomUUID } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import { readTextArray } from './types.ts'

/** ASCII's unit separator, which hardly any text holds. */
export const SEPARATOR = '\u001f'

export const unguessableSeparator = (): string => `\u001f${randomUUID()}\u001f`

/** A value holds the separator that the rows were asked for with. */
export class SeparatorInValue extends Error {
  override readonly name = 'SeparatorInValue'
}

/** How a value stands in the text, by its type in SQL. */
export interface TextForm {
  readonly type: 'text' | 'text[]' | 'boolean' | 'integer' | 'date' | 'timestamptz' | 'jsonb'
  /** whether it is there in every row */
  readonly required: boolean
}

/** The value as it goes into the text: never null, and of its type's own output. */
export function asText(expression: Sql, { type, required }: TextForm): Sql {
  // A double is written faster than a date, and a moment is a number everywhere else in this code.
  const value = type === 'timestamptz' ? sql`date_part('epoch', ${expression})` : expression
  if (required) return value
  return type === 'text' ? sql`coalesce('=' || (${value}), '')` : sql`coalesce((${value})::text, '')`
}

/** What reads it back. */
export function readerOf({ type, required }: TextForm): (text: string) => unknown {
  const read = READERS[type]
  if (type === 'text') return required ? read : (text) => (text === '' ? null : text.slice(1))
  return required ? read : (text) => (text === '' ? null : read(text))
}

const asItIs = (text: string) => text

const READERS: Readonly<Record<TextForm['type'], (text: string) => unknown>> = {
  text: asItIs,
  'text[]': readTextArray,
  // `t` by the type's own output, `true` by a cast.
  boolean: (text) => text.startsWith('t'),
  integer: Number,
  date: asItIs,
  timestamptz: millisecondsOf,
  jsonb: JSON.parse,
}

/**
 * Epoch milliseconds of seconds; what is finer is cut off. The half microsecond makes up for a double's error, which
 * stays below it until the year 2242: a whole millisecond stays the one it is, and the last microsecond of a day stays
 * in that day. Later moments, such as the end of 9999 that stands for no end, may come a millisecond early.
 */
export function millisecondsOf(seconds: string): number {
  return Math.floor(Number(seconds) * 1000 + 0.0005)
}

/**
 * The rows of a select as one text.
 * @param row as `textRow` has it
 * @param order of the rows, as in `order by`; a statement that has none gives them in any order
 */
export function textRows(row: Sql, separator: string, order: Sql): Sql {
  return sql`concat_ws(${separator}, count(*), string_agg(${row}, ${separator} order by ${order}))`
}

/** PostgreSQL's functions take a hundred arguments at most. */
const VALUES_MAX = 99

/** @param values of a row, each as `asText` has it */
export function textRow(values: readonly Sql[], separator: string): Sql {
  if (values.length <= VALUES_MAX) return sql`concat_ws(${separator}, ${join([...values], ', ')})`
  const rows: Sql[] = []
  for (let at = 0; at < values.length; at += VALUES_MAX) {
    rows.push(textRow(values.slice(at, at + VALUES_MAX), separator))
  }
  return textRow(rows, separator)
}

/** Rows as they came: row `r`'s value `v` is `pieces[1 + r * width + v]`. */
export interface TextRows {
  readonly count: number
  readonly width: number
  readonly pieces: readonly string[]
}

/**
 * @param width how many values a row has
 * @throws {SeparatorInValue} where a value holds the separator
 */
export function readTextRows(text: string, width: number, separator: string): TextRows {
  const pieces = text.split(separator)
  const count = Number(pieces[0])
  if (pieces.length !== 1 + count * width) throw new SeparatorInValue('a value holds the separator')
  return { count, width, pieces }
}
