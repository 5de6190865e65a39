/** The fields of a room on a day. Record, answers, files, OpenAPI and documentation follow from them. */
import { asItIs, type Field, field } from './fields/field.ts'
import type { Made } from './fields/source.ts'
import { DAY, type JsonSchema, STRING } from './fields/value-kinds.ts'
import { defineRecord } from './record.ts'

/** The columns of bookings that decide who is in which room. */
const COLUMNS = ['start_date', 'end_date', 'status', 'accommodation', 'acc_segments'].map(
  (column) => `bookings.${column}`,
)

const COUNT = { type: 'integer', minimum: 0 }

/** @param made name of the value in the statement */
function value(
  name: string,
  made: string,
  schema: JsonSchema,
  example: unknown,
  says: string,
  more: Pick<Field, 'isAlwaysThere'> = {},
): Field {
  const source: Made = { from: 'made', name: made, columns: COLUMNS }
  return field(name, {
    ...{ scope: 'rooms', group: 'Rooms', description: says },
    schema: { ...schema, description: says },
    example,
    sources: [source],
    show: asItIs,
    ...more,
  })
}

const count = (name: string, made: string, says: string) =>
  value(name, made, COUNT, 1, says, { isAlwaysThere: true })

const ROOM_FIELDS: readonly Field[] = [
  value(
    'id',
    'room_id',
    STRING,
    '101',
    'identifier of the room, or the text that bookings have; null for the guests whose room is not known',
  ),
  value('name', 'room_name', STRING, 'Room 101', 'name of the room in the language of the answer', {
    isAlwaysThere: true,
  }),
  value('date', 'room_date', DAY, '2025-01-16', 'the day, as in the request', { isAlwaysThere: true }),
  value('beds', 'beds', COUNT, 2, 'number of beds; null if it is not known'),
  count('guests', 'guests', 'guests of the room on this day, including those who arrive, leave or move in'),
  count('arriving', 'arriving', 'guests whose stay begins on this day'),
  count('departing', 'departing', 'guests whose stay ends on this day'),
  count('movingIn', 'moving_in', 'guests who come from another room on this day'),
  count(
    'movingOut',
    'moving_out',
    'guests who were here the night before and are in another room on this day; not among `guests`',
  ),
  count('tonight', 'tonight', 'guests whose stay continues past midnight'),
  value(
    'freeFrom',
    'free_from',
    DAY,
    '2025-01-24',
    'the first day, this one included, on which no guest stays in the room for the night, which is this day if it is free tonight; null if that is not within a year, and for unknown rooms',
  ),
]

/** A room changes with the guests who are in it. */
export const ROOM = defineRecord({
  name: 'Room',
  kind: 'guest',
  table: 'rooms',
  alias: 'r',
  key: 'room_id',
  neverNull: 'guests',
  during: ['room_date', 'room_date'],
  fields: ROOM_FIELDS,
})
