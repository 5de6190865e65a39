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

export type Role = (typeof ROLES)[number]
export type BookingStatus = (typeof BOOKING_STATUSES)[number]
