/** The booking's main session, and the sessions of the same customer before and after. */
import { formatMomentDate, isoMoment } from '../../locale/dates.ts'
import { field, type GuestField, guests } from './field.ts'
import { momentDate } from './shown.ts'
import { mainSession, type SessionHistory } from './source.ts'
import { STRING, STRINGS, value } from './value-kinds.ts'

const GROUP = 'Session history'
const start = mainSession.column('start_date', value.moment)
const end = mainSession.column('end_date', value.moment)

export const sessionFields: readonly GuestField[] = [
  ...history(
    'sessionsAttendedBefore',
    'attendedBefore',
    'Sessions of the same customer that ended before this booking begins',
  ),
  ...history(
    'sessionsRegisteredFuture',
    'registeredFuture',
    'Sessions of the same customer that begin after this booking ends',
  ),
  field('sessionInterval', {
    ...guests(GROUP, 'Date range of the booking’s main session.'),
    schema: STRING,
    example: '01/15/2025 - 01/25/2025',
    sources: [start, end],
    show: ({ center, language }, from, to) =>
      from === null || to === null
        ? null
        : `${formatMomentDate(language, center.timezone, from)} - ${formatMomentDate(language, center.timezone, to)}`,
    raw: {
      schema: { type: 'string', description: 'ISO 8601 interval' },
      example: '2025-01-15T08:00:00.000Z/2025-01-25T10:00:00.000Z',
      value: (_, from, to) => (from === null || to === null ? null : `${isoMoment(from)}/${isoMoment(to)}`),
    },
  }),
  momentDate('sessionStartDate', start, guests(GROUP, 'First day of the main session.')),
  momentDate('sessionEndDate', end, guests(GROUP, 'Last day of the main session.')),
]

function history(name: string, which: SessionHistory['which'], description: string): GuestField[] {
  const source: SessionHistory = { from: 'history', which }
  return [
    field(name, {
      ...guests(GROUP, `${description}: their names, in date order.`),
      schema: STRINGS,
      example: ['Spring 2024', 'Autumn 2024'],
      sources: [source],
      show: (_, sessions) => sessions.map(([, sessionName]) => sessionName),
      raw: {
        schema: STRINGS,
        example: ['s-2024-1', 's-2024-3'],
        value: (_, sessions) => sessions.map(([id]) => id),
      },
    }),
    field(`${name}Count`, {
      ...guests(GROUP, `${description}: how many.`),
      schema: { type: 'integer' },
      example: 2,
      sources: [source],
      show: (_, sessions) => sessions.length,
    }),
  ]
}
