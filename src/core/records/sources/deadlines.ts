/** The moments at which a schedule expects deliveries, in a center's time zone. Pure; all moments are epoch milliseconds. */
import { addDays } from '../../locale/dates.ts'
import { localDateOf, localDaysOf, localTimeOf, momentFromLocal } from '../../locale/zones.ts'
import type { DailySchedule, IntervalSchedule, Schedule } from './schedule.ts'

/**
 * How long after its moment a delivery may still come. Senders start on time, and writing and importing a file takes
 * minutes. People learn of a problem within five minutes.
 */
export const GRACE_MS = 4 * 60_000

const MINUTE_MS = 60_000
/** With 50 dates left out and one day of the week, the next day with deliveries is within a year. */
const DAYS_AHEAD_MAX = 400

/** Whether a delivery is expected, and by when the next one. */
export interface Timing {
  /** when the source became late; undefined if it is not late at this moment */
  readonly lateSince: number | undefined
  /** when the source becomes late, or became late, if nothing arrives; undefined if nothing is expected within a year */
  readonly dueAt: number | undefined
}

/**
 * @param arrivals when deliveries came that count, in ascending order
 * @param since when the schedule was set; nothing was expected before
 */
export function timingOf(
  schedule: Schedule,
  zone: string,
  arrivals: readonly number[],
  since: number,
  now: number,
): Timing {
  const last = arrivals.findLast((at) => at <= now)
  const dueAt =
    schedule.is === 'interval'
      ? nextOfInterval(schedule, zone, Math.max(last ?? since, since))
      : nextOfDays(schedule, zone, last, since)
  const late = dueAt === undefined ? undefined : dueAt + GRACE_MS
  return { lateSince: late !== undefined && late <= now ? late : undefined, dueAt: late }
}

const isExpected = ({ days, except }: Schedule, date: string) =>
  days.has(weekDayOf(date)) && !except.has(date)

/** 1 is Monday. */
function weekDayOf(date: string): number {
  // 1970-01-01 was a Thursday.
  const days = localDaysOf('UTC', Date.parse(`${date}T00:00:00Z`))
  return ((((days + 3) % 7) + 7) % 7) + 1
}

/**
 * The end of an interval that begins at a moment. Its clock runs only during the hours and days of the schedule, so
 * after a delivery at 21:40 the next one is expected 40 minutes after the hours of the next day begin.
 */
function nextOfInterval(schedule: IntervalSchedule, zone: string, after: number): number | undefined {
  let left = schedule.minutes * MINUTE_MS
  let date = localDateOf(zone, after)
  for (let day = 0; day < DAYS_AHEAD_MAX; day += 1, date = addDays(date, 1)) {
    if (!isExpected(schedule, date)) continue
    const from = Math.max(momentFromLocal(zone, date, schedule.from), after)
    const to = momentFromLocal(zone, date, schedule.to)
    if (from >= to) continue
    if (from + left <= to) return from + left + hoursAgain(zone, after, from + left)
    left -= to - from
  }
  return undefined
}

/**
 * When clocks go back, a sender that starts by its clock may leave out the hour that they show twice, so the time
 * between two of its deliveries is longer.
 */
function hoursAgain(zone: string, from: number, to: number): number {
  const offset = (at: number) => localDaysOf(zone, at) * 86_400_000 + localTimeOf(zone, at) - at
  return Math.max(0, offset(from) - offset(to))
}

/**
 * The first moment whose delivery is missing. A delivery is that of the moment that is nearest to it, early or late: one
 * that comes in the morning, after a deadline in the night, is not that of the next night.
 * @param last delivery; undefined if there was none
 */
function nextOfDays(
  schedule: DailySchedule,
  zone: string,
  last: number | undefined,
  since: number,
): number | undefined {
  let before: number | undefined
  let date = addDays(localDateOf(zone, Math.max(last ?? since, since)), -1)
  for (let day = 0; day < DAYS_AHEAD_MAX; day += 1, date = addDays(date, 1)) {
    if (!isExpected(schedule, date)) continue
    const moment = momentFromLocal(zone, date, schedule.by)
    const from = before === undefined ? moment - HALF_DAY_MS : (before + moment) / 2
    before = moment
    if (moment > since && (last === undefined || last <= from)) return moment
  }
  return undefined
}

const HALF_DAY_MS = 12 * 60 * MINUTE_MS
