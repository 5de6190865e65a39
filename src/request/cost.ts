/** What a request will cost the database, judged by what it asks for alone: its turn goes by it. */
import { DAY_MS } from '../locale/civil.ts'
import type { Bounds } from './bounds.ts'

/**
 * @param part what is read for one page's cost: so many days of a range, or one session
 * @returns 1 for a page, and more for what has to be gone through beside it
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
