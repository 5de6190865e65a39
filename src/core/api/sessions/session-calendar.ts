/** `GET /sessions.ics`: the sessions as a calendar feed. */
import sql from 'sql-template-tag'
import { changedSet, type LastChange, lastChanges, lastOf } from '../../changes/last-changes-sql.ts'
import { errors } from '../../errors/api-error.ts'
import { selectPage } from '../../lists/list-sql.ts'
import { SESSION } from '../../records/session.ts'
import { costOf, resolveBounds, spanOf } from '../../request/bounds.ts'
import {
  CALENDAR_TYPE,
  type CalendarEvent,
  calendarText,
  readWindow,
  windowParameters,
} from '../../request/calendar.ts'
import { defineOperation, firstRevision } from '../../request/operation.ts'
import { readParameters, refusalOf } from '../../request/parameters.ts'

/** A year to plan, and the last quarter to look back at. */
const WINDOW = { before: 90, after: 400 }

/** More than any calendar program shows, and still a text of one megabyte. */
export const CALENDAR_SESSIONS_MAX = 2000

const parameters = windowParameters(WINDOW)

export const sessionCalendar = defineOperation({
  name: 'sessionCalendar',
  summary: 'Sessions as a calendar',
  description: `The sessions in a date range as a calendar (iCalendar, RFC 5545) to which calendar programs can subscribe: one event for each session, with its text, its programs, and its units as the location. An event keeps its identifier (\`UID\`), so a rescheduled session moves in the calendar too, and a changed event has a higher \`SEQUENCE\` and a later \`DTSTAMP\`. An unchanged calendar has the same bytes. At most ${CALENDAR_SESSIONS_MAX} sessions.`,
  paths: ['/sessions.ics'],
  scope: 'sessions',
  dependsOn: ['today', 'language'],
  parameters,
  response: { type: 'string' },
  type: CALENDAR_TYPE,

  parse(context) {
    const { center, language, today } = context
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { days, problems: one } = readWindow(values, sent, today, WINDOW)
    const { bounds, problems: order } = resolveBounds(days, center.timezone)
    const refusal = refusalOf([...problems, ...one, ...(one.length > 0 ? [] : order)])
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    const page = { start: 1, length: CALENDAR_SESSIONS_MAX }
    const dependency = { kind: 'session', during: spanOf(bounds) } as const
    return {
      requiredScopes: [],
      normalForm: JSON.stringify(bounds),
      cost: costOf({ bounds, sessions: 0, daysPerCost: 366 }),
      statement: selectPage(
        SESSION,
        { center: center.id, bounds, filters: [], since: undefined },
        page,
        sql`${SESSION.select(language, {})}, ${lastChanges(sql`s.id`)}`,
        changedSet(center.id, dependency),
      ),
      revisionOf: firstRevision,
      dependencies: [dependency],

      present(rows) {
        const total = rows[0]?.at(-1) as number
        if (total > CALENDAR_SESSIONS_MAX) {
          throw errors.invalidParameters([
            {
              parameter: 'endDate',
              message: `There are ${total} sessions in these days; a calendar has at most ${CALENDAR_SESSIONS_MAX}. Request fewer days.`,
            },
          ])
        }
        const sessions = rows.filter((row) => row[1] !== null)
        const head = { center: center.id, name: center.name, language, days }
        return {
          body: calendarText(head, sessions.map(eventOf)),
          type: CALENDAR_TYPE,
          revision: (rows[0]?.[0] ?? 0) as number,
          records: { count: sessions.length, ids: sessions.map(SESSION.idOf) },
        }
      },
    }
  },
})

interface Named {
  readonly name: string
}

function eventOf(row: readonly unknown[]): CalendarEvent {
  const value = <T>(column: string) => SESSION.read(row, column) as T
  const named = (column: string) => value<readonly Named[]>(column).map(({ name }) => name)
  return {
    uid: `session.${SESSION.idOf(row)}`,
    summary: value('name'),
    description: [value<string | null>('text') ?? '', ...named('program_ids_names')]
      .filter(Boolean)
      .join('\n'),
    location: named('unit_ids_names').join(', '),
    when: { start: value('start_date'), end: value('end_date') },
    changed: lastOf(row.at(-2) as (LastChange | null)[]),
  }
}
