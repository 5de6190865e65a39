import type { Part } from '../../../part.ts'
import { listRooms } from './list-rooms.ts'

export const rooms: Part = {
  name: 'rooms',
  operations: () => [listRooms],
}
