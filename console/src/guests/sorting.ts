/** Sorting by a column, where the service can: a table of pages that sorted by itself would sort one page. */
import { isSortName, type Question, type SortName } from './question.ts'

type Keys = Question['sort']

/** What a column is sorted by; undefined where the service has no such order. */
function keysOf(column: string): readonly SortName[] | undefined {
  if (column === 'name') return ['lastName', 'firstName']
  return isSortName(column) ? [column] : undefined
}

const same = (one: Keys, other: Keys) => one.join() === other.join()
const down = (names: readonly SortName[]): Keys => names.map((name) => `-${name}` as const)
const USUAL: Keys = ['startDate']

export interface ColumnOrder {
  readonly now: 'ascending' | 'descending' | 'none'
  /** what the next press asks for: up, down, then the usual order again */
  readonly next: Keys
}

/** @returns undefined for a column that the service does not sort by */
export function orderBy(column: string, sort: Keys): ColumnOrder | undefined {
  const up = keysOf(column)
  if (up === undefined) return undefined
  const asked = sort.length === 0 ? USUAL : sort
  if (same(asked, up)) return { now: 'ascending', next: down(up) }
  if (same(asked, down(up))) return { now: 'descending', next: [] }
  return { now: 'none', next: same(up, USUAL) ? [] : up }
}
