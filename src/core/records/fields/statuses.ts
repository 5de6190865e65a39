/** The roles of a guest and the states of a booking, as the interface lists them. */
export const ROLES = ['patient', 'companion', 'guest'] as const

export const BOOKING_STATUSES = [
  'registered',
  'waitingList',
  'review',
  'confirmed',
  'arrived',
  'paid',
  'cancelled',
  'voided',
  'registeredOnline',
  'offer',
  'departed',
] as const

/** Whether a guest has paid (ruling 49), without amounts. */
export const PAID_STATES = ['paid', 'partlyPaid', 'open', 'notDecided'] as const

export type Role = (typeof ROLES)[number]
export type BookingStatus = (typeof BOOKING_STATUSES)[number]
export type PaidState = (typeof PAID_STATES)[number]
