/**
 * The parts of a stay that is in several rooms, in order: each with its first day and the day on which the guest moves on,
 * which is no longer part of it. A day belongs to the last segment that has begun, and before any has to the first. So the
 * day of departure belongs to the room of the last night, and an extended stay continues in its last room.
 */

import Type from 'typebox'
import { type FieldReason, onlyEnglish } from '../../locale/said.ts'
import * as takes from './values.ts'

/** A segment as it is stored. Without `roomId`, the room is not known yet. */
export interface AccSegment {
  readonly from: string
  /** exclusive */
  readonly until: string
  readonly roomId?: string | null
  readonly bedType?: string | null
  readonly type?: string | null
  readonly roomStandardId?: string | null
  readonly roomSize?: string | null
  readonly floor?: string | null
}

/** A stay of months with a move on each of its days is longer than any that is known. */
const SEGMENTS_MAX = 200

export const accSegments = (description: string) =>
  takes.list(
    description,
    Type.Object({
      from: takes.localDate('First day.'),
      until: takes.localDate('The day on which the segment ends and the next may begin; not part of it.'),
      roomId: Type.Optional(takes.text('Room: a term of the set `room`, or plain text.')),
      bedType: Type.Optional(takes.text('Bed type: a term of the set `bedType`, or plain text.')),
      type: Type.Optional(
        takes.text('Type of accommodation: a term of the set `accommodationType`, or plain text.'),
      ),
      roomStandardId: Type.Optional(
        takes.text('Room standard: a term of the set `roomStandard`, or plain text.'),
      ),
      roomSize: Type.Optional(takes.label('Size of the room.')),
      floor: Type.Optional(takes.label('Floor.')),
    }),
    SEGMENTS_MAX,
  )

/** Finds problems of an entry that no single value shows. @param stored the column, in any state */
export function checkAccSegments(stored: unknown): FieldReason[] {
  if (!Array.isArray(stored)) return []
  const segments = (stored as readonly AccSegment[]).map((segment, at) => ({ ...segment, at }))
  const empty = segments.flatMap(({ from, until, at }) =>
    from < until
      ? []
      : [
          {
            field: `accSegments[${at}].until`,
            ...onlyEnglish(
              `is "${until}", which is not after from (${from}); until is the day after the last night`,
            ),
          },
        ],
  )
  if (empty.length > 0) return empty
  const sorted = segments.sort((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.slice(1).flatMap(({ from, until, at }, index) => {
    const before = sorted[index]
    if (before === undefined || before.until <= from) return []
    const other = `accSegments[${before.at}] (${before.from} until ${before.until})`
    return [
      {
        field: `accSegments[${at}]`,
        ...onlyEnglish(
          `is from ${from} until ${until}, which overlaps ${other}; until is exclusive, so a segment may begin on the day on which another ends`,
        ),
      },
    ]
  })
}

/**
 * The rooms of a stay in the order of days, read from the database; undefined without segments. The center's own system
 * may have written them, so nothing is trusted.
 */
export function readRooms(
  stored: unknown,
): readonly { readonly from: string; readonly room: string | null }[] | undefined {
  if (!Array.isArray(stored)) return undefined
  const rooms = stored.flatMap((segment: unknown) => {
    if (typeof segment !== 'object' || segment === null) return []
    const { from, roomId } = segment as Readonly<Record<string, unknown>>
    if (typeof from !== 'string') return []
    return [{ from, room: typeof roomId === 'string' ? roomId : null }]
  })
  return rooms.length === 0 ? undefined : rooms.sort((a, b) => (a.from < b.from ? -1 : 1))
}
