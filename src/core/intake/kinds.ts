import { booking } from './kinds/booking.ts'
import { bookingCounter } from './kinds/booking-counter.ts'
import { center } from './kinds/center.ts'
import { customer } from './kinds/customer.ts'
import { freedBookingId } from './kinds/freed-booking-id.ts'
import { key } from './kinds/key.ts'
import { KIND_NAMES, type Kind, type KindName } from './kinds/kind.ts'
import { mapping } from './kinds/mapping.ts'
import { metaField } from './kinds/meta-field.ts'
import { order } from './kinds/order.ts'
import { session } from './kinds/session.ts'
import { term } from './kinds/term.ts'
import { auditEntry, auditHead, auditRecordList } from './kinds/trail.ts'

const kinds = {
  center,
  metaField,
  term,
  session,
  order,
  customer,
  booking,
  bookingCounter,
  freedBookingId,
  mapping,
  key,
  auditHead,
  auditRecordList,
  auditEntry,
}

export const KINDS: Readonly<Record<KindName, Kind>> = kinds

/** Whether a value is the name of a kind. */
export function isKindName(value: unknown): value is KindName {
  return typeof value === 'string' && (KIND_NAMES as readonly string[]).includes(value)
}
