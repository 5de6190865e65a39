/** Calendars (RFC 5545) that calendar programs subscribe to. The only file that uses the library for writing them. */
import ical, { ICalEventTransparency } from 'ical-generator'
import type { LastChange } from '../changes/last-changes-sql.ts'
import type { Problem } from '../errors/api-error.ts'
import { DAY_MS, daysOfLocalDate, localDateOfDays } from '../locale/civil.ts'
import type { Language } from '../locale/languages.ts'
import { dateParameter } from './parameter-kinds.ts'
import { datesNotSent, type SentParameters } from './parameters.ts'

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** How often a program should refresh, in seconds. Most programs only support whole hours. */
const REFRESH_SECONDS = 3600

/** An event of a calendar. */
export interface CalendarEvent {
  /** remains the same for the same event; unique within the center */
  readonly uid: string
  readonly summary: string
  readonly description?: string
  readonly location?: string
  /** a whole day, `YYYY-MM-DD`, or a period in epoch ms */
  readonly when: string | { readonly start: number; readonly end: number }
  /** undefined: before the changes that are known */
  readonly changed: LastChange | undefined
}

export interface CalendarHead {
  readonly center: string
  readonly name: string
  readonly language: Language
  /** the first and the last day that it is about, in its description: after the last one, nothing is not none */
  readonly days: { readonly startDate: string; readonly endDate: string }
}

/**
 * The calendar as text. The same events give the same bytes. A program that has an event keeps its own one unless the other
 * has a higher `SEQUENCE`, or the same and a later `DTSTAMP` (RFC 5546, 2.1.5): they are the revision and the time of the
 * event's last change. If no change of it is known any more, they are lower than those of every change to come.
 */
export function calendarText(head: CalendarHead, events: readonly CalendarEvent[]): string {
  const calendar = ical({
    name: escapedName(head.name),
    description: `${head.days.startDate} – ${head.days.endDate}`,
    prodId: { company: 'Sojourn', product: 'Sojourn', language: head.language },
    ttl: REFRESH_SECONDS,
  })
  for (const {
    uid,
    summary,
    description,
    location,
    when,
    changed: [revision, changedAt] = [0, 0],
  } of events) {
    const isDay = typeof when === 'string'
    const start = isDay ? daysOfLocalDate(when) * DAY_MS : when.start
    calendar.createEvent({
      id: `${uid}@${head.center}.sojourn`,
      start: new Date(start),
      // The format has no event that ends when it begins, except one without an end.
      ...(isDay || when.end > start ? { end: new Date(isDay ? start + DAY_MS : when.end) } : {}),
      allDay: isDay,
      stamp: new Date(changedAt),
      sequence: revision,
      summary: withoutControls(summary),
      ...(description ? { description: withoutControls(description) } : {}),
      ...(location ? { location: withoutControls(location) } : {}),
      // The event does not mark the subscriber as busy.
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar}\r\n`
}

/** The format cannot represent control characters, and programs reject the whole calendar because of one. */
const withoutControls = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, ' ')

/** The library does not escape the name of a calendar. */
const escapedName = (name: string): string =>
  withoutControls(name)
    .replaceAll('\n', ' ')
    .replaceAll(/[\\,;]/g, '\\$&')

/** Days around today, for a calendar requested without dates. */
export interface Window {
  readonly before: number
  readonly after: number
}

/** The date parameters of a calendar. */
export const windowParameters = ({ before, after }: Window) => ({
  startDate: dateParameter({
    description: `First day. Without dates, from ${before} days before today to ${after} days after it, so that a subscribed calendar stays current.`,
  }),
  endDate: dateParameter({ description: 'Last day. Required with `startDate`.' }),
})

/** The requested days, or those around today. Only one date is a problem. */
export function readWindow(
  { startDate, endDate }: { readonly startDate?: string | undefined; readonly endDate?: string | undefined },
  sent: SentParameters,
  today: string,
  { before, after }: Window,
): { days: { startDate: string; endDate: string }; problems: Problem[] } {
  const from = (days: number) => localDateOfDays(daysOfLocalDate(today) + days)
  const days = { startDate: startDate ?? from(-before), endDate: endDate ?? from(after) }
  const missing = datesNotSent(sent)
  if (missing.length !== 1) return { days, problems: [] }
  return {
    days,
    problems: missing.map((parameter) => ({
      parameter,
      message: `Only one of the two dates was given; ${parameter} is missing. Give both, or neither for the days around today.`,
    })),
  }
}
