/**
 * When a report is sent: local times of the center, on days of the week or of the month. Where a clock is put forward, a
 * time that does not exist is as much later; where it is put back, the first of two equal times counts.
 */

const WEEK_DAYS: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const TIMES_MAX = 4
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

export interface ReportSchedule {
  /** `HH:MM`, ascending */
  readonly times: readonly string[]
  readonly days: string
}

/** @returns what is wrong, or nothing */
export function scheduleProblem({ times, days }: ReportSchedule): string | undefined {
  const wrong = times.find((time) => !TIME.test(time))
  if (times.length === 0 || wrong !== undefined) {
    return `${JSON.stringify((wrong ?? '').slice(0, 20))} is not a time; give local times of the center such as 06:00, or several separated by commas.`
  }
  if (times.length > TIMES_MAX) return `A report has at most ${TIMES_MAX} times a day.`
  if (isOnDay(days) === undefined) {
    return `${JSON.stringify(days.slice(0, 40))} does not name days; give daily, days of the week such as mon-fri or mon,thu, or days of the month such as 1 or 1,15 or last.`
  }
  return undefined
}

/** @returns whether a day is one of them; undefined if the text names no days */
function isOnDay(days: string): ((day: Temporal.PlainDate) => boolean) | undefined {
  if (days === 'daily') return () => true
  const parts = days.split(',').map((part) => part.trim())
  const ofMonth = parts.map((part) =>
    part === 'last' ? 0 : /^([1-9]|[12]\d|3[01])$/.test(part) ? Number(part) : -1,
  )
  if (!ofMonth.includes(-1)) {
    return (day) =>
      ofMonth.some((of) => day.day === (of === 0 ? day.daysInMonth : Math.min(of, day.daysInMonth)))
  }
  const ofWeek = new Set<number>()
  for (const part of parts) {
    const [from, to = from] = part.split(/[-–]/).map((name) => WEEK_DAYS.indexOf(name) + 1)
    if (from === undefined || to === undefined || from === 0 || to === 0 || part.split(/[-–]/).length > 2)
      return undefined
    for (let day = from; ; day = (day % 7) + 1) {
      ofWeek.add(day)
      if (day === to) break
    }
  }
  return (day) => ofWeek.has(day.dayOfWeek)
}

/** A month has a day of the month, and a week one of the week. */
const DAYS_AHEAD = 32

/** @param after epoch ms @param zone IANA name @returns the first time after it: epoch ms */
export function nextTime({ times, days }: ReportSchedule, zone: string, after: number): number {
  const isOn = isOnDay(days)
  if (isOn === undefined) throw new Error('a schedule names no days')
  const first = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone).toPlainDate()
  // From the day before: a time that does not exist may be on the next day.
  for (let at = -1; at <= DAYS_AHEAD; at += 1) {
    const day = first.add({ days: at })
    if (!isOn(day)) continue
    const moments = times
      .map(
        (time) =>
          day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds,
      )
      .filter((moment) => moment > after)
    if (moments.length > 0) return Math.min(...moments)
  }
  throw new Error('a schedule has no next time')
}
