/** Who may read which kind of contradiction: the list, the feed of changes and dismissals ask here. */
import type { Center } from '../../records/centers/center.ts'
import type { ContradictionKind } from '../../records/centers/contradiction-kinds.ts'
import type { Scope } from './scopes.ts'

/** The scopes of the compared fields (ruling 49). */
const COMPARED_SCOPES: Readonly<Record<ContradictionKind, readonly Scope[]>> = {
  samePersonTwice: ['guests', 'guests.personal'],
  overlappingStays: ['guests'],
  roomOverfull: ['guests', 'rooms'],
  sessionsAtOneTime: ['guests'],
  allergiesDiffer: ['guests', 'guests.personal'],
  arrivedWithoutIdentifier: ['guests'],
  departedInFuture: ['guests'],
  depositTwice: ['guests', 'guests.financial'],
  stayOutsideSession: ['guests'],
  orderDoesNotAddUp: ['orders'],
  paymentDoesNotFit: ['orders', 'guests.financial'],
  guestWithoutOrder: ['guests', 'orders'],
  orderWithoutGuests: ['guests', 'orders'],
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
  const missing = COMPARED_SCOPES[kind].filter((scope) => !scopes.includes(scope))
  const readsDiets = mealRules.dietFields.every(({ field }) => customFields.includes(field))
  return kind === 'allergiesDiffer' && readsDiets
    ? missing.filter((scope) => scope !== 'guests.personal')
    : missing
}

/** Whether these scopes are enough for every kind. */
export const readEveryContradiction = (scopes: readonly Scope[]): boolean =>
  Object.values(COMPARED_SCOPES).every((compared) => compared.every((scope) => scopes.includes(scope)))
