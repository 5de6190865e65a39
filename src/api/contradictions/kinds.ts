/** The kinds of contradictions: how serious each is, and who may read it. */
import type { Scope } from '../../access/keys/scopes.ts'
import type { Center } from '../../records/centers/center.ts'
import type { ContradictionKind } from '../../records/centers/contradiction-kinds.ts'

export const SEVERITIES = ['high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

interface KindFacts {
  readonly severity: Severity
  /** the scopes of the compared fields (ruling 49) */
  readonly scopes: readonly Scope[]
  readonly description: string
}

export const KIND_FACTS: Readonly<Record<ContradictionKind, KindFacts>> = {
  samePersonTwice: {
    severity: 'medium',
    scopes: ['guests', 'guests.personal'],
    description:
      'Two customers who are probably one person. Their names agree, and their dates of birth, e-mail addresses or phone numbers.',
  },
  overlappingStays: {
    severity: 'high',
    scopes: ['guests'],
    description: 'Two active bookings of one customer whose stays overlap.',
  },
  roomOverfull: {
    severity: 'high',
    scopes: ['guests', 'rooms'],
    description:
      'More people in a room on a night than it has beds. Rooms whose beds are unknown are not compared.',
  },
  sessionsAtOneTime: {
    severity: 'medium',
    scopes: ['guests'],
    description: 'Two active bookings of one customer with two sessions that take place at the same time.',
  },
  allergiesDiffer: {
    severity: 'high',
    scopes: ['guests', 'guests.personal'],
    description:
      'Active bookings of one customer that give different allergies. A booking without an answer is not compared.',
  },
  arrivedWithoutIdentifier: {
    severity: 'low',
    scopes: ['guests'],
    description:
      'A guest who has arrived without a booking identifier, in a center with automatic identifiers.',
  },
  departedInFuture: {
    severity: 'medium',
    scopes: ['guests'],
    description: 'A guest who has departed, but whose stay ends on a later day than today.',
  },
  depositTwice: {
    severity: 'medium',
    scopes: ['guests', 'guests.financial'],
    description:
      'The same deposit (amount, moment and payment type) in two active bookings of one customer or one order.',
  },
  stayOutsideSession: {
    severity: 'medium',
    scopes: ['guests'],
    description: 'An active booking with a session of which its stay has no day.',
  },
  orderDoesNotAddUp: {
    severity: 'medium',
    scopes: ['orders'],
    description: 'An order whose total is not the sum of its items, or that has guests but no main guest.',
  },
  paymentDoesNotFit: {
    severity: 'medium',
    scopes: ['orders', 'guests.financial'],
    description: 'An order that is paid without a payment, or unpaid with a deposit.',
  },
  guestWithoutOrder: {
    severity: 'low',
    scopes: ['guests', 'orders'],
    description: 'An active booking without an order. Not reported by default.',
  },
  orderWithoutGuests: {
    severity: 'low',
    scopes: ['guests', 'orders'],
    description: 'An order that no booking belongs to. Not reported by default.',
  },
}

/** What a key may read: its scopes, and custom fields that it may read without `guests.personal`. */
export interface Reader {
  readonly scopes: readonly Scope[]
  readonly customFields: readonly string[]
}

/** The scopes that a key lacks for a kind; none if it may read the kind. */
export function scopesMissing(
  kind: ContradictionKind,
  { scopes, customFields }: Reader,
  { mealRules }: Pick<Center, 'mealRules'>,
): readonly Scope[] {
  const missing = KIND_FACTS[kind].scopes.filter((scope) => !scopes.includes(scope))
  const readsDiets = mealRules.dietFields.every(({ field }) => customFields.includes(field))
  return kind === 'allergiesDiffer' && readsDiets
    ? missing.filter((scope) => scope !== 'guests.personal')
    : missing
}
