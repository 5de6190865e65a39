/** Which formats of dates a proposal names, for all columns and for single ones. */
import { clash, dateOrder } from './formats.ts'
import type { LookedColumn } from './look.ts'

export interface ProposedDates {
  readonly all: readonly string[]
  /** Of columns that those of all would read wrongly. */
  readonly own: ReadonlyMap<LookedColumn, readonly string[]>
  /** Its dates may be read in several ways, and no other column tells which one it is. */
  readonly unsure: LookedColumn | undefined
}

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
    // No formats read all of them. Those of the first order refuse the others, rather than reading them wrongly.
    const named = isMixed ? formats.slice(0, 1) : formats
    if (named.some((format) => [...all].some((other) => clash(format, other)))) own.set(column, named)
    else for (const format of named) all.add(format)
  }
  return { all: [...all], own, unsure }
}
