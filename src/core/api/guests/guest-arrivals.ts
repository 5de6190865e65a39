/** `GET /guests/arrivals.ics`: arrivals and departures by day, as a calendar feed. */

import { type LastChange, lastOf } from '../../changes/last-changes-sql.ts'
import type { Problem } from '../../errors/api-error.ts'
import { DAY_MS } from '../../locale/civil.ts'
import { labelOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import { compareNames, fullName } from '../../locale/names.ts'
import { localDateOf } from '../../locale/zones.ts'
import { ROLES } from '../../records/fields/statuses.ts'
import { costOf, resolveBounds } from '../../request/bounds.ts'
import {
  CALENDAR_TYPE,
  type CalendarEvent,
  type CalendarHead,
  calendarText,
  readWindow,
  windowParameters,
} from '../../request/calendar.ts'
import { type Answer, defineOperation, firstRevision, type Rows } from '../../request/operation.ts'
import { booleanParameter, identifierParameter } from '../../request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../request/parameters.ts'
import { eachInSlices, type Sliced } from '../../request/slices.ts'
import { arrivalsMatching, selectStays } from './arrivals-sql.ts'
import type { GuestFilters } from './guests-sql.ts'

/** The days that a reception desk needs, before and after today. */
const WINDOW = { before: 14, after: 60 }
const DAYS_MAX = 366
/** With the name of every guest who arrives or departs. */
const NAMED_DAYS_MAX = 100

/** Statuses of guests who do not arrive, in addition to those that the center excludes from its report. */
const NOT_COMING = ['voided', 'offer'] as const

const parameters = {
  ...windowParameters(WINDOW),
  sessionId: identifierParameter({ description: 'Only guests of this session.' }),
  includeGuestNames: booleanParameter({
    description: `Whether names are shown, which needs the scope \`guests\`; for at most ${NAMED_DAYS_MAX} days. A calendar program keeps what it reads, often in a cloud; without this parameter it gets only numbers.`,
  }),
} as const

export const guestArrivals = defineOperation({
  name: 'guestArrivals',
  summary: 'Arrivals and departures as a calendar',
  description: `How many guests arrive and how many leave on each local day, by role, as a calendar (iCalendar, RFC 5545) to which calendar programs can subscribe: one event for the arrivals and one for the departures of each day that has any. Guests whom the meal-skipping report excludes, voided bookings and offers are not counted. An unchanged calendar has the same bytes. At most ${DAYS_MAX} days.`,
  paths: ['/guests/arrivals.ics'],
  scope: 'any',
  oneOf: ['guests', 'meals'],
  dependsOn: ['today', 'language'],
  parameters,
  response: { type: 'string' },
  type: CALENDAR_TYPE,

  parse(context) {
    const { center, language, today } = context
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { sessionId, includeGuestNames } = values
    const requiredScopes = includeGuestNames ? [{ scope: 'guests', what: 'includeGuestNames' } as const] : []
    const { days, problems: one } = readWindow(values, sent, today, WINDOW)
    const { bounds, problems: order } = resolveBounds(days, center.timezone)
    const daysMax = includeGuestNames ? NAMED_DAYS_MAX : DAYS_MAX
    const wrong = [...problems, ...one, ...(one.length > 0 ? [] : order)]
    const refusal = refusalOf(wrong.length > 0 ? wrong : tooLong(bounds, daysMax))
    if (refusal !== undefined) return { requiredScopes, refusal }
    const filters: GuestFilters = {
      ...bounds,
      sessionIds: sessionId === undefined ? undefined : [sessionId],
      statusesExclude: [...new Set([...center.mealReportExcludedStatuses, ...NOT_COMING])],
    }
    const word = (name: string) => labelOf(language, 'calendar', name)
    const shown: Shown = {
      ...days,
      zone: center.timezone,
      head: { center: center.id, name: `${center.name}: ${word('name')}`, language, days },
    }
    return {
      requiredScopes,
      normalForm: JSON.stringify([days, sessionId, includeGuestNames]),
      // The booking of every guest of these days is read.
      cost: costOf({ bounds, sessions: sessionId === undefined ? 0 : 1, daysPerCost: 7 }),
      statement: selectStays(center.id, filters, includeGuestNames),
      revisionOf: firstRevision,
      dependencies: [arrivalsMatching(filters, includeGuestNames)],
      present: (rows) => present(rows, shown),
    }
  },
})

interface Shown {
  readonly startDate: string
  readonly endDate: string
  readonly zone: string
  readonly head: CalendarHead
}

/** The values of `arrivals-sql.ts`; the last three are present if names were requested. */
type StayRow = readonly [
  revision: number | null,
  changed: readonly LastChange[] | null,
  start: number,
  end: number,
  role: string,
  stays: number,
  id?: string,
  firstName?: string | null,
  lastName?: string | null,
]

/** The arrivals or the departures of a day. */
interface Movement {
  readonly kind: 'arrivals' | 'departures'
  readonly day: string
  readonly byRole: Map<string, number>
  readonly names: string[]
}

function* present(rows: Rows, { startDate, endDate, zone, head }: Shown): Sliced<Answer> {
  const movements = new Map<string, Movement>()
  const ids: string[] = []
  let count = 0
  const note = (
    kind: Movement['kind'],
    at: number,
    [, , , , role, stays, , first, last]: StayRow,
  ): boolean => {
    const day = localDateOf(zone, at)
    if (day < startDate || day > endDate) return false
    const key = `${day} ${kind}`
    const movement: Movement = movements.get(key) ?? { kind, day, byRole: new Map(), names: [] }
    movements.set(key, movement)
    movement.byRole.set(role, (movement.byRole.get(role) ?? 0) + stays)
    if (first !== undefined) movement.names.push(fullName(first, last ?? null))
    return true
  }
  // Rows come in the select list's order.
  const stays = rows as readonly unknown[] as readonly StayRow[]
  yield* eachInSlices(stays, (row) => {
    const [, , start, end, , of, id] = row
    const arrives = note('arrivals', start, row)
    const leaves = note('departures', end, row)
    if (!arrives && !leaves) return
    count += of
    if (id !== undefined) ids.push(id)
  })
  const events: CalendarEvent[] = []
  // A stay that was deleted or moved leaves no trace on the day that it has left, so all events share the last change.
  const changed = lastOf(stays[0]?.[1] ?? null)
  const inOrder = [...movements].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, movement]) => movement)
  yield* eachInSlices(inOrder, (movement) => events.push({ ...eventOf(movement, head.language), changed }))
  return {
    body: calendarText(head, events),
    type: CALENDAR_TYPE,
    revision: stays[0]?.[0] ?? undefined,
    records: { count, ids: ids.sort() },
  }
}

function eventOf({ kind, day, byRole, names }: Movement, language: Language): Omit<CalendarEvent, 'changed'> {
  const roles = ROLES.flatMap((role) => {
    const stays = byRole.get(role)
    return stays === undefined ? [] : [`${labelOf(language, 'role', role)}: ${stays}`]
  })
  const all = [...byRole.values()].reduce((sum, stays) => sum + stays, 0)
  return {
    uid: `${kind}.${day}`,
    summary: labelOf(language, 'calendar', kind).replace('{n}', String(all)),
    description: [...roles, ...names.sort(compareNames)].join('\n'),
    when: day,
  }
}

function tooLong(
  { lower, upper }: { lower: string | undefined; upper: string | undefined },
  max: number,
): Problem[] {
  if (lower === undefined || upper === undefined) return []
  const days = Math.round((Date.parse(upper) - Date.parse(lower)) / DAY_MS)
  if (days <= max) return []
  const named = max === NAMED_DAYS_MAX ? ' with includeGuestNames' : ''
  return [
    {
      parameter: 'endDate',
      message: `The range has ${days} days; a calendar has at most ${max}${named}. Request fewer days.`,
    },
  ]
}
