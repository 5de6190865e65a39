import { addDays, moment, momentInUtc } from './calendar.ts'
import { demoTimeZone } from './centers.ts'
import { createMealPlanner } from './meals.ts'
import { formOf, medicalOf } from './medical.ts'
import { metaValues } from './meta-fields.ts'
import { financialOf, type Price, type PricedStay } from './money.ts'
import type { OrderDraft } from './orders.ts'
import { createDeck, createRandom, type Random } from './random.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'
import type { Reservation, Stay } from './reservations.ts'
import { createRooms } from './rooms.ts'
import { termIds } from './terms.ts'
import { receptionists } from './texts.ts'

/** Where a party is that no room has beds for. */
const CABIN = 'Cabin by the lake'

/** Plain text is next to the terms where a center wrote what fitted no list. */
const programs = [...termIds('program'), ...termIds('program'), 'Own plan, agreed by phone']
const kindsOfStay = [...termIds('accommodationType'), ...termIds('accommodationType'), 'Tent in the orchard']
const roomIds = [...termIds('room'), ...termIds('room'), CABIN]

/** Booking identifiers that somebody set by hand; all others are left to the database. */
const handWritten = ['VIP-001', 'VIP-002', 'PRESS-001']

/** The bookings of all reservations as records. */
export function* bookingRecords(
  priced: Map<Reservation, PricedStay[]>,
  orders: Map<Reservation, OrderDraft>,
  today: string,
  seed: number,
): Iterable<IntakeRecord> {
  const random = createRandom(seed, 'bookings')
  const mealsOf = createMealPlanner(random, today)
  const drawPlainness = createDeck(random, { rich: 5, bare: 1 })
  const numbersLeft = [...handWritten]
  const rooms = createRooms(termIds('room'))
  // Somebody moves today, and somebody tomorrow.
  const movesLeft = [today, addDays(today, 1)]

  for (const [reservation, stays] of priced) {
    const order = orders.get(reservation)
    const requested = accommodation(random)
    const { people, firstDay, lastDay } = partyOf(reservation)
    const stayIn = (room: string | undefined, from: string, until: string, except?: string) =>
      rooms.find({ people, firstDay: from, lastDay: until }, room, except) ?? CABIN
    const moveDay = movesIn(reservation, movesLeft[0]) ? movesLeft.shift() : undefined
    const roomId = stayIn(requested.roomId, firstDay, moveDay ?? lastDay)
    const acc = inRoom(requested, roomId)
    const accSegments = moveDay && [
      { from: firstDay, until: moveDay, ...acc },
      { from: moveDay, until: lastDay, ...inRoom(requested, stayIn(undefined, moveDay, lastDay, roomId)) },
    ]
    const housing = accSegments ? { accSegments } : { acc }
    for (const [index, { stay, price }] of stays.entries()) {
      const skippingMeals = mealsOf(stay, reservation)
      const numbered = reservation.phase === 'past' && index === 0 && stay.status === 'departed'
      const bookingId = numbered ? numbersLeft.shift() : undefined
      const record: IntakeRecord = {
        kind: 'booking',
        centerId: DEMO_CENTER_ID,
        id: stay.bookingId,
        customerId: stay.guest.id,
        role: stay.role,
        status: stay.status,
        startDate: moment(stay.firstDay, random.pick(['14:00', '15:30', '17:15']), demoTimeZone),
        endDate: moment(stay.lastDay, random.pick(['09:00', '10:30', '11:00']), demoTimeZone),
        ...(reservation.sessions.length > 0 && {
          sessionIds: reservation.sessions.map((session) => session.id),
        }),
        ...(order && { orderUuid: order.uuid, isOrderMainGuest: index === 0 }),
        ...(bookingId && { bookingId }),
        ...(skippingMeals && { skippingMeals }),
      }
      // Now and then only what is required: every other field of such a guest is null.
      const bare = drawPlainness() === 'bare' && !stay.complete && !accSegments
      yield bare ? record : { ...record, ...detailsOf({ stay, reservation, price, housing, today, random }) }
    }
  }
}

type Details = {
  stay: Stay
  reservation: Reservation
  price: Price
  housing: object
  today: string
  random: Random
}

function detailsOf({ stay, reservation, price, housing, today, random }: Details) {
  const has = (probability: number) => stay.complete || random.chance(probability)
  const formData = formOf(stay, random)
  const financial = financialOf(stay, reservation, price, today, random)
  return {
    bookedAt: momentInUtc(
      reservation.bookedDay,
      `${random.whole(10, 18)}:${random.whole(10, 59)}`,
      demoTimeZone,
    ),
    createdBy: stay.status === 'registeredOnline' ? 'Online form' : random.pick(receptionists),
    packageId: price.packageId,
    ...(has(0.85) && { programId: random.pick(programs) }),
    ...(isHoused(stay) && (has(0.9) || 'accSegments' in housing) && housing),
    ...(Object.keys(formData).length > 0 && { formData }),
    ...(financial && { financial }),
    ...medicalOf(stay, random),
    ...(has(0.7) && { meta: metaValues('booking', random, reservation.bookedDay, stay.complete) }),
  }
}

/** Who has a room, or will have one. */
const isHoused = ({ status }: Stay) =>
  !['waitingList', 'review', 'offer', 'cancelled', 'voided'].includes(status)

/** How many sleep in the party's room, and on which days. */
const partyOf = ({ stays }: Reservation) => ({
  people: stays.filter(isHoused).length,
  firstDay: stays[0]!.firstDay,
  lastDay: stays[0]!.lastDay,
})

/** Whether a party of one, who is in the house, moves that day. */
const movesIn = ({ phase, stays }: Reservation, day: string | undefined) => {
  const [stay] = stays
  return (
    day !== undefined &&
    phase === 'current' &&
    stays.length === 1 &&
    stay !== undefined &&
    ['arrived', 'paid'].includes(stay.status) &&
    stay.firstDay < day &&
    day < stay.lastDay
  )
}

/** How a party wants to live: one room for all of it. */
function accommodation(random: Random) {
  return {
    roomId: random.pick(roomIds),
    bedType: random.pick(termIds('bedType')),
    type: random.pick(kindsOfStay),
    roomStandardId: random.pick(termIds('roomStandard')),
    roomSize: `${random.whole(14, 42)} m²`,
  }
}

/** The accommodation in the room that the party was given. */
const inRoom = (requested: ReturnType<typeof accommodation>, roomId: string) => ({
  ...requested,
  roomId,
  floor: /\d{1,4}$/.exec(roomId)?.[0].slice(0, 1) ?? '0',
})
