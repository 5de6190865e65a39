/** Makes session records from rows. */
import { isoMoment } from '../locale/dates.ts'

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
]

export function presentSession([id, name, number, text, programs, units, startDate, endDate]: SessionRow) {
  return {
    _id: id,
    name,
    number,
    text,
    availablePrograms: programs,
    availableUnits: units,
    startDate: isoMoment(startDate),
    endDate: isoMoment(endDate),
  }
}

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
