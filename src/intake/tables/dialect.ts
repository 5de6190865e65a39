/**
 * Detects the delimiter of a CSV file: each one is tried on the first rows, and the one that gives the most columns is
 * used.
 */
import { parse } from 'csv-parse/sync'

const DELIMITERS = [',', ';', '\t', '|']
const ROWS = 50

/** A line that Excel puts before the header: `sep=;`. */
const NAMED = /^\ufeff?sep=(.)\r?\n/i

export interface Dialect {
  readonly delimiter: string
  /** Number of lines before the table. */
  readonly skipped: number
}

/** @param head the first lines of the text; the last one may be incomplete */
export function dialectOf(head: string): Dialect {
  const named = NAMED.exec(head)
  if (named?.[1] !== undefined) return { delimiter: named[1], skipped: 1 }
  const end = head.lastIndexOf('\n')
  const whole = end < 0 ? head : head.slice(0, end + 1)
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(whole, delimiter) }))
  const best = scores.reduce((most, next) => (next.score > most.score ? next : most))
  return { delimiter: best.delimiter, skipped: 0 }
}

/** The most frequent number of columns, reduced by the share of rows with another number. */
function scoreOf(text: string, delimiter: string): number {
  const widths = widthsOf(text, delimiter)
  const counts = Map.groupBy(widths, (width) => width)
  const usual = [...counts].reduce<[number, number]>(
    (most, [width, rows]) => (rows.length > most[1] ? [width, rows.length] : most),
    [0, 0],
  )
  return widths.length === 0 ? 0 : (usual[0] - 1) * (usual[1] / widths.length)
}

function widthsOf(text: string, delimiter: string): number[] {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: ROWS,
    })
    return rows.map(({ length }) => length)
  } catch {
    return []
  }
}
