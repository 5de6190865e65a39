/** Calendars (RFC 5545) that a calendar program subscribes to: the one file that knows the library that writes them. */
import ical, { ICalEventTransparency } from 'ical-generator'
import type { Problem } from '../errors/api-error.ts'
import { DAY_MS, daysOfLocalDate, localDateOfDays } from '../locale/civil.ts'
import type { Language } from '../locale/languages.ts'
import { dateParameter } from './parameter-kinds.ts'
import type { SentParameters } from './parameters.ts'

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** How often a program should ask again, in seconds; most know only whole hours. */
const REFRESH_SECONDS = 3600

/** Of one event of a calendar. */
export interface CalendarEvent {
  /** stays the same as long as the event is the same one; unique within the center */
  readonly uid: string
  readonly summary: string
  readonly description?: string
  readonly location?: string
  /** a whole day, `YYYY-MM-DD`, or a span of moments in epoch ms */
  readonly when: string | { readonly start: number; readonly end: number }
}

export interface CalendarHead {
  readonly center: string
  readonly name: string
  readonly language: Language
}

/**
 * The calendar as text. The same events give the same bytes: an event's time stamp, which the format demands, is its own
 * begin, because the records do not say when they were written.
 */
export function calendarText(head: CalendarHead, events: readonly CalendarEvent[]): string {
  const calendar = ical({
    name: escapedName(head.name),
    prodId: { company: 'Sojourn', product: 'Sojourn', language: head.language },
    ttl: REFRESH_SECONDS,
  })
  for (const { uid, summary, description, location, when } of events) {
    const isDay = typeof when === 'string'
    const start = isDay ? daysOfLocalDate(when) * DAY_MS : when.start
    calendar.createEvent({
      id: `${uid}@${head.center}.sojourn`,
      start: new Date(start),
      end: new Date(isDay ? start + DAY_MS : when.end),
      allDay: isDay,
      stamp: new Date(start),
      summary: withoutControls(summary),
      ...(description ? { description: withoutControls(description) } : {}),
      ...(location ? { location: withoutControls(location) } : {}),
      // Who subscribes is not busy meanwhile.
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar}\r\n`
}

/** The format has no way to write a control character, and programs refuse the whole calendar for one. */
const withoutControls = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, ' ')

/** The library writes the name of a calendar as it is. */
const escapedName = (name: string): string =>
  withoutControls(name)
    .replaceAll('\n', ' ')
    .replaceAll(/[\\,;]/g, '\\$&')

/** Days around today, where a calendar is asked for without dates. */
export interface Window {
  readonly before: number
  readonly after: number
}

export const windowParameters = ({ before, after }: Window) => ({
  startDate: dateParameter({
    description: `First day. Without dates, from ${before} days before today to ${after} days after it, so that a subscribed calendar stays current.`,
  }),
  endDate: dateParameter({ description: 'Last day. Required with `startDate`.' }),
})

/** The days asked for, or those around today; a problem where only one was given. */
export function readWindow(
  { startDate, endDate }: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
  sent: SentParameters,
  today: string,
  { before, after }: Window,
): { days: { startDate: string; endDate: string }; problems: Problem[] } {
  const from = (days: number) => localDateOfDays(daysOfLocalDate(today) + days)
  const days = { startDate: startDate ?? from(-before), endDate: endDate ?? from(after) }
  const missing = (['startDate', 'endDate'] as const).filter((name) => !sent.has(name))
  if (missing.length !== 1) return { days, problems: [] }
  return {
    days,
    problems: missing.map((parameter) => ({
      parameter,
      message: `Only one of the two dates was given; ${parameter} is missing. Give both, or neither for the days around today.`,
    })),
  }
}
