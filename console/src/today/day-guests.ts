/** The guests of a day as the desk sees them: who is expected, here or leaving (ruling 50), and in which room. */
import { addDays, localTime } from '../base/days.ts'
import { type Paid, paidOf } from '../guest/paid.ts'
import { type Row, textOf, valueAt } from '../guests/values.ts'

/** A guest whose stay includes the day. */
export interface DayGuest {
  readonly id: string
  readonly name: string
  /** as it is shown; null if no room is recorded */
  readonly room: string | null
  /** as contradictions and the rooms of a day have it */
  readonly roomId: string | null
  readonly role: string
  /** first and last local day */
  readonly from: string
  readonly until: string
  /** `15:00`; undefined if the hour is not known */
  readonly arrivesAt: string | undefined
  readonly leavesAt: string | undefined
  readonly orderUuid: string | null
  readonly orderNumber: string | null
  /** `YYYY-MM-DD`; null if none is recorded, undefined if the key may not read it */
  readonly dob: string | null | undefined
  /** whether the guest has paid */
  readonly paid: Paid
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

const text = (row: Row, name: string) => textOf(valueAt(row, name)) || null

/** @param row of `GET /guests` with the fields of `fieldsOf` */
export function dayGuestOf(row: Row, zone: string, standard: StandardTimes): DayGuest {
  const start = localTime(String(valueAt(row, 'ids.startDate')), zone)
  const end = localTime(String(valueAt(row, 'ids.endDate')), zone)
  const hour = (time: string, times: readonly string[]) =>
    time === '00:00' || times.includes(time) ? undefined : time
  return {
    id: String(valueAt(row, 'id')),
    name: text(row, 'name') ?? text(row, 'bookingId') ?? String(valueAt(row, 'id')),
    room: text(row, 'acc.roomId'),
    roomId: text(row, 'ids.acc.roomId'),
    role: text(row, 'role') ?? '',
    from: start.day,
    until: end.day,
    arrivesAt: hour(start.time, standard.arrival),
    leavesAt: hour(end.time, standard.departure),
    orderUuid: text(row, 'orderUuid'),
    orderNumber: text(row, 'orderNumber'),
    dob: valueAt(row, 'dob') === undefined ? undefined : text(row, 'ids.dob'),
    paid: paidOf(row),
  }
}

export const isArriving = ({ from }: DayGuest, day: string): boolean => from === day
export const isLeaving = ({ until }: DayGuest, day: string): boolean => until === day

/**
 * What the evacuation list says of a guest of the day. An hour that is not known counts as in ruling 50: the guest is here
 * from the start of the day of arrival, and to the end of the day of departure.
 * @param now the present, where the day is today
 */
export function presenceOf(guest: DayGuest, day: string, now: Now): Presence {
  const { arrivesAt } = guest
  const isComing =
    isArriving(guest, day) &&
    (day > now.day || (arrivesAt !== undefined && day === now.day && now.time < arrivesAt))
  if (isComing) return 'expected'
  return isLeaving(guest, day) ? 'leaving' : 'here'
}

/** Whether the stay contains this moment. */
export function isHereNow(guest: DayGuest, { day, time }: Now): boolean {
  if (guest.from > day || guest.until < day) return false
  if (presenceOf(guest, day, { day, time }) === 'expected') return false
  return guest.until > day || guest.leavesAt === undefined || time < guest.leavesAt
}

/** Whether the stay continues past midnight. */
export const isHereTonight = ({ until }: DayGuest, day: string): boolean => until > day

/** Whether the guest arrives or leaves on the day at an hour that is not known. */
export const hasUnknownHour = (guest: DayGuest, day: string): boolean =>
  (isArriving(guest, day) && guest.arrivesAt === undefined) ||
  (isLeaving(guest, day) && guest.leavesAt === undefined)

export interface RoomOfDay {
  readonly id: string | null
  /** null for the guests without a room */
  readonly name: string | null
  readonly guests: readonly DayGuest[]
}

/** By room, in the order of the list: the service sorts it. Those without a room are last. */
export function byRoom(guests: readonly DayGuest[]): RoomOfDay[] {
  const rooms = new Map<string | null, DayGuest[]>()
  for (const guest of guests) {
    const key = guest.roomId ?? guest.room
    const own = rooms.get(key)
    if (own === undefined) rooms.set(key, [guest])
    else own.push(guest)
  }
  return [...rooms].map(([id, own]) => ({ id, name: own[0]?.room ?? null, guests: own }))
}

export interface Birthday {
  readonly guest: DayGuest
  readonly day: string
  /** in years */
  readonly age: number
}

/** 29 February counts on 28 February in other years (ruling 25). */
function birthdayIn(dob: string, year: number): string {
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  const day = dob.slice(4) === '-02-29' && !isLeap ? '-02-28' : dob.slice(4)
  return `${String(year).padStart(4, '0')}${day}`
}

/** Birthdays of seven days, of guests who are in the house on that day, by day. @param guests of these days */
export function birthdaysFrom(guests: readonly DayGuest[], first: string): Birthday[] {
  const last = addDays(first, 6)
  return guests
    .flatMap((guest): Birthday[] => {
      const { dob } = guest
      if (dob === null || dob === undefined) return []
      const years = [Number(first.slice(0, 4)), Number(last.slice(0, 4))]
      return [...new Set(years)].flatMap((year) => {
        const day = birthdayIn(dob, year)
        const isInDays = day >= first && day <= last && day >= guest.from && day <= guest.until
        return isInDays ? [{ guest, day, age: year - Number(dob.slice(0, 4)) }] : []
      })
    })
    .sort((a, b) => a.day.localeCompare(b.day))
}
