/**
 * Decides whether the database's clock is plausible before old entries are deleted. A clock that is years ahead would
 * cause the whole trail to be pruned for good. So it is compared with the newest times in the trails of all centers,
 * because a running service is read regularly.
 *
 * A clock that is behind deletes too little, which is harmless.
 */
import type { Queryable } from '../database/database.ts'
import { DAY_MS } from '../locale/civil.ts'
import { selectTrailTimes, type TrailTimesRow } from './prune-trail-sql.ts'

/**
 * A running service may go this long without a read, for example over the holidays. A gap of months rather means a
 * wrong clock.
 */
const STEP_DAYS_MAX = 14

export interface ClockJudgement {
  /** epoch ms by the database's clock */
  readonly now: number
  /** days by which the clock is ahead of the newest credible times; 0 if that is plausible */
  readonly daysAhead: number
  /** days by which the newest time of the trail is in the future; 0 if that is plausible */
  readonly daysBehind: number
}

/** @param days how long entries are kept; a larger step of the clock must never cause their deletion */
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
 * The newest time in the trail that is credible. After a large step, times count only once the trail has continued for
 * as long as the step allows; until then, the time before the step is returned. So a service that was closed for a
 * season prunes again after some days, and an operator has those days to correct a wrong clock.
 */
function lastCredible(
  { newest_past, before_span, after_span }: TrailTimesRow,
  stepMs: number,
): number | null {
  if (before_span !== null && after_span !== null && after_span - before_span > stepMs) return before_span
  return newest_past
}
