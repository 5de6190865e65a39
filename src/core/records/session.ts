/** The fields of a session. Record, SELECT, answers, files, OpenAPI and documentation follow from them. */

import { count, described, listOf, object } from '../request/object-schema.ts'
import { asItIs, asMoment, type Field, field } from './fields/field.ts'
import { asIs } from './fields/shown.ts'
import { type Made, mainSession as session, type TermNames } from './fields/source.ts'
import { ROLES } from './fields/statuses.ts'
import { type JsonSchema, MOMENT, STRING, value } from './fields/value-kinds.ts'
import { defineRecord } from './record.ts'

const about = (description: string) => ({ scope: 'sessions', group: 'Sessions', description }) as const

interface Named {
  readonly _id: string
  readonly name: string
}

const NAMED: JsonSchema = listOf(object({ _id: STRING, name: STRING }), 'names in the language of the answer')

/** Terms, with their names in the language of the answer. */
function terms(
  name: string,
  recordName: string,
  set: 'program' | 'unit',
  column: string,
  says: string,
): Field {
  const each = set === 'program' ? 'Program.' : 'Unit.'
  const stored = session.required(column, { ...value.texts(each), set })
  // The statement makes both of a term: its identifier and its name.
  const names: TermNames = { from: 'terms', of: stored }
  return field(name, {
    ...about(says),
    recordName,
    stored,
    empty: [],
    schema: NAMED,
    example: [{ _id: 'detox', name: 'Detox' }] satisfies readonly Named[],
    isAlwaysThere: true,
    itemName: { shown: 'name', raw: '_id' },
    sources: [names],
    show: asItIs,
  })
}

function moment(name: string, column: string, says: string): Field {
  const stored = session.required(column, value.moment)
  return field(name, {
    ...about(says),
    stored,
    schema: MOMENT,
    example: '2025-01-15T08:00:00.000Z',
    sources: [stored],
    show: asMoment,
  })
}

/** In the order of `ROLES`; null if they were not requested. */
const guestCounts: Made<readonly number[]> = {
  from: 'made',
  name: 'guestCounts',
  columns: ['bookings.role', 'bookings.status', 'bookings.session_ids'],
}

const SESSION_FIELDS: readonly Field[] = [
  {
    ...asIs('_id', session.required('id', value.identifier), {
      ...about('session identifier'),
      recordDescription: 'Identifier of the session.',
      example: 'session-01',
    }),
    recordName: 'id',
    schema: { ...STRING, description: 'session identifier' },
  },
  asIs('name', session.required('name', value.filledText), { ...about('Name.'), example: 'Winter Rest' }),
  {
    ...asIs('number', session.column('number', value.label), { ...about('Session number.'), example: '1' }),
    schema: { ...STRING, description: 'session number' },
  },
  {
    ...asIs('text', session.column('text', value.longText), {
      ...about('Description.'),
      example: 'Ten days',
    }),
    schema: { ...STRING, description: 'description' },
  },
  terms(
    'availablePrograms',
    'programIds',
    'program',
    'program_ids',
    'Programs offered: terms of the set `program`.',
  ),
  terms('availableUnits', 'unitIds', 'unit', 'unit_ids', 'Units available: terms of the set `unit`.'),
  moment('startDate', 'start_date', 'Start of the session.'),
  moment('endDate', 'end_date', 'End of the session.'),
  field('guestCounts', {
    ...about('Active bookings of the session, by role.'),
    requestedBy: 'includeGuestCounts',
    schema: described(
      object({ total: count(), ...Object.fromEntries(ROLES.map((role) => [role, count()])) }),
      'active bookings of the session, by role; a booking of several sessions counts in each; only with includeGuestCounts=true',
    ),
    example: { total: 1, ...Object.fromEntries(ROLES.map((role, at) => [role, at === 0 ? 1 : 0])) },
    isAlwaysThere: true,
    cells: ['total', ...ROLES],
    sources: [guestCounts],
    show: (_, counts) => ({
      total: (counts ?? []).reduce((sum, count) => sum + count, 0),
      ...Object.fromEntries(ROLES.map((role, at) => [role, counts?.[at] ?? 0])),
    }),
  }),
]

export const SESSION = defineRecord({
  name: 'Session',
  kind: 'session',
  table: 'sessions',
  alias: 's',
  key: 'id',
  during: ['start_date', 'end_date'],
  fields: SESSION_FIELDS,
})

/** Records have these first, and the others in the order of the table. */
export const FIRST_IN_RECORDS = ['id', 'name', 'number', 'text', 'startDate', 'endDate']
