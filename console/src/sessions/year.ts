/** How the sessions of a year lie next to each other in time, and how many guests each has. */
import { addDays, daysBetween } from '../../../src/documents/days.ts'

export interface YearSession {
  readonly id: string
  readonly name: string
  readonly number: string | null
  /** active bookings; undefined where the number is not known */
  readonly guests: number | undefined
  /** local days, both included */
  readonly from: string
  readonly to: string
}

export interface Placed extends YearSession {
  /** per cent of the year's width */
  readonly left: number
  readonly width: number
  /** sessions at the same time lie in rows below each other */
  readonly lane: number
}

/** As the page's address has it. */
export const isYear = (text: string): boolean => /^[12]\d{3}$/.test(text)

export const firstDay = (year: number): string => `${String(year).padStart(4, '0')}-01-01`
export const lastDay = (year: number): string => `${String(year).padStart(4, '0')}-12-31`

/** Per cent of the year that is over when a day begins; of a day outside it, its nearer end. */
export function placeOf(day: string, year: number): number {
  const length = daysBetween(firstDay(year), lastDay(year)) + 1
  return (Math.min(Math.max(daysBetween(firstDay(year), day), 0), length) / length) * 100
}

/** @param sessions by their first day */
export function placeSessions(sessions: readonly YearSession[], year: number): Placed[] {
  const ends: string[] = []
  return sessions.map((session) => {
    // A session may begin on the day on which another ends.
    const free = ends.findIndex((end) => end <= session.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = session.to
    const left = placeOf(session.from, year)
    return { ...session, left, width: placeOf(addDays(session.to, 1), year) - left, lane }
  })
}
