/** The guests of an order by name, each with the identifier under which the list of guests has it. */
import { guestsInOrder } from '../../records/order.ts'
import type { OrderGuest } from './order-mismatches.ts'

export interface NamedGuest {
  readonly guestId: string
  readonly name: string
}

/** Main guest first, then by name (ruling 32). */
export const guestsOf = (guests: readonly OrderGuest[]): readonly NamedGuest[] =>
  guestsInOrder(guests.map(([id, first, last, isMain]) => [first, last, isMain, id] as const)).map(
    ({ name, of: [, , , guestId] }) => ({ guestId, name }),
  )
