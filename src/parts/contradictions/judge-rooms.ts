/** Finds nights on which more people are in a room than it has beds. Pure. */
import { daysOfLocalDate, localDateOfDays } from '../../core/locale/civil.ts'
import { isLocalDate } from '../../core/locale/dates.ts'
import { fullName } from '../../core/locale/names.ts'
import { localDaysOf } from '../../core/locale/zones.ts'
import { readRooms } from '../../core/records/fields/acc-segments.ts'
import { type Found, found } from './evidence.ts'
import type { Room, RoomStay } from './facts.ts'

/** A stay by its nights: from the first one up to the day on which it ends. Local days since 1970. */
interface Nights {
  readonly stay: RoomStay
  readonly from: number
  readonly until: number
}

/** The same guests on one or more successive nights. */
interface Crowd {
  readonly guests: readonly RoomStay[]
  readonly nights: { readonly from: number; until: number }[]
}

/**
 * One contradiction for each room and group of guests, with all nights on which exactly this group is too large.
 * @param stays active bookings of these rooms; those that overlap the stays of `guests` must be complete
 * @param guests only groups with one of these bookings
 */
export function judgeRooms(
  rooms: readonly Room[],
  stays: readonly RoomStay[],
  guests: ReadonlySet<string>,
  zone: string,
): Found[] {
  const byRoom = Map.groupBy(
    stays.flatMap((stay) => nightsOf(stay, zone)),
    ({ room }) => room,
  )
  return rooms.flatMap((room) =>
    crowdsOf(byRoom.get(room.id) ?? [], room.beds)
      .filter((crowd) => crowd.guests.some(({ id }) => guests.has(id)))
      .map((crowd) => present(room, crowd)),
  )
}

/** The nights in each room, by the segment of the day (`readRooms`); none of the day of departure. */
function nightsOf(stay: RoomStay, zone: string): (Nights & { readonly room: string | null })[] {
  const [first, last] = [localDaysOf(zone, stay.start), localDaysOf(zone, stay.end)]
  const segments = readRooms(stay.segments) ?? [{ from: '', room: stay.room }]
  return segments.flatMap(({ from, room }, at) => {
    // The first segment is that of the days before it, too.
    const begins = at === 0 ? first : Math.max(first, dayOf(from))
    const next = segments[at + 1]
    const ends = next === undefined ? last : Math.min(last, dayOf(next.from))
    return begins < ends ? [{ stay, room, from: begins, until: ends }] : []
  })
}

/** A day that nobody can read is before all others. */
const dayOf = (day: string): number => (isLocalDate(day) ? daysOfLocalDate(day) : Number.NEGATIVE_INFINITY)

function crowdsOf(nights: readonly Nights[], beds: number): Crowd[] {
  const crowds = new Map<string, Crowd>()
  const bounds = [...new Set(nights.flatMap(({ from, until }) => [from, until]))].sort((a, b) => a - b)
  const arriving = [...nights].sort((a, b) => a.from - b.from)
  let here: Nights[] = []
  let next = 0
  for (const [at, from] of bounds.entries()) {
    const until = bounds[at + 1]
    if (until === undefined) break
    here = here.filter((one) => one.until > from)
    for (; arriving[next] !== undefined && (arriving[next]?.from ?? 0) <= from; next += 1) {
      const one = arriving[next]
      if (one !== undefined && one.until > from) here.push(one)
    }
    // Somebody who has two bookings is one person.
    if (new Set(here.map(({ stay }) => stay.customer)).size <= beds) continue
    const guests = here.map(({ stay }) => stay).sort((a, b) => (a.id < b.id ? -1 : 1))
    const key = guests.map(({ id }) => id).join()
    const known = crowds.get(key)
    const last = known?.nights.at(-1)
    if (known === undefined) crowds.set(key, { guests, nights: [{ from, until }] })
    else if (last?.until === from) last.until = until
    else known.nights.push({ from, until })
  }
  return [...crowds.values()]
}

function present({ id, name, beds }: Room, { guests, nights }: Crowd): Found {
  const ofRoom = <T>(value: T) => [value, ...guests.map(() => null)]
  return found({
    kind: 'roomOverfull',
    key: [id, ...guests.map((guest) => guest.id)],
    evidence: {
      records: [
        { kind: 'room', id, name },
        ...guests.map((guest) => ({
          kind: 'guest' as const,
          id: guest.id,
          name: fullName(guest.firstName, guest.lastName),
        })),
      ],
      compared: [
        { field: 'beds', values: ofRoom(beds) },
        { field: 'people', values: ofRoom(new Set(guests.map(({ customer }) => customer)).size) },
        {
          field: 'nights',
          values: ofRoom(
            nights.map(({ from, until }) => `${localDateOfDays(from)}/${localDateOfDays(until)}`),
          ),
        },
      ],
    },
  })
}
