/** How guests and rooms are written where there is little space. */

/** `Cătălin Morăraș` as `C. Morăraș`: what a cook calls somebody. */
export function shortName(name: string): string {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return rest.length === 0 ? first : `${first.slice(0, 1)}. ${rest.join(' ')}`
}

const NUMBERED = /^(.*\S)\s+(\S*\d\S*)$/

/**
 * `Room 101` as `101`, below a heading that says what it is: only if all rooms of the list begin with the same words. The 12 of
 * one house is not the 12 of another, and `Garden house 1` is not room 1.
 * @param rooms all of the list, also those that are not shown; null: no room
 * @returns how each of them is written
 */
export function shortRooms(rooms: Iterable<string | null>): (room: string) => string {
  const labels = [...new Set(rooms)].flatMap((room) => (room === null ? [] : [room.trim()]))
  const parts = labels.map((label) => NUMBERED.exec(label))
  const of = (at: 1 | 2) => new Set(parts.map((part) => part?.[at]))
  // One room alone has no others that begin like it.
  const isPlain = labels.length > 1 && of(1).size === 1 && of(2).size === labels.length
  return (room) => (isPlain ? (NUMBERED.exec(room.trim())?.[2] ?? room) : room)
}

/** How many of the guests each room has, in the guests' order. @param rooms of the guests, as they are written */
export function countRooms(rooms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const room of rooms) counts.set(room, (counts.get(room) ?? 0) + 1)
  return counts
}
