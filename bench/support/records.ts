/** Records to import: a center with sessions of forty guests, their customers and orders. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DAYS_PER_SESSION, FIRST_DAY } from './make-data-sql.ts'

export const GUESTS = 40
/** a session, and for each of its guests a customer, a booking and half an order */
const RECORDS_PER_SESSION = 1 + GUESTS * 2.5
export const CENTER = '1'

/** Writes about this many records. @returns the number of sessions */
export async function writeRecords(file: string, records: number): Promise<number> {
  const sessions = Math.ceil(records / RECORDS_PER_SESSION)
  await writeSessions(file, sessions, 100)
  return sessions
}

/** @param inARow number of successive sessions before parallel ones begin */
export async function writeSessions(file: string, sessions: number, inARow: number): Promise<void> {
  await pipeline(Readable.from(lines(sessions, inARow)), createWriteStream(file))
}

function* lines(sessions: number, inARow: number): Generator<string> {
  const line = (record: object) => `${JSON.stringify(record)}\n`
  yield line({
    kind: 'center',
    id: CENTER,
    name: 'Center 1',
    timezone: 'Europe/Bucharest',
    currency: 'RON',
  })
  for (let session = 0; session < sessions; session += 1) {
    // One text per session: streams take a few large pieces much faster than many small ones.
    yield [...recordsOf(session, inARow)].map(line).join('')
  }
}

function* recordsOf(session: number, inARow: number): Generator<object> {
  const first = Temporal.PlainDate.from(FIRST_DAY).add({ days: (session % inARow) * DAYS_PER_SESSION })
  const startDate = `${first}T14:00:00Z`
  const endDate = `${first.add({ days: DAYS_PER_SESSION })}T10:00:00Z`
  const centerId = CENTER
  yield {
    kind: 'session',
    centerId,
    id: `${session}`,
    name: `Session ${session}`,
    number: session,
    startDate,
    endDate,
  }
  for (let guest = 0; guest < GUESTS; guest += 1) {
    const id = `${session * GUESTS + guest}`
    const orderUuid = `order-${session}-${guest >> 1}`
    yield {
      kind: 'customer',
      centerId,
      id,
      firstName: 'Ștefan',
      lastName: `Popescu ${id}`,
      email: `guest${id}@example.com`,
      phone: '+40 700 000 000',
      dob: '1965-04-12',
      gender: 'male',
      address: { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'Romania' },
    }
    yield {
      kind: 'booking',
      centerId,
      id,
      customerId: id,
      role: 'patient',
      status: 'paid',
      startDate,
      endDate,
      sessionIds: [`${session}`],
      bookedAt: startDate,
      createdBy: 'reception',
      orderUuid,
      isOrderMainGuest: guest % 2 === 0,
      doctorName: 'Dr. Ana Ionescu',
      acc: { roomId: 'room1', bedType: 'double', floor: '1' },
      formData: { medicalConditions: 'Mild asthma', mobility: 'Walks unaided' },
      weight1: 80,
      height: 175,
      financial: { subtotal: 2500, total: 2250, deposit: { amount: 500, paymentType: 'bank_transfer' } },
      skippingMeals: { breakfast: [`${first.add({ days: 1 })}`], lunch: [], dinner: [] },
    }
    if (guest % 2 === 1) continue
    yield {
      kind: 'order',
      centerId,
      uuid: orderUuid,
      number: session * GUESTS + guest,
      orderDate: startDate,
      totalAmount: 2500,
      status: 'confirmed',
      paymentMethod: 'credit_card',
      paymentStatus: 'paid',
      items: [{ itemId: 'stay', name: 'Stay', quantity: 10, price: 250 }],
      createdAt: startDate,
      updatedAt: startDate,
    }
  }
}
