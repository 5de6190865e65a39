import type { Part } from '../../part.ts'
import { guestArrivals } from './guest-arrivals.ts'
import { listGuests } from './list-guests.ts'
import { matchGuests } from './match-guests.ts'

export const guests: Part = {
  name: 'guests',
  operations: () => [listGuests, guestArrivals, matchGuests],
}
