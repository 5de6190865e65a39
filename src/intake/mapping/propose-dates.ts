/** Chooses the date formats of a proposed mapping, for all columns and for single ones. */
import { clash, dateOrder } from './formats.ts'
import type { LookedColumn } from './look.ts'

export interface ProposedDates {
  readonly all: readonly string[]
  /** Columns that the common formats would read wrongly, with formats of their own. */
  readonly own: ReadonlyMap<LookedColumn, readonly string[]>
  /** A column whose dates are ambiguous, with no other column to decide their order. */
  readonly unsure: LookedColumn | undefined
}

/** @param columns the columns with their dates, in the order of the table */
export function proposeDates(columns: readonly LookedColumn[]): ProposedDates {
  const orders = new Set(
    columns.flatMap(({ dates }) => (dates?.ways.length === 1 ? dates.ways.flat().map(dateOrder) : [])),
  )
  const all = new Set<string>()
  const own = new Map<LookedColumn, readonly string[]>()
  let unsure: LookedColumn | undefined
  for (const column of columns) {
    const { ways = [], isMixed = false } = column.dates ?? {}
    const isTold = (formats: readonly string[]) => formats.some((format) => orders.has(dateOrder(format)))
    const told = ways.filter(isTold)
    const formats = told[0] ?? ways[0] ?? []
    if (ways.length > 1 && told.length !== 1) unsure ??= column
    // No formats read all of these dates. With only the first order declared, the other dates are refused instead of
    // read wrongly.
    const named = isMixed ? formats.slice(0, 1) : formats
    if (named.some((format) => [...all].some((other) => clash(format, other)))) own.set(column, named)
    else for (const format of named) all.add(format)
  }
  return { all: [...all], own, unsure }
}
