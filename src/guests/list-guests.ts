/** `GET /guests`: a filtered, paginated list of guests. */

import { readJsonRows } from '../database/json-rows.ts'
import type { Problem } from '../errors/api-error.ts'
import { BOOKING_STATUSES, ROLES } from '../fields/statuses.ts'
import { resolveBounds } from '../request/bounds.ts'
import type { Answer, Operation, RequestContext } from '../request/operation.ts'
import { DEFAULT_PAGE_LENGTH, readPage } from '../request/paging.ts'
import {
  countParameter,
  dateOrMomentParameter,
  enumParameter,
  identifierParameter,
  identifiersParameter,
} from '../request/parameter-kinds.ts'
import {
  listEntries,
  type Parameter,
  type ParameterValues,
  readParameters,
  refuse,
} from '../request/parameters.ts'
import { GUEST_LIST_SCHEMA } from './guest-schema.ts'
import { type BookingFilters, type GuestFilters, selectGuestsPage } from './guests-sql.ts'
import { compilePresenter } from './present-guest.ts'
import { PROJECTABLE_NAMES, readProjection, scopesOfNames } from './projection.ts'

const project: Parameter<readonly string[]> = {
  description: 'Comma-separated names of projectable fields; exactly these come back, and `ids`.',
  list: true,
  schema: {
    type: 'array',
    items: {
      anyOf: [
        { type: 'string', enum: PROJECTABLE_NAMES },
        { type: 'string', pattern: '^meta\\..+' },
      ],
    },
  },
  read: (texts) => ({ value: texts }),
}

const parameters = {
  startDate: dateOrMomentParameter({
    description: 'Lower bound of the stays. Required with `endDate` when no session parameter is used.',
  }),
  endDate: dateOrMomentParameter({
    description: 'Upper bound of the stays. Required with `startDate` when no session parameter is used.',
  }),
  sessionId: identifierParameter({ description: 'One session identifier.' }),
  sessionIds: identifiersParameter({ description: 'Comma-separated session identifiers.' }),
  sessionIdsExclude: identifiersParameter({
    description:
      'Comma-separated session identifiers to exclude; combined with dates or a session parameter.',
  }),
  role: enumParameter({ description: 'Only guests of this role.', values: ROLES }),
  status: enumParameter({ description: 'Only bookings in this state.', values: BOOKING_STATUSES }),
  start: countParameter({ name: 'start', description: 'Page number, from 1.', default: 1 }),
  length: countParameter({
    name: 'length',
    description: "Results a page, up to the center's maximum (100 unless set).",
    default: DEFAULT_PAGE_LENGTH,
  }),
  project,
} as const

type Values = ParameterValues<typeof parameters>

export const listGuests: Operation = {
  name: 'listGuests',
  summary: 'List guests',
  description:
    'A filtered, paginated list of guests. The request must carry `startDate` and `endDate`, or `sessionId`, or `sessionIds`. A guest is one booking of one customer; it is in a date range when any part of the stay is.',
  paths: ['/guests'],
  scope: 'guests',
  parameters,
  response: GUEST_LIST_SCHEMA,

  needs: (query) => scopesOfNames(listEntries(query.get('project') ?? [])),

  parse(context) {
    const { values, problems } = readParameters(parameters, context.query)
    const { bounds, problems: order } = resolveBounds(values, context.center.timezone)
    const { projection, problems: unknown } = readProjection(values.project, context.center)
    const { page, problems: long } = readPage(values, context.query, context.center.maximumPageLength)
    refuse([...problems, ...order, ...long, ...unknown, ...filterRule(values, context)])
    const filters: GuestFilters = { ...bounds, ...sessionFilters(values), ...otherFilters(values) }
    const names = projection.named ? projection.fields.map((field) => field.name) : undefined
    return {
      normalForm: JSON.stringify([filters, page, names]),

      async answer(database): Promise<Answer> {
        const presenter = compilePresenter(projection)
        const statement = selectGuestsPage(context.center.id, filters, page, presenter.selected, context)
        // One row, as the statement says; a center that nothing ever touched has no revision.
        const [row] = (await database.queryArrays(statement)) as [
          total: number,
          revision: number | null,
          unknown[][],
        ][]
        const [total, revision, guests] = row ?? [0, 0, []]
        const rows = readJsonRows(guests, presenter.selected.length + 1)
        const data = rows.map((values) => presenter.present(values, 1, context))
        return {
          body: JSON.stringify({ data, total }),
          page: { ...page, total },
          revision: revision ?? 0,
          records: { count: data.length, ids: rows.map((values) => values[0] as string) },
        }
      },
    }
  },
}

/** `sessionId` and `sessionIds` combine with AND (ruling 16), and a booking belongs to each of its sessions. */
function sessionFilters({
  sessionId,
  sessionIds,
}: Values): Pick<GuestFilters, 'sessionIds' | 'alsoInSessions'> {
  return sessionId === undefined ? { sessionIds } : { sessionIds: [sessionId], alsoInSessions: sessionIds }
}

/** Every other filter is the condition of the same name; a parameter that has none does not compile. */
function otherFilters(values: Values): BookingFilters {
  const { startDate, endDate, sessionId, sessionIds, start, length, project, ...others } = values
  const conditions: Pick<BookingFilters, keyof typeof others> = others
  return conditions
}

/** The interface's filter rule; only where the parameters themselves were sent right. */
function filterRule(values: Values, context: RequestContext): Problem[] {
  const sent = (name: keyof typeof parameters) => context.query.has(name)
  if (sent('sessionId') || sent('sessionIds')) return []
  if (sent('startDate') && sent('endDate')) return []
  const missing = (['startDate', 'endDate'] as const).filter((name) => !sent(name))
  const given =
    missing.length === 1 ? ` ${missing[0] === 'endDate' ? 'startDate' : 'endDate'} alone is not enough.` : ''
  const exclude = values.sessionIdsExclude === undefined ? '' : ' sessionIdsExclude alone is not enough.'
  return missing.map((parameter) => ({
    parameter,
    message: `Give startDate and endDate, or sessionId, or sessionIds.${given}${exclude}`,
  }))
}
