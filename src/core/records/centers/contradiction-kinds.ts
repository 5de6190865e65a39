/** The kinds of contradictions that a center can have reported. Who may read each is in `access/keys/contradiction-scopes.ts`. */
export const CONTRADICTION_KINDS = [
  'samePersonTwice',
  'overlappingStays',
  'roomOverfull',
  'sessionsAtOneTime',
  'allergiesDiffer',
  'arrivedWithoutIdentifier',
  'departedInFuture',
  'depositTwice',
  'stayOutsideSession',
  'orderDoesNotAddUp',
  'paymentDoesNotFit',
  'guestWithoutOrder',
  'orderWithoutGuests',
] as const
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number]

/** Kinds that are not reported unless the center wants them: many centers have guests without orders. */
export const OFF_BY_DEFAULT: ReadonlySet<ContradictionKind> = new Set([
  'guestWithoutOrder',
  'orderWithoutGuests',
])

export type ContradictionKinds = Readonly<Partial<Record<ContradictionKind, boolean>>>

/** What a center says; kinds that it does not mention are absent. */
export function readContradictionKinds(stored: unknown): ContradictionKinds {
  const said: Readonly<Record<string, unknown>> =
    typeof stored === 'object' && stored !== null ? { ...stored } : {}
  return Object.fromEntries(
    CONTRADICTION_KINDS.flatMap((kind) => (typeof said[kind] === 'boolean' ? [[kind, said[kind]]] : [])),
  )
}

/** The kinds that a center wants reported. */
export const kindsOn = ({
  contradictionKinds,
}: {
  readonly contradictionKinds: ContradictionKinds
}): readonly ContradictionKind[] =>
  CONTRADICTION_KINDS.filter((kind) => contradictionKinds[kind] ?? !OFF_BY_DEFAULT.has(kind))
