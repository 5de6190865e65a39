/**
 * Decides whether the database's clock is plausible before old entries are deleted. A clock that is years ahead would
 * cause the whole trail to be pruned for good. So it is compared with the newest times in the trails of all centers,
 * because a running service is read regularly.
 *
 * A clock that is behind deletes too little, which is harmless.
 */
import type { Queryable } from '../../database/database.ts'
import { DAY_MS } from '../../locale/civil.ts'
import {
  type NewestTimesRow,
  selectNewestTimes,
  selectTimesAround,
  type TimesAroundRow,
} from '../prune-trail-sql.ts'

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

/** Centers looked at in one statement. */
export const CENTERS_AT_ONCE = 1000

/**
 * @param centers those that have a trail
 * @param days how long entries are stored; a larger step of the clock must never cause their deletion
 */
export async function judgeClock(
  database: Queryable,
  centers: readonly string[],
  days: number,
): Promise<ClockJudgement> {
  const stepMs = Math.min(days, STEP_DAYS_MAX) * DAY_MS
  const { now, newest, newestPast } = await newestTimes(database, centers)
  const credible =
    newestPast === undefined ? undefined : await lastCredible(database, centers, newestPast, stepMs, now)
  const ahead = credible === undefined ? 0 : now - credible
  const behind = newest === undefined ? 0 : newest - now
  const daysOf = (ms: number) => (ms > stepMs ? Math.floor(ms / DAY_MS) : 0)
  return { now, daysAhead: daysOf(ahead), daysBehind: daysOf(behind) }
}

interface NewestTimes {
  readonly now: number
  readonly newest: number | undefined
  readonly newestPast: number | undefined
}

async function newestTimes(database: Queryable, centers: readonly string[]): Promise<NewestTimes> {
  const found: NewestTimesRow[] = []
  // Without centers, the clock alone is read.
  for (let from = 0; from === 0 || from < centers.length; from += CENTERS_AT_ONCE) {
    const piece = centers.slice(from, from + CENTERS_AT_ONCE)
    found.push(...(await database.query<NewestTimesRow>(selectNewestTimes(piece))))
  }
  const now = found[0]?.now
  if (now === undefined) throw new Error('the database did not say its time')
  return {
    now,
    newest: largest(found.map(({ newest }) => newest)),
    newestPast: largest(found.map(({ newest_past }) => newest_past)),
  }
}

/**
 * The newest time in the trail that is credible. After a large step, times count only once the trail has continued for
 * as long as the step allows; until then, the time before the step is returned. So a service that was closed for a
 * season prunes again after some days, and an operator has those days to correct a wrong clock.
 */
async function lastCredible(
  database: Queryable,
  centers: readonly string[],
  newestPast: number,
  stepMs: number,
  now: number,
): Promise<number> {
  const moment = new Date(newestPast - stepMs).toISOString()
  const found: TimesAroundRow[] = []
  for (let from = 0; from < centers.length; from += CENTERS_AT_ONCE) {
    const piece = centers.slice(from, from + CENTERS_AT_ONCE)
    found.push(
      ...(await database.query<TimesAroundRow>(
        selectTimesAround(piece, moment, new Date(now).toISOString()),
      )),
    )
  }
  const before = largest(found.map(({ before_span }) => before_span))
  const after = largest(found.map(({ after_span }) => after_span && -after_span))
  if (before !== undefined && after !== undefined && -after - before > stepMs) return before
  return newestPast
}

const largest = (times: readonly (number | null)[]): number | undefined => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? undefined : Math.max(...known)
}
