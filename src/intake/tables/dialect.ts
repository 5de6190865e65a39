/** How a CSV file separates its cells: each way is tried on its first rows, and the one that makes most columns of them is taken. */
import { parse } from 'csv-parse/sync'

const DELIMITERS = [',', ';', '\t', '|']
const ROWS = 50

/** Excel's own line before the header: `sep=;`. */
const NAMED = /^\ufeff?sep=(.)\r?\n/i

export interface Dialect {
  readonly delimiter: string
  /** Lines before the table that are none of it. */
  readonly skipped: number
}

/** @param head the text's first lines; the last one may be cut */
export function dialectOf(head: string): Dialect {
  const named = NAMED.exec(head)
  if (named?.[1] !== undefined) return { delimiter: named[1], skipped: 1 }
  const end = head.lastIndexOf('\n')
  const whole = end < 0 ? head : head.slice(0, end + 1)
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(whole, delimiter) }))
  const best = scores.reduce((most, next) => (next.score > most.score ? next : most))
  return { delimiter: best.delimiter, skipped: 0 }
}

/** The columns that most of the rows have, a little less where others have another number. */
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
