/**
 * Whether the database's clock can be believed when it says that entries are old. A clock that is years ahead would
 * have the whole trail pruned, and nothing brings it back; so the clock is held against the newest moments of the
 * trail itself, of all centers, because a service that runs is read by somebody.
 *
 * A clock that is behind removes too little, which does no harm.
 */
import type { Queryable } from '../database/database.ts'
import { DAY_MS } from '../locale/civil.ts'
import { selectTrailTimes, type TrailTimesRow } from './prune-trail-sql.ts'

/** Longer without a read than a service that runs: closed over the holidays, yes; for a season, rather a clock. */
const STEP_DAYS_MAX = 14

export interface ClockJudgement {
  /** epoch ms by the database's clock */
  readonly now: number
  /** how many days the clock is ahead of the newest moments that can be believed; 0 where that is plausible */
  readonly daysAhead: number
  /** how many days the newest moment of the trail lies in the future; 0 where that is plausible */
  readonly daysBehind: number
}

/** @param days how long entries are kept: a step that is longer must never decide over them */
export async function judgeClock(database: Queryable, days: number): Promise<ClockJudgement> {
  const stepMs = Math.min(days, STEP_DAYS_MAX) * DAY_MS
  const [times] = await database.query<TrailTimesRow>(selectTrailTimes(stepMs))
  if (times === undefined) throw new Error('the database did not say its time')
  const { now, newest } = times
  const credible = lastCredible(times, stepMs)
  const ahead = credible === null ? 0 : now - credible
  const behind = newest === null ? 0 : newest - now
  const daysOf = (ms: number) => (ms > stepMs ? Math.floor(ms / DAY_MS) : 0)
  return { now, daysAhead: daysOf(ahead), daysBehind: daysOf(behind) }
}

/**
 * The newest moment of the trail, unless a step led there and the trail has not gone on for as long since: then
 * the moment before the step. So a service that was closed for a season prunes again after some days, and somebody
 * has those days to mend a clock that is wrong.
 */
function lastCredible(
  { newest_past, before_span, after_span }: TrailTimesRow,
  stepMs: number,
): number | null {
  if (before_span !== null && after_span !== null && after_span - before_span > stepMs) return before_span
  return newest_past
}
