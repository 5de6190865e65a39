/**
 * When a center expects the deliveries of a source, as text that people write and read:
 *
 *     hourly 06:00–22:00
 *     every 15 minutes
 *     every night by 04:00 on mon–fri except 2026-12-25, 2026-12-26
 *
 * Times are the center's local times. Two kinds of schedules follow: an interval, whose clock runs only during the hours
 * and days named; and a deadline on each day.
 */
import { didYouMean } from '../../errors/suggest.ts'
import { isLocalDate } from '../../locale/dates.ts'

/** Days of the week, Monday first, as `Temporal` counts them from 1. */
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type WeekDay = (typeof DAYS)[number]
const DAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

interface OnDays {
  /** days of the week on which deliveries are expected; 1 is Monday */
  readonly days: ReadonlySet<number>
  /** local dates on which none is expected */
  readonly except: ReadonlySet<string>
}

/** At least one delivery each so many minutes, from one time of the day to another. */
export interface IntervalSchedule extends OnDays {
  readonly is: 'interval'
  readonly minutes: number
  /** ms since 00:00 local time */
  readonly from: number
  /** ms since 00:00 local time; 24 hours for the end of the day */
  readonly to: number
}

/** At least one delivery on each day, until this time. */
export interface DailySchedule extends OnDays {
  readonly is: 'daily'
  /** ms since 00:00 local time */
  readonly by: number
}

export type Schedule = IntervalSchedule | DailySchedule

export type ReadSchedule = { readonly schedule: Schedule } | { readonly problem: string }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_END = 24 * HOUR_MS
const MINUTES_MIN = 5
const MINUTES_MAX = 24 * 60
const TEXT_MAX = 1000
const EXCEPT_MAX = 50

const FORMS =
  '"hourly", "every 15 minutes" or "every 2 hours", each with hours such as "06:00–22:00" after it; or "every night by 04:00". After it, "on mon–fri" and "except 2026-12-25" are allowed'

const TIME = '([01]\\d|2[0-3]):([0-5]\\d)'
const INTERVAL = /^(?:hourly|every (\d{1,4}) (minutes?|hours?))(?: (\S.*))?$/
const DAILY = new RegExp(`^every (?:night|day) by ${TIME}$`)
const HOURS = new RegExp(`^${TIME} ?[-–] ?(?:${TIME}|24:00)$`)

/** The texts before and after the first occurrence of a word; undefined without one. */
function splitAt(text: string, word: string): [before: string, after: string | undefined] {
  const at = text.indexOf(word)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + word.length)]
}

/** Reads a schedule. A wrong one gets a sentence that says what was given and what is allowed. */
export function readSchedule(given: string): ReadSchedule {
  if (given.length > TEXT_MAX) return { problem: `The schedule is longer than ${TEXT_MAX} characters.` }
  const text = given.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [withoutDates, except] = splitAt(text, ' except ')
  const [rule, on] = splitAt(withoutDates, ' on ')
  const days = on === undefined ? { value: new Set([1, 2, 3, 4, 5, 6, 7]) } : readDays(on)
  if ('problem' in days) return days
  const dates = except === undefined ? { value: new Set<string>() } : readDates(except)
  if ('problem' in dates) return dates
  const onDays = { days: days.value, except: dates.value }
  const daily = DAILY.exec(rule)
  if (daily !== null) return { schedule: { is: 'daily', by: msOf(daily[1], daily[2]), ...onDays } }
  const interval = INTERVAL.exec(rule)
  if (interval === null) return { problem: `The schedule ${quoted(given)} is not one of ${FORMS}.` }
  const [, count, unit = '', hours] = interval
  const minutes = count === undefined ? 60 : Number(count) * (unit.startsWith('hour') ? 60 : 1)
  if (minutes < MINUTES_MIN || minutes > MINUTES_MAX) {
    return {
      problem: `The schedule ${quoted(given)} has an interval of ${minutes} minutes; it must be from ${MINUTES_MIN} minutes to 24 hours.`,
    }
  }
  const range = hours === undefined ? { from: 0, to: DAY_END } : readHours(hours)
  return 'problem' in range ? range : { schedule: { is: 'interval', minutes, ...range, ...onDays } }
}

/** The schedule of a text that `readSchedule` has accepted before; undefined for any other. */
export function knownSchedule(text: string | null): Schedule | undefined {
  const read = text === null ? undefined : readSchedule(text)
  return read !== undefined && 'schedule' in read ? read.schedule : undefined
}

/** The usual time between two deliveries, in seconds. */
export const everySeconds = (schedule: Schedule): number =>
  schedule.is === 'interval' ? schedule.minutes * 60 : 24 * 60 * 60

type Read<T> = { readonly value: T } | { readonly problem: string }

function readHours(hours: string): { from: number; to: number } | { problem: string } {
  const found = HOURS.exec(hours)
  if (found === null) {
    return { problem: `The hours ${quoted(hours)} are not of the form 06:00–22:00, in local time.` }
  }
  const [, fromHour, fromMinute, toHour, toMinute] = found
  const from = msOf(fromHour, fromMinute)
  const to = toHour === undefined ? DAY_END : msOf(toHour, toMinute)
  if (from < to) return { from, to }
  return {
    problem: `The hours ${quoted(hours)} end before they begin. Hours that pass midnight are two schedules; leave them out to expect deliveries at all hours.`,
  }
}

function readDays(text: string): Read<Set<number>> {
  const value = new Set<number>()
  for (const part of text.split(',').map((one) => one.trim())) {
    const [first = '', last = first, ...more] = part.split(/ ?[-–] ?/)
    const [from, to] = [dayOf(first), dayOf(last)]
    if (from === undefined || to === undefined || more.length > 0) {
      const wrong = from === undefined ? first : last
      return {
        problem: `The day ${quoted(more.length > 0 ? part : wrong)} is not one of ${DAYS.join(', ')}, or a range such as mon–fri${didYouMean(wrong, DAYS) || '.'}`,
      }
    }
    // From Saturday to Monday are three days.
    for (let day = from; ; day = (day % 7) + 1) {
      value.add(day)
      if (day === to) break
    }
  }
  return { value }
}

function dayOf(name: string): number | undefined {
  const short = DAYS.indexOf(name as WeekDay)
  const at = short >= 0 ? short : (DAY_NAMES as readonly string[]).indexOf(name)
  return at < 0 ? undefined : at + 1
}

function readDates(text: string): Read<Set<string>> {
  const dates = text.split(',').map((one) => one.trim())
  const wrong = dates.find((date) => !isLocalDate(date))
  if (wrong !== undefined) {
    return { problem: `The date ${quoted(wrong)} after "except" is not a date of the form YYYY-MM-DD.` }
  }
  if (dates.length > EXCEPT_MAX) {
    return { problem: `A schedule may name ${EXCEPT_MAX} dates after "except"; there are ${dates.length}.` }
  }
  return { value: new Set(dates) }
}

const msOf = (hour = '0', minute = '0') => Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS

const QUOTED_MAX = 60
const quoted = (text: string) => JSON.stringify(text.slice(0, QUOTED_MAX))
