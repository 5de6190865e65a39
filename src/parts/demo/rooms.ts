/** Which room each party of the demo has: one with enough beds, as a front desk gives them. */
import { addDays, daysBetween } from './calendar.ts'

/** Beds of each room. The demo's other accommodation is plain text, of which no beds are known. */
export const ROOM_BEDS: Readonly<Record<string, number>> = {
  '101': 2,
  '102': 2,
  '103': 3,
  '104': 2,
  '105': 2,
  '106': 3,
  '201': 2,
  '202': 2,
  '203': 3,
  '204': 2,
  '205': 2,
  '206': 4,
  '301': 4,
  '302': 2,
}

interface Party {
  readonly people: number
  readonly firstDay: string
  readonly lastDay: string
}

/** The rooms of the demo, each with the people who sleep in it. */
export function createRooms(roomIds: readonly string[]) {
  const sleeping = new Map<string, number>()
  const beds = (roomId: string) => ROOM_BEDS[roomId.replace('room-', '')] ?? Number.POSITIVE_INFINITY
  const nightsOf = ({ firstDay, lastDay }: Party) =>
    firstDay < lastDay ? daysBetween(firstDay, addDays(lastDay, -1)) : []
  const isFree = (roomId: string, party: Party) =>
    nightsOf(party).every((night) => (sleeping.get(`${roomId} ${night}`) ?? 0) + party.people <= beds(roomId))

  return {
    /**
     * Puts a party into the room it asks for, or else the smallest that is free.
     * @param except a room that the party leaves
     * @returns undefined if every room is taken
     */
    find(party: Party, input: string | undefined, except?: string): string | undefined {
      const rooms = [...roomIds].sort((one, other) => beds(one) - beds(other))
      const roomId = [...(input === undefined ? [] : [input]), ...rooms].find(
        (one) => one !== except && isFree(one, party),
      )
      if (roomId === undefined) return undefined
      for (const night of nightsOf(party)) {
        const key = `${roomId} ${night}`
        sleeping.set(key, (sleeping.get(key) ?? 0) + party.people)
      }
      return roomId
    },
  }
}
