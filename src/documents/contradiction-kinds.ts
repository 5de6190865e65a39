/** What does not fit, by kind. */
import type { ListContradictionsAnswer } from '../../client/src/index.ts'
import type { WordKey } from './words.ts'

export type Contradiction = ListContradictionsAnswer['data'][number]
export type Kind = Contradiction['kind']
export type Severity = Contradiction['severity']

export const SEVERITIES = ['high', 'medium', 'low'] as const satisfies readonly Severity[]

/** Each kind with its severity and its name, in the order of the page. */
export const KINDS: Readonly<Record<Kind, { readonly severity: Severity; readonly name: WordKey }>> = {
  roomOverfull: { severity: 'high', name: 'kindRoomOverfull' },
  allergiesDiffer: { severity: 'high', name: 'kindAllergiesDiffer' },
  overlappingStays: { severity: 'high', name: 'kindOverlappingStays' },
  samePersonTwice: { severity: 'medium', name: 'kindSamePersonTwice' },
  sessionsAtOneTime: { severity: 'medium', name: 'kindSessionsAtOneTime' },
  stayOutsideSession: { severity: 'medium', name: 'kindStayOutsideSession' },
  departedInFuture: { severity: 'medium', name: 'kindDepartedInFuture' },
  depositTwice: { severity: 'medium', name: 'kindDepositTwice' },
  orderDoesNotAddUp: { severity: 'medium', name: 'kindOrderDoesNotAddUp' },
  paymentDoesNotFit: { severity: 'medium', name: 'kindPaymentDoesNotFit' },
  arrivedWithoutIdentifier: { severity: 'low', name: 'kindArrivedWithoutIdentifier' },
  guestWithoutOrder: { severity: 'low', name: 'kindGuestWithoutOrder' },
  orderWithoutGuests: { severity: 'low', name: 'kindOrderWithoutGuests' },
}
