/**
 * Many rows as one text with a separator between values. A page of fifty guests is six hundred values: reading each
 * from the wire protocol costs more than the query, and converting them to JSON costs a third of it.
 *
 * A value may itself contain the separator. So the text begins with the number of rows, and the reader counts the
 * pieces: each separator inside a value adds one. Such rows are read again with a separator that nobody can have
 * written (`unguessableSeparator`). Null differs from every text, because nullable texts are prefixed.
 */
import { randomUUID } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import { readTextArray } from './types.ts'

/** ASCII's unit separator, which hardly any text contains. */
export const SEPARATOR = '\u001f'

/** A separator with a random UUID, for rows whose values contain the usual one. */
export const unguessableSeparator = (): string => `\u001f${randomUUID()}\u001f`

/** A value contains the separator that its rows were read with. */
export class SeparatorInValue extends Error {
  override readonly name = 'SeparatorInValue'
}

/** How a value is written into the text, by its SQL type. */
export interface TextForm {
  readonly type: 'text' | 'text[]' | 'boolean' | 'integer' | 'numeric' | 'date' | 'timestamptz' | 'jsonb'
  /** whether the value is never null */
  readonly required: boolean
}

/** The SQL expression of a value in the text: never null, and formatted by its type's own output. */
export function asText(expression: Sql, { type, required }: TextForm): Sql {
  // A double is formatted faster than a timestamp, and timestamps are numbers everywhere else in this code.
  const value = type === 'timestamptz' ? sql`date_part('epoch', ${expression})` : expression
  if (required) return value
  return type === 'text' ? sql`coalesce('=' || (${value}), '')` : sql`coalesce((${value})::text, '')`
}

/** @returns a function that reads the value back */
export function readerOf({ type, required }: TextForm): (text: string) => unknown {
  const read = READERS[type]
  if (type === 'text') return required ? read : (text) => (text === '' ? null : text.slice(1))
  return required ? read : (text) => (text === '' ? null : read(text))
}

const asItIs = (text: string) => text

const READERS: Readonly<Record<TextForm['type'], (text: string) => unknown>> = {
  text: asItIs,
  'text[]': readTextArray,
  // `t` from the type's own output, `true` from a cast.
  boolean: (text) => text.startsWith('t'),
  integer: Number,
  numeric: Number,
  date: asItIs,
  timestamptz: millisecondsOf,
  jsonb: readJson,
}

/** Numbers are most of the values of JSON columns that are shown, and `Number` reads them faster than `JSON.parse`. */
function readJson(text: string): unknown {
  const first = text.charCodeAt(0)
  return first === MINUS || (first >= ZERO && first <= NINE) ? Number(text) : JSON.parse(text)
}

const MINUS = 45
const ZERO = 48
const NINE = 57

/**
 * Converts seconds to epoch milliseconds, rounded down. The added half microsecond compensates for the error of a
 * double, which stays below it until the year 2242: a whole millisecond keeps its value, and the last microsecond of a
 * day stays in that day. Later timestamps, such as the end of 9999 that means no end, may be one millisecond
 * early.
 */
export function millisecondsOf(seconds: string): number {
  return Math.floor(Number(seconds) * 1000 + 0.0005)
}

/**
 * The rows of a select as one text.
 * @param row made by `textRow`
 * @param order of the rows, as in `order by`
 */
export function textRows(row: Sql, separator: string, order: Sql): Sql {
  return sql`concat_ws(${separator}, count(*), string_agg(${row}, ${separator} order by ${order}))`
}

/** PostgreSQL functions take at most a hundred arguments, and the separator is one of them. */
const VALUES_MAX = 99

/** @param values of a row, each made by `asText` */
export function textRow(values: readonly Sql[], separator: string): Sql {
  if (values.length <= VALUES_MAX) return sql`concat_ws(${separator}, ${join([...values], ', ')})`
  const rows: Sql[] = []
  for (let at = 0; at < values.length; at += VALUES_MAX) {
    rows.push(textRow(values.slice(at, at + VALUES_MAX), separator))
  }
  return textRow(rows, separator)
}

/** The pieces of the text: value `v` of row `r` is piece `1 + r * width + v`. */
export class TextRows {
  readonly count: number
  readonly width: number
  readonly text: string
  /** where each piece ends: a string of each, most of which are only copied, would cost as much as reading them */
  readonly #ends: readonly number[]
  readonly #separatorLength: number

  /**
   * @param width number of values in a row
   * @throws {SeparatorInValue} if a value contains the separator
   */
  constructor(text: string, width: number, separator: string) {
    const head = text.indexOf(separator)
    const count = Number(head < 0 ? text : text.slice(0, head))
    const pieces = 1 + count * width
    // An array that grows is allocated again and again.
    const ends = new Array<number>(pieces)
    let found = 0
    for (let at = head; at >= 0; at = text.indexOf(separator, at + separator.length)) ends[found++] = at
    ends[found++] = text.length
    if (found !== pieces) throw new SeparatorInValue('a value holds the separator')
    this.text = text
    this.width = width
    this.count = count
    this.#ends = ends
    this.#separatorLength = separator.length
  }

  /** where a piece begins in the text */
  begin(piece: number): number {
    return piece === 0 ? 0 : this.end(piece - 1) + this.#separatorLength
  }

  end(piece: number): number {
    return this.#ends[piece] ?? 0
  }

  /** epoch milliseconds of a `timestamptz`; null for none */
  milliseconds(piece: number): number | null {
    const from = this.begin(piece)
    const to = this.end(piece)
    if (from === to) return null
    let seconds = 0
    for (let at = from; at < to; at += 1) {
      const digit = this.text.charCodeAt(at) - ZERO
      // Before 1970, or with a fraction.
      if (digit < 0 || digit > 9) return millisecondsOf(this.text.slice(from, to))
      seconds = seconds * 10 + digit
    }
    return seconds * 1000
  }

  piece(piece: number): string {
    return this.text.slice(this.begin(piece), this.end(piece))
  }
}
