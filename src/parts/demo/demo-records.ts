import { archivedRecords } from './archive.ts'
import { bookingRecords } from './bookings.ts'
import { demoCenter } from './centers.ts'
import { conflictRecords } from './conflicts.ts'
import { metaFieldRecords } from './meta-fields.ts'
import { priceReservations } from './money.ts'
import { draftOrders, orderRecords } from './orders.ts'
import { otherCenterRecords } from './other-center.ts'
import type { IntakeRecord } from './record.ts'
import { planReservations } from './reservations.ts'
import { planSessions, sessionRecords } from './sessions.ts'
import { termRecords } from './terms.ts'

export { ARCHIVED_ORDER_UUID, ARCHIVED_SESSION_ID } from './archive.ts'
export { CONFLICT_ORDER_UUID } from './conflicts.ts'
export { EXAMPLE_ORDER_UUID, OPAQUE_ORDER_IDS } from './orders.ts'
export { DEMO_CENTER_ID, type IntakeRecord, OTHER_CENTER_ID } from './record.ts'
export { todaySessionId } from './sessions.ts'

/**
 * The demo as intake records, version 1: a center with about 400 bookings around the given day, and a second,
 * small one that must stay invisible to it. The same seed and day give the same records, in the same order.
 *
 * @param options.today the demo center's local day, YYYY-MM-DD; a session runs on it
 * @param options.seed another number gives other people and other stays
 */
export function* demoRecords(options: { today: string; seed?: number }): Iterable<IntakeRecord> {
  const { today, seed = 1 } = options
  const sessions = planSessions(today)
  const { guests, reservations } = planReservations(today, seed, sessions)
  const priced = priceReservations(reservations, seed)
  const orders = draftOrders(reservations, seed)

  yield demoCenter
  yield* termRecords()
  yield* metaFieldRecords()
  yield* sessionRecords(sessions)
  for (const guest of guests) yield guest.record
  yield* bookingRecords(priced, orders, today, seed)
  yield* orderRecords(priced, orders, today, seed)
  yield* conflictRecords(today)
  yield* archivedRecords
  yield* otherCenterRecords(today, seed)
}
