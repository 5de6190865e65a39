/** Rows and columns that an ODS file does not show: those that a person hides, and rows that a filter leaves out. */
import { textOf } from './plain-parts.ts'
import { directoryOf } from './zip-sizes.ts'

/** Rows and columns are counted from 0. */
export interface Hidden {
  readonly rows: { has(row: number): boolean }
  readonly columns: readonly number[]
}

/** A file may declare a million hidden rows in one element, so ranges are stored. */
interface Range {
  readonly from: number
  readonly until: number
}

/** No sheet has more columns. */
const COLUMNS_MAX = 16_384
const ELEMENT = /<table:table(?:-(row|column))?(?=[\s/>])([^<>]{0,2000})>/g

/** @param file whose entries were measured @param sheet its index */
export function hiddenInOds(file: Buffer, sheet: number): Hidden {
  const entry = directoryOf(file)?.find(({ name }) => name === 'content.xml')
  const rows: Range[] = []
  const columns: number[] = []
  let [table, row, column] = [-1, 0, 0]
  for (const [, element, attributes = ''] of (entry ? textOf(file, entry) : '').matchAll(ELEMENT)) {
    if (element === undefined) table += 1
    if (table !== sheet || element === undefined) continue
    const isHidden = /table:visibility="(?:collapse|filter)"/.test(attributes)
    const count = Number(/table:number-(?:rows|columns)-repeated="(\d{1,9})"/.exec(attributes)?.[1] ?? 1)
    if (element === 'row') {
      if (isHidden) rows.push({ from: row, until: row + count })
      row += count
    } else {
      const until = Math.min(column + count, COLUMNS_MAX)
      for (let at = column; isHidden && at < until; at += 1) columns.push(at)
      column += count
    }
  }
  return { rows: { has: (at) => isWithin(rows, at) }, columns }
}

/** @param ranges in order */
function isWithin(ranges: readonly Range[], at: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[middle]!.until <= at) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found !== undefined && found.from <= at
}
