/** Estimates what a request costs the database from its parameters alone. Its turn depends on this. */
import { DAY_MS } from '../locale/civil.ts'
import type { Bounds } from './bounds.ts'

/**
 * @param part what can be read at the cost of one page: a number of days, or one session
 * @returns 1 for a page, more for larger ranges
 */
export function costOf(part: {
  readonly bounds: Bounds
  readonly sessions: number
  readonly daysPerCost: number
}): number {
  const { bounds, sessions, daysPerCost } = part
  if (sessions > 0) return sessions
  if (bounds.lower === undefined || bounds.upper === undefined) return 1
  return 1 + (Date.parse(bounds.upper) - Date.parse(bounds.lower)) / DAY_MS / daysPerCost
}
