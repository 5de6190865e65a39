/** How guests and rooms are written where there is little space. */

/** `Cătălin Morăraș` as `C. Morăraș`: what a cook calls somebody. */
export function shortName(name: string): string {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return rest.length === 0 ? first : `${first.slice(0, 1)}. ${rest.join(' ')}`
}

/** What a room is called before its number, and the number: the last word, if it has a digit. */
function numbered(label: string): readonly [name: string, number: string] | undefined {
  const words = label.split(/\s+/)
  const number = words.pop() ?? ''
  return words.length > 0 && /\d/.test(number) ? [words.join(' '), number] : undefined
}

/**
 * `Room 101` as `101`, below a heading that says what it is: only if all rooms of the list begin with the same words. The 12 of
 * one house is not the 12 of another, and `Garden house 1` is not room 1.
 * @param rooms all of the list, also those that are not shown; null: no room
 * @returns how each of them is written
 */
export function shortRooms(rooms: Iterable<string | null>): (room: string) => string {
  const labels = [...new Set(rooms)].flatMap((room) => (room === null ? [] : [room.trim()]))
  const parts = labels.map(numbered)
  const of = (at: 0 | 1) => new Set(parts.map((part) => part?.[at]))
  // One room alone has no others that begin like it.
  const isPlain = labels.length > 1 && of(0).size === 1 && of(1).size === labels.length
  return (room) => (isPlain ? (numbered(room.trim())?.[1] ?? room) : room)
}

/** How many of the guests each room has, in the guests' order. @param rooms of the guests, as they are written */
export function countRooms(rooms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const room of rooms) counts.set(room, (counts.get(room) ?? 0) + 1)
  return counts
}
