/** Who is expected, here or leaving (ruling 50): the same for every page and printout. */
import { localTime } from '../../../src/documents/days.ts'
import type { Words } from '../../../src/documents/words.ts'

/** When a stay begins and ends, by local days. */
export interface StayHours {
  /** first and last local day */
  readonly from: string
  readonly until: string
  /** `15:00`; undefined if the hour is not known */
  readonly arrivesAt: string | undefined
  readonly leavesAt: string | undefined
}

/** Times that booking systems write where no hour is known (ruling 43). */
export interface StandardTimes {
  readonly arrival: readonly string[]
  readonly departure: readonly string[]
}

/** A moment of a day: the local day, and the time of it, `10:02`. */
export interface Now {
  readonly day: string
  readonly time: string
}

export type Presence = 'expected' | 'here' | 'leaving'

/** @param start and end: ISO timestamps */
export function stayHours(start: string, end: string, zone: string, standard: StandardTimes): StayHours {
  const [from, until] = [localTime(start, zone), localTime(end, zone)]
  const hour = (time: string, times: readonly string[]) =>
    time === '00:00' || times.includes(time) ? undefined : time
  return {
    from: from.day,
    until: until.day,
    arrivesAt: hour(from.time, standard.arrival),
    leavesAt: hour(until.time, standard.departure),
  }
}

export const isArriving = ({ from }: StayHours, day: string): boolean => from === day
export const isLeaving = ({ until }: StayHours, day: string): boolean => until === day

/**
 * What a page says of a guest of the day. An hour that is not known counts as in ruling 50: the guest is here from the start
 * of the day of arrival, and to the end of the day of departure.
 * @param now the present, where the day is today
 */
export function presenceOf(stay: StayHours, day: string, now: Now): Presence {
  const { arrivesAt } = stay
  const isComing =
    isArriving(stay, day) &&
    (day > now.day || (arrivesAt !== undefined && day === now.day && now.time < arrivesAt))
  if (isComing) return 'expected'
  return isLeaving(stay, day) ? 'leaving' : 'here'
}

/** Whether the stay contains this moment. */
export function isHereNow(stay: StayHours, { day, time }: Now): boolean {
  if (stay.from > day || stay.until < day) return false
  if (presenceOf(stay, day, { day, time }) === 'expected') return false
  return stay.until > day || stay.leavesAt === undefined || time < stay.leavesAt
}

/** To come, also later today; past, also since this morning. */
export function whenOf(stay: StayHours, now: Now): 'coming' | 'now' | 'past' {
  if (isHereNow(stay, now)) return 'now'
  const isToCome =
    stay.from > now.day || (stay.from === now.day && presenceOf(stay, now.day, now) === 'expected')
  return isToCome ? 'coming' : 'past'
}

/** Whether the stay continues past midnight. */
export const isHereTonight = ({ until }: StayHours, day: string): boolean => until > day

/** Whether the guest arrives or leaves on the day at an hour that is not known. */
export const hasUnknownHour = (stay: StayHours, day: string): boolean =>
  (isArriving(stay, day) && stay.arrivesAt === undefined) ||
  (isLeaving(stay, day) && stay.leavesAt === undefined)

const WORDS = {
  expected: 'presenceExpected',
  here: 'presenceHere',
  leaving: 'presenceLeaving',
} as const satisfies Readonly<Record<Presence, string>>

/** `expected 20:45`; of a guest who arrives on the day at an hour that is not known, that it is not known. */
export function presenceText(t: Words, stay: StayHours, day: string, now: Now): string {
  const presence = presenceOf(stay, day, now)
  const word = t(WORDS[presence])
  if (!isArriving(stay, day)) return word
  if (presence === 'expected') return `${word} ${stay.arrivesAt ?? `(${t('hourNotKnown')})`}`
  return stay.arrivesAt === undefined ? `${word} (${t('arrivesToday')}, ${t('hourNotKnown')})` : word
}
