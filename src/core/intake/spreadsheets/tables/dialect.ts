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
  /** What ends a line: a lone CR only in files without any LF, as Excel for Mac writes them. */
  readonly lineEnds: string[]
  /** Whether each row is a text in quotes that contains a row: `"a,b,c"`. */
  readonly isWrapped: boolean
}

/** @param head the first lines of the text; the last one may be incomplete */
export function dialectOf(head: string): Dialect {
  const lineEnds = !head.includes('\n') && head.includes('\r') ? ['\r'] : ['\r\n', '\n']
  const named = NAMED.exec(head)
  if (named?.[1] !== undefined) return { delimiter: named[1], skipped: 1, lineEnds, isWrapped: false }
  const end = head.lastIndexOf(lineEnds.at(-1) ?? '\n')
  const whole = end < 0 ? head : head.slice(0, end + 1)
  const best = bestDelimiter(
    DELIMITERS.map((delimiter) => [delimiter, rowsOf(whole, delimiter, lineEnds)] as const),
  )
  const rows = rowsOf(whole, best.delimiter, lineEnds)
  const isAlone = rows.length > 1 && rows.every(({ length }) => length === 1)
  const isQuoted =
    isAlone &&
    whole.split(lineEnds.at(-1) ?? '\n').every((line) => line.trim() === '' || /^\ufeff?".*"\r?$/.test(line))
  if (!isQuoted) return { delimiter: best.delimiter, skipped: 0, lineEnds, isWrapped: false }
  // Each row was written as one cell: what is in it is the row.
  const inner = rows.map(([cell = '']) => cell).join('\n')
  const within = bestDelimiter(
    DELIMITERS.map((delimiter) => [delimiter, rowsOf(inner, delimiter, ['\n'])] as const),
  )
  return within.score > 0
    ? { delimiter: within.delimiter, skipped: 0, lineEnds, isWrapped: true }
    : { delimiter: best.delimiter, skipped: 0, lineEnds, isWrapped: false }
}

function bestDelimiter(tried: readonly (readonly [string, readonly string[][]])[]) {
  const scores = tried.map(([delimiter, rows]) => ({ delimiter, score: scoreOf(rows) }))
  return scores.reduce((most, next) => (next.score > most.score ? next : most))
}

/** The most frequent number of columns, reduced by the share of rows with another number. */
function scoreOf(rows: readonly string[][]): number {
  const widths = rows.map(({ length }) => length)
  const counts = Map.groupBy(widths, (width) => width)
  const usual = [...counts].reduce<[number, number]>(
    (most, [width, same]) => (same.length > most[1] ? [width, same.length] : most),
    [0, 0],
  )
  return widths.length === 0 ? 0 : (usual[0] - 1) * (usual[1] / widths.length)
}

function rowsOf(text: string, delimiter: string, lineEnds: string[]): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      record_delimiter: lineEnds,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: ROWS,
    })
  } catch {
    return []
  }
}

/** The cells of a row that is one text. */
export function unwrapped(text: string, delimiter: string): string[] {
  const [row = []] = rowsOf(text.replaceAll(/\r?\n/g, ' '), delimiter, ['\n'])
  return row
}

/** Whether a cell as the parser read it may come from quotes that were not doubled: `"Anna "Anni" Muster"`. */
export const mayBeUnescaped = (cell: string) => /^\s*"/.test(cell)

/**
 * The cells of a row that has quotation marks at the beginning of a cell's text. Such quotes are doubled
 * (`"""Anni"" Muster"`), have a space before them, or were not doubled by the program that wrote the file. The last
 * form is accepted if it gives as many cells as the first row has.
 * @returns undefined if the row cannot be read without a guess
 */
export function cellsWithQuotes(
  raw: string,
  delimiter: string,
  width: number,
): readonly string[] | undefined {
  for (const trim of [false, true]) {
    try {
      const [row] = parse(raw, {
        bom: true,
        delimiter,
        relax_column_count: true,
        skip_empty_lines: true,
        trim,
      }) as string[][]
      return row
    } catch {
      // Quotes that are not doubled are tried next.
    }
  }
  const cells = cellsWithBareQuotes(lineOf(raw), delimiter)
  return cells?.length === width ? cells : undefined
}

/** A row without its byte order mark and line ends. */
function lineOf(raw: string): string {
  const isEnd = (at: number) => raw[at] === '\n' || raw[at] === '\r' || raw[at] === '\ufeff'
  let [from, until] = [0, raw.length]
  while (from < until && isEnd(from)) from += 1
  while (until > from && isEnd(until - 1)) until -= 1
  return raw.slice(from, until)
}

/**
 * Reads cells in quotes that contain quotes. A quote closes a cell only before a delimiter or the end of the row.
 * @returns undefined if a cell is not closed
 */
function cellsWithBareQuotes(line: string, delimiter: string): string[] | undefined {
  const afterSpaces = (at: number) => {
    let next = at
    while (line[next] === ' ') next += 1
    return next
  }
  const isCellEnd = (at: number) => at >= line.length || line.startsWith(delimiter, at)
  const cells: string[] = []
  for (let at = 0; at <= line.length; at += delimiter.length) {
    const start = afterSpaces(at)
    if (line[start] !== '"') {
      const end = line.indexOf(delimiter, at)
      cells.push(line.slice(at, end < 0 ? line.length : end))
      at = end < 0 ? line.length : end
      continue
    }
    let text = ''
    let from = start + 1
    while (true) {
      const quote = line.indexOf('"', from)
      if (quote < 0) return undefined
      const isDoubled = line[quote + 1] === '"'
      const last = isDoubled ? quote + 1 : quote
      text += line.slice(from, last)
      from = last + 1
      if (isCellEnd(afterSpaces(from))) break
      if (!isDoubled) text += '"'
    }
    cells.push(text)
    at = afterSpaces(from)
  }
  return cells
}
