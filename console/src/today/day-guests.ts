/** The guests of a day as the desk sees them, and in which room. */
import { addDays } from '../../../src/documents/days.ts'
import { type StandardTimes, type StayHours, stayHours } from '../base/presence.ts'
import { type Paid, paidOf } from '../guest/paid.ts'
import { type Row, textOf, valueAt } from '../guests/values.ts'

/** A guest whose stay includes the day. */
export interface DayGuest extends StayHours {
  readonly id: string
  readonly name: string
  /** as it is shown; null if no room is recorded */
  readonly room: string | null
  /** as contradictions and the rooms of a day have it */
  readonly roomId: string | null
  readonly role: string
  readonly orderUuid: string | null
  readonly orderNumber: string | null
  /** `YYYY-MM-DD`; null if none is recorded, undefined if the key may not read it */
  readonly dob: string | null | undefined
  /** whether the guest has paid */
  readonly paid: Paid
}

const text = (row: Row, name: string) => textOf(valueAt(row, name)) || null

/** @param row of `GET /guests` with the fields of `fieldsOf` */
export function dayGuestOf(row: Row, zone: string, standard: StandardTimes): DayGuest {
  const moment = (name: string) => String(valueAt(row, `ids.${name}`))
  return {
    ...stayHours(moment('startDate'), moment('endDate'), zone, standard),
    id: String(valueAt(row, 'id')),
    name: text(row, 'name') ?? text(row, 'bookingId') ?? String(valueAt(row, 'id')),
    room: text(row, 'acc.roomId'),
    roomId: text(row, 'ids.acc.roomId'),
    role: text(row, 'role') ?? '',
    orderUuid: text(row, 'orderUuid'),
    orderNumber: text(row, 'orderNumber'),
    dob: valueAt(row, 'dob') === undefined ? undefined : text(row, 'ids.dob'),
    paid: paidOf(row),
  }
}

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
