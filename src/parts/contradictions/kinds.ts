/** The kinds of contradictions: how serious each is. Who may read each is in `access/keys/contradiction-scopes.ts`. */
import type { ContradictionKind } from '../../core/records/centers/contradiction-kinds.ts'

export const SEVERITIES = ['high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

interface KindFacts {
  readonly severity: Severity
  readonly description: string
}

export const KIND_FACTS: Readonly<Record<ContradictionKind, KindFacts>> = {
  samePersonTwice: {
    severity: 'medium',
    description:
      'Two customers who are probably one person. Their names agree, and their dates of birth, e-mail addresses or phone numbers.',
  },
  overlappingStays: {
    severity: 'high',
    description: 'Two active bookings of one customer whose stays overlap.',
  },
  roomOverfull: {
    severity: 'high',
    description:
      'More people in a room on a night than it has beds. Rooms whose beds are unknown are not compared.',
  },
  sessionsAtOneTime: {
    severity: 'medium',
    description: 'Two active bookings of one customer with two sessions that take place at the same time.',
  },
  allergiesDiffer: {
    severity: 'high',
    description:
      'Active bookings of one customer that give different allergies. A booking without an answer is not compared.',
  },
  arrivedWithoutIdentifier: {
    severity: 'low',
    description:
      'A guest who has arrived without a booking identifier, in a center with automatic identifiers.',
  },
  departedInFuture: {
    severity: 'medium',
    description: 'A guest who has departed, but whose stay ends on a later day than today.',
  },
  depositTwice: {
    severity: 'medium',
    description:
      'The same deposit (amount, moment and payment type) in two active bookings of one customer or one order.',
  },
  stayOutsideSession: {
    severity: 'medium',
    description: 'An active booking with a session of which its stay has no day.',
  },
  orderDoesNotAddUp: {
    severity: 'medium',
    description: 'An order whose total is not the sum of its items, or that has guests but no main guest.',
  },
  paymentDoesNotFit: {
    severity: 'medium',
    description: 'An order that is paid without a payment, or unpaid with a deposit.',
  },
  guestWithoutOrder: {
    severity: 'low',
    description: 'An active booking without an order. Not reported by default.',
  },
  orderWithoutGuests: {
    severity: 'low',
    description: 'An order that no booking belongs to. Not reported by default.',
  },
}
