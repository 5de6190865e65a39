import type { Part } from '../../core/part.ts'
import { listRooms } from './list-rooms.ts'

/** The rooms of a day, with how many guests are in each and when it is free. */
export const rooms: Part = {
  name: 'rooms',
  operations: () => [listRooms],
}
