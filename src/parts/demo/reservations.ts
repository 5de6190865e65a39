import { addDays, earliest, yearsEarlier } from './calendar.ts'
import { createGuests, type DemoGuest } from './guests.ts'
import type { Origin } from './names.ts'
import { createDeck, createRandom, type Random } from './random.ts'
import { type DemoSession, todaySessionId } from './sessions.ts'

/** Raw booking statuses of the interface. */
export type BookingStatus =
  | 'registered'
  | 'waitingList'
  | 'review'
  | 'confirmed'
  | 'arrived'
  | 'paid'
  | 'cancelled'
  | 'voided'
  | 'registeredOnline'
  | 'offer'
  | 'departed'

/** One person's part of a reservation: it becomes one booking. */
export type Stay = {
  bookingId: string
  guest: DemoGuest
  role: 'patient' | 'companion' | 'guest'
  status: BookingStatus
  firstDay: string
  lastDay: string
  /** Every optional field is written. */
  complete: boolean
}

/** People who come together: one order, one room, the same days, nearly always the same status. */
export type Reservation = {
  stays: Stay[]
  sessions: DemoSession[]
  status: BookingStatus
  bookedDay: string
  phase: 'past' | 'current' | 'future'
  /** The reservation whose order has a fixed identifier, so that documentation can name it. */
  example: boolean
}

/** Statuses as often as a center of this kind has them, by where the reservation lies in time. */
const statusCards: Record<Reservation['phase'], Partial<Record<BookingStatus, number>>> = {
  past: { departed: 16, paid: 5, cancelled: 2, voided: 1 },
  // Few enough cards that one session draws them all.
  current: { arrived: 8, paid: 4, confirmed: 1, cancelled: 1, waitingList: 1 },
  future: {
    confirmed: 9,
    registered: 7,
    registeredOnline: 4,
    waitingList: 2,
    review: 2,
    offer: 2,
    cancelled: 1,
    voided: 1,
  },
}

type Party = { guests: DemoGuest[]; seenInSession: number; complete: boolean }

/** Days of the reservations without a session, from today, and how long each lasts. */
const daysBetween = [
  [-61, 4],
  [-34, 3],
  [-3, 6],
  [-1, 5],
  [4, 3],
  [19, 6],
  [41, 4],
  [58, 3],
] as const

/** Decides who comes when: the demo center's people and their reservations, in the order of time. */
export function planReservations(today: string, seed: number, sessions: readonly DemoSession[]) {
  const random = createRandom(seed, 'visits')
  const { guests, add } = createGuests(seed, today)
  const drawStatus = {
    past: createDeck<BookingStatus>(random, statusCards.past),
    current: createDeck<BookingStatus>(random, statusCards.current),
    future: createDeck<BookingStatus>(random, statusCards.future),
  }
  const drawOrigin = createDeck<Origin>(random, { ro: 6, no: 2, en: 2 })
  const drawSize = createDeck(random, { one: 9, two: 8, three: 2, four: 1 })
  const drawSpan = createDeck(random, { one: 17, two: 2, three: 1 })
  const sizes = { one: 1, two: 2, three: 3, four: 4 }
  const parties: Party[] = []
  const reservations: Reservation[] = []
  let stayCount = 0

  function newParty(stayFrom: string, size = sizes[drawSize()]): Party {
    const origin = drawOrigin()
    const first = add({ stayFrom, origin })
    const others = Array.from({ length: size - 1 }, (_, index) =>
      add({
        stayFrom,
        origin,
        lastName: random.chance(0.8) ? first.lastName : undefined,
        child: index > 0 && random.chance(0.6),
      }),
    )
    return { guests: [first, ...others], seenInSession: 0, complete: false }
  }

  /** A family that was here, is here and comes again, with everything filled in: every field has a value. */
  function exampleParty(): Party {
    const shared = { stayFrom: today, origin: 'ro', lastName: 'Sălcianu', profile: 'complete' } as const
    // The second one's birthday is tomorrow, so it falls within the stay whatever today is.
    const born = [
      yearsEarlier(addDays(today, -100), 40),
      yearsEarlier(addDays(today, 1), 41),
      yearsEarlier(addDays(today, -200), 12),
    ]
    return {
      guests: born.map((dob, index) => add({ ...shared, dob, child: index === 2 })),
      seenInSession: 0,
      complete: true,
    }
  }

  function book(
    party: Party,
    firstDay: string,
    lastDay: string,
    inSessions: DemoSession[],
    fixed?: BookingStatus,
  ) {
    const phase = lastDay < today ? 'past' : firstDay > today ? 'future' : 'current'
    let status = fixed ?? drawStatus[phase]()
    // A reservation of several sessions may have begun with an earlier one, so its guests cannot be still to come.
    if (phase === 'current' && status === 'confirmed' && inSessions.length > 1) status = 'arrived'
    // Confirmed and not yet here: such guests come tomorrow.
    const arrival = phase === 'current' && status === 'confirmed' ? addDays(today, 1) : firstDay
    const longBefore = addDays(firstDay, -random.whole(14, 120))
    const reservation: Reservation = {
      stays: [],
      sessions: inSessions,
      status,
      bookedDay: earliest(longBefore, addDays(today, -random.whole(1, 20))),
      phase,
      example: party.complete && inSessions[0]?.id === todaySessionId(),
    }
    reservation.stays = party.guests.map((guest, index) => {
      stayCount += 1
      const staysHome = !party.complete && index > 0 && random.chance(0.05)
      return {
        bookingId: `booking-${String(stayCount).padStart(4, '0')}`,
        guest,
        role: roleOf(guest, index, party.complete, random),
        status: staysHome ? 'cancelled' : status,
        firstDay: arrival,
        lastDay,
        complete: party.complete,
      }
    })
    reservations.push(reservation)
  }

  function fillSession(session: DemoSession, family: Party) {
    const wanted = session.id === todaySessionId() ? 34 : random.whole(31, 34)
    const attending = () =>
      reservations
        .filter((reservation) => reservation.sessions.includes(session))
        .reduce((count, reservation) => count + reservation.stays.length, 0)

    if (session.number === 3) book(family, session.firstDay, session.lastDay, [session], 'departed')
    if (session.id === todaySessionId()) book(family, session.firstDay, session.lastDay, [session], 'arrived')
    if (session.number === 12) book(family, session.firstDay, session.lastDay, [session], 'confirmed')

    while (attending() < wanted) {
      const returning = parties.filter((party) => party.seenInSession < session.number - 1)
      const again = session.number > 3 && returning.length > 0 && random.chance(0.3)
      const party = again ? random.pick(returning) : newParty(session.firstDay)
      if (!again) parties.push(party)

      const span = sizes[drawSpan()]
      const attended = sessions.slice(session.number - 1, session.number - 1 + span)
      party.seenInSession = attended.at(-1)!.number
      const comesLater = random.chance(0.12) ? 1 : 0
      const leavesEarlier = random.chance(0.1) ? random.whole(1, 2) : 0
      book(
        party,
        addDays(session.firstDay, comesLater),
        addDays(attended.at(-1)!.lastDay, -leavesEarlier),
        attended,
      )
    }
  }

  const family = exampleParty()
  for (const session of sessions) fillSession(session, family)
  for (const [from, days] of daysBetween) {
    const firstDay = addDays(today, from)
    book(newParty(firstDay, 1), firstDay, addDays(firstDay, days), [])
  }
  return { guests, reservations }
}

function roleOf(guest: DemoGuest, index: number, complete: boolean, random: Random): Stay['role'] {
  if (index === 0) return complete || random.chance(0.9) ? 'patient' : 'guest'
  if (guest.child || index > 1) return 'guest'
  return complete || random.chance(0.65) ? 'companion' : 'patient'
}
