/** Makes session records from rows. */
import { ROLES } from '../fields/statuses.ts'
import { isoMoment } from '../locale/dates.ts'
import { object } from '../request/object-schema.ts'

interface Named {
  readonly _id: string
  readonly name: string
}

/** The selected values of `sessions-sql.ts` after total and revision. */
export type SessionRow = readonly [
  id: string,
  name: string,
  number: string | null,
  text: string | null,
  programs: readonly Named[],
  units: readonly Named[],
  startDate: number,
  endDate: number,
  /** in the order of `ROLES`; null if they were not requested */
  guestCounts: readonly number[] | null,
]

export function presentSession(row: SessionRow) {
  const [id, name, number, text, programs, units, startDate, endDate, guestCounts] = row
  return {
    _id: id,
    name,
    number,
    text,
    availablePrograms: programs,
    availableUnits: units,
    startDate: isoMoment(startDate),
    endDate: isoMoment(endDate),
    ...(guestCounts === null ? {} : { guestCounts: countsByRole(guestCounts) }),
  }
}

const countsByRole = (counts: readonly number[]) => ({
  total: counts.reduce((sum, count) => sum + count, 0),
  ...Object.fromEntries(ROLES.map((role, at) => [role, counts[at] ?? 0])),
})

const COUNT = { type: 'integer', minimum: 0 }

const NULLABLE_STRING = { type: ['string', 'null'] }
const NAMED = {
  type: 'array',
  items: {
    type: 'object',
    properties: { _id: { type: 'string' }, name: { type: 'string' } },
    required: ['_id', 'name'],
  },
}

export const SESSION_LIST_SCHEMA = {
  type: 'object',
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          _id: { type: 'string', description: 'session identifier' },
          name: { type: 'string' },
          number: { ...NULLABLE_STRING, description: 'session number' },
          text: { ...NULLABLE_STRING, description: 'description' },
          availablePrograms: { ...NAMED, description: 'names in the language of the answer' },
          availableUnits: { ...NAMED, description: 'names in the language of the answer' },
          startDate: { type: 'string', format: 'date-time' },
          endDate: { type: 'string', format: 'date-time' },
          guestCounts: {
            ...object({ total: COUNT, ...Object.fromEntries(ROLES.map((role) => [role, COUNT])) }),
            description:
              'active bookings of the session, by role; a booking of several sessions counts in each; only with includeGuestCounts=true',
          },
        },
        required: [
          '_id',
          'name',
          'number',
          'text',
          'availablePrograms',
          'availableUnits',
          'startDate',
          'endDate',
        ],
      },
    },
    total: { type: 'integer', description: 'number of records available in all pages' },
  },
  required: ['data', 'total'],
} as const
