/** What the desk's pages read of a day: its guests, and what the key may read of rooms, meals and contradictions. */
import type { MealPortionsAnswer, Sojourn } from '../../../client/src/index.ts'
import type { Room } from '../../../client/src/openapi.ts'
import { addDays } from '../../../src/documents/days.ts'
import { may, person } from '../base/signed-in.ts'
import { type Contradictions, readContradictions } from '../contradictions/contradictions-reading.ts'
import { namesOf } from '../guests/columns.ts'
import type { Row } from '../guests/values.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import { type DayGuest, dayGuestOf } from './day-guests.ts'

const FIELDS = [
  'id',
  'name',
  'bookingId',
  'acc.roomId',
  'role',
  'startDate',
  'endDate',
  'orderUuid',
  'orderNumber',
  'dob',
  'paid',
]

export interface HouseOfDay {
  readonly guests: readonly DayGuest[]
  /** bookings of the day that are not active (ruling 50) */
  readonly others: number
}

/** A part is undefined if the key may not read it. */
export interface DeskDay extends HouseOfDay {
  readonly portions: MealPortionsAnswer | undefined
  readonly contradictions: Contradictions | undefined
  readonly rooms: readonly Room[] | undefined
  /** who is in the house within seven days, for birthdays */
  readonly ofWeek: readonly DayGuest[] | undefined
}

const fieldsOf = () =>
  namesOf((person.value?.fields ?? []).filter(({ name, readable }) => readable && FIELDS.includes(name)))

const pageLength = () => Math.min(100, person.value!.me.center.maximumPageLength)

type Days = { readonly inHouse: string } | { readonly startDate: string; readonly endDate: string }

async function guestsOf(sojourn: Sojourn, days: Days, signal: AbortSignal): Promise<DayGuest[]> {
  const { standardTimes } = person.value!.me.center
  const found: DayGuest[] = []
  const query = { ...days, active: true, project: fieldsOf(), length: pageLength() }
  const inOrder = { ...query, sort: ['acc.roomId', 'lastName', 'firstName'] } as const
  for await (const row of sojourn.guests.all(inOrder, { signal })) {
    found.push(dayGuestOf(row as Row, zone(), standardTimes))
  }
  return found
}

/** Everybody of a day, by room and name. */
export async function readHouse(sojourn: Sojourn, day: string, signal: AbortSignal): Promise<HouseOfDay> {
  const project = fieldsOf().slice(0, 1)
  const [guests, { total: others }] = await Promise.all([
    guestsOf(sojourn, { inHouse: day }, signal),
    sojourn.guests.list({ inHouse: day, active: false, project, length: 1 }, { signal }),
  ])
  return { guests, others }
}

async function roomsOf(sojourn: Sojourn, date: string, signal: AbortSignal): Promise<Room[]> {
  const found: Room[] = []
  for await (const room of sojourn.rooms.all({ date, length: pageLength() }, { signal })) found.push(room)
  return found
}

export async function readDeskDay(sojourn: Sojourn, day: string, signal: AbortSignal): Promise<DeskDay> {
  const [house, ofWeek, portions, contradictions, rooms] = await Promise.all([
    readHouse(sojourn, day, signal),
    may('guests.personal')
      ? guestsOf(sojourn, { startDate: day, endDate: addDays(day, 6) }, signal)
      : undefined,
    may('meals') ? sojourn.meals.portions({ startDate: day, endDate: day }, { signal }) : undefined,
    may('contradictions')
      ? readContradictions(sojourn, { length: pageLength(), pages: 1 }, signal)
      : undefined,
    may('rooms') ? roomsOf(sojourn, day, signal) : undefined,
  ])
  return { ...house, ofWeek, portions, contradictions, rooms }
}
