/** `GET /guests`: a filtered, paginated list of guests. */

import { SEPARATOR, TextRows } from '../../database/text-rows.ts'
import type { ApiError, Problem } from '../../errors/api-error.ts'
import { listOperation } from '../../lists/list-operation.ts'
import type { Center } from '../../records/centers/center.ts'
import { costOf } from '../../request/bounds.ts'
import type { Reading } from '../../request/operation.ts'
import {
  dateOrMomentParameter,
  identifierParameter,
  identifiersParameter,
} from '../../request/parameter-kinds.ts'
import {
  datesNotSent,
  type Parameter,
  type ParameterValues,
  type SentParameters,
} from '../../request/parameters.ts'
import { guestFile } from './guest-file.ts'
import {
  dayNamed,
  guestFilterParameters,
  namesDay,
  rangeProblems,
  readGuestFilters,
  scopesOfFilters,
} from './guest-filters.ts'
import { GUEST_LIST_SCHEMA } from './guest-schema.ts'
import { type GuestFilters, guestsMatching, membersOf, selectGuestsPage } from './guests-sql.ts'
import { presenterOf } from './present-guest.ts'
import { PROJECTABLE_NAMES, type ReadProjection, readProjection } from './projection.ts'
import { readUnderPseudonyms } from './under-pseudonyms.ts'

const project: Parameter<readonly string[]> = {
  description: 'Comma-separated names of projectable fields. The answer has exactly these fields, and `ids`.',
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

const range = {
  startDate: dateOrMomentParameter({
    description:
      'Only stays that end at or after this. Required with `endDate` if no session parameter is used.',
  }),
  endDate: dateOrMomentParameter({
    description:
      'Only stays that begin at or before this. Required with `startDate` if no session parameter is used.',
  }),
  sessionId: identifierParameter({ description: 'One session identifier.' }),
  sessionIds: identifiersParameter({ description: 'Comma-separated session identifiers.' }),
} as const

const own = { ...range, ...guestFilterParameters, project }

type Values = ParameterValues<typeof own>

export const listGuests = listOperation({
  name: 'listGuests',
  summary: 'List guests',
  description:
    'A filtered, paginated list of guests. The request must have `startDate` and `endDate`, or `sessionId`, or `sessionIds`, or one of `arriving`, `departing` and `inHouse`, or `personOf`. A guest is one booking of one customer and is in a date range if any part of the stay is. If the center permits it, a key with `guests.medical` and without `guests` reads under pseudonyms: it names `project` with `id`, `customerId` and fields of `guests.medical`, and filters by dates and sessions only.',
  path: '/guests',
  scope: 'guests',
  underPseudonyms: 'guests.medical',
  response: GUEST_LIST_SCHEMA,
  dependsOn: ['today', 'pseudonyms'],
  hasPages: true,
  needsDates: false,
  // Filters are in guest-filters.ts: each is the condition of the same name.
  parameters: { ...range, ...guestFilterParameters },
  shows: { project },
  datesOf: ({ values, sent }) => datesOf(values, sent),

  read({ values, sent }, context) {
    const { projection, requiredScopes, problems, refusal } = context.pseudonyms
      ? readUnderPseudonyms(sent, context.center)
      : readUnderNames(sent, context.center)
    return {
      requiredScopes,
      refusal,
      // A malformed list is one problem, whatever names it contains.
      problems: [...(values.project === undefined ? [] : problems), ...filterRule(values, sent)],
      plan({ bounds, page, since, isFile }) {
        const filters: GuestFilters = {
          ...bounds,
          ...sessionFilters(values),
          ...readGuestFilters(values, context.center),
        }
        const names = projection.named ? projection.fields.map((field) => field.name) : undefined
        const presenter = presenterOf(projection)
        const shown = guestsMatching(filters, presenter.selection.columns)
        const moved = since === undefined ? undefined : { ...shown, position: since }
        const { id: center } = context.center
        const reading = (separator: string): Reading => ({
          statement: selectGuestsPage(center, filters, page, presenter.selection, context, separator, moved),
          revisionOf: (rows) => rows[0]?.[1] as number | null | undefined,
          present(rows) {
            // The statement returns one row. A center that was never changed has no revision.
            const [total, revision, text] = rows[0] as readonly [number, number | null, string]
            const guests = new TextRows(text, presenter.width, separator)
            const { json, ids } = presenter.present(guests, context, ['{"data":', `,"total":${total}}`])
            return {
              body: json,
              page: { ...page, total },
              revision: revision ?? 0,
              records: { count: guests.count, ids },
            }
          },
        })
        return {
          ...reading(SEPARATOR),
          withSeparator: reading,
          normal: [filters, page, names],
          // A page is read, and all guests of the range are counted; those of a person are found without a range.
          cost:
            values.personOf === undefined
              ? costOf({ bounds, sessions: filters.sessionIds?.length ?? 0, daysPerCost: 31 })
              : 1,
          dependencies: [shown],
          // Any shown column can decide whether a guest is among those that changed.
          pageDependencies: (ids) =>
            moved === undefined && !isFile
              ? [guestsMatching(filters, []), { kind: 'guest', ids, columns: shown.columns }]
              : [shown],
          members: () => membersOf(center, filters, context, moved),
          file: (asked) => guestFile({ asked, filters, projection, moved, requiredScopes, context }),
        }
      },
    }
  },
})

function readUnderNames(
  sent: SentParameters,
  center: Center,
): ReadProjection & { readonly refusal?: ApiError } {
  const read = readProjection(sent.get('project'), center)
  return { ...read, requiredScopes: [...read.requiredScopes, ...scopesOfFilters(sent)] }
}

/** `sessionId` and `sessionIds` combine with AND (ruling 16), and a booking belongs to each of its sessions. */
function sessionFilters({
  sessionId,
  sessionIds,
}: Values): Pick<GuestFilters, 'sessionIds' | 'alsoInSessions'> {
  return sessionId === undefined ? { sessionIds } : { sessionIds: [sessionId], alsoInSessions: sessionIds }
}

/** Of one person. */
const ALL_DATES = { startDate: '1000-01-01', endDate: '9999-12-30' }

/** The dates of the range. If the request has neither dates nor a session, `day` is the range. */
function datesOf(values: Values, sent: SentParameters) {
  const day = hasRange(sent) ? undefined : dayNamed(values)
  if (day === undefined && !hasRange(sent) && values.personOf !== undefined) return ALL_DATES
  return day === undefined ? values : { startDate: day, endDate: day }
}

const hasRange = (sent: SentParameters) =>
  (['startDate', 'endDate', 'sessionId', 'sessionIds'] as const).some((name) => sent.has(name))

const DAY_NEEDED = 'inHouse, arriving or departing, such as inHouse=YYYY-MM-DD'

/** The interface's filter rule, applied only if the parameters themselves are valid. A day counts as both dates. */
function filterRule(values: Values, sent: SentParameters): Problem[] {
  if (sent.has('sessionId') || sent.has('sessionIds')) return []
  if ((namesDay(sent) || sent.has('personOf')) && !hasRange(sent)) return []
  const missing = datesNotSent(sent)
  const alone = [
    ...(missing.length > 1 ? [] : missing.map((name) => (name === 'endDate' ? 'startDate' : 'endDate'))),
    ...(values.sessionIdsExclude === undefined ? [] : ['sessionIdsExclude']),
  ].map((name) => ` ${name} alone is not enough.`)
  return rangeProblems(missing, `, or one day with ${DAY_NEEDED}.${alone.join('')}`)
}
