/** `GET /sessions`: the sessions within a date range, paginated. */
import type { Problem } from '../errors/api-error.ts'
import { inactiveStatuses } from '../fields/active-statuses.ts'
import { fileParameters, fileText, readFile } from '../files/file-parameters.ts'
import { resolveBounds, spanOf } from '../request/bounds.ts'
import { changedAfterParameter, readChangedAfter } from '../request/changed-after.ts'
import { costOf } from '../request/cost.ts'
import { defineOperation, type Need } from '../request/operation.ts'
import { DEFAULT_PAGE_LENGTH, readPage } from '../request/paging.ts'
import { booleanParameter, countParameter, dateOrMomentParameter } from '../request/parameter-kinds.ts'
import { missingDates, readParameters, refusalOf } from '../request/parameters.ts'
import { readSnapshot, snapshotParameter } from '../request/snapshot.ts'
import { presentSession, SESSION_LIST_SCHEMA, type SessionRow } from './present-session.ts'
import { sessionFile } from './session-file.ts'
import {
  proofOfSessions,
  SESSION_GUESTS_BY,
  SESSIONS_LISTED_BY,
  type SessionColumns,
  selectSessionsPage,
} from './sessions-sql.ts'

const COUNTS_OF_CHANGED: Problem = {
  parameter: 'includeGuestCounts',
  message:
    'includeGuestCounts does not combine with changedAfter: sessions whose own record has not changed would be missing although their counts have. Leave out one of them.',
}

const parameters = {
  startDate: dateOrMomentParameter({
    description: 'Lower bound: sessions that end at or after it. Required.',
  }),
  endDate: dateOrMomentParameter({
    description: 'Upper bound: sessions that begin at or before it. Required.',
  }),
  start: countParameter({ name: 'start', description: 'Page number, from 1.', default: 1 }),
  length: countParameter({
    name: 'length',
    description: "Results per page, up to the center's maximum (100 by default).",
    default: DEFAULT_PAGE_LENGTH,
  }),
  includeGuestCounts: booleanParameter({
    description:
      'When true, each session has the number of its active bookings, by role. Needs the scope `guests`; not with `changedAfter`, because a count changes with bookings and not with the session.',
  }),
  changedAfter: changedAfterParameter,
  snapshot: snapshotParameter,
  ...fileParameters,
} as const

export const listSessions = defineOperation({
  name: 'listSessions',
  summary: 'List sessions',
  description:
    'The sessions within a date range, paginated. A session is in the range when any part of it is: it ends at or after the lower bound and begins at or before the upper bound.',
  paths: ['/sessions'],
  scope: 'sessions',
  dependsOn: ['language', 'accepts'],
  parameters,
  required: ['startDate', 'endDate'],
  response: SESSION_LIST_SCHEMA,
  formats: ['csv', 'ndjson', 'xlsx'],

  parse(context) {
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { bounds, problems: order } = resolveBounds(values, context.center.timezone)
    const { page, problems: long } = readPage(values, sent, context.center.maximumPageLength)
    const since = readChangedAfter(values.changedAfter, context.center.id)
    const { file, problems: misplaced } = readFile(values, sent, context)
    const snapshot = readSnapshot(
      file === undefined ? values.snapshot : values.snapshot || true,
      context.center.id,
    )
    const refusal = refusalOf([
      ...problems,
      ...missingDates(sent),
      ...order,
      ...long,
      ...since.problems,
      ...snapshot.problems,
      ...misplaced,
      ...(values.includeGuestCounts && values.changedAfter !== undefined ? [COUNTS_OF_CHANGED] : []),
    ])
    const needs: Need[] = values.includeGuestCounts ? [{ scope: 'guests', what: 'includeGuestCounts' }] : []
    if (refusal !== undefined) return { needs, refusal }
    const counted = values.includeGuestCounts ? { inactive: inactiveStatuses(context.center) } : undefined
    const guests = { kind: 'guest', columns: SESSION_GUESTS_BY } as const
    const shown = { kind: 'session', during: spanOf(bounds) } as const
    const moved = since.place === undefined ? undefined : { ...shown, place: since.place }
    const also: SessionColumns = { since: moved, counted }
    return {
      needs,
      normalForm: JSON.stringify([
        bounds,
        page,
        ...(counted === undefined ? [] : [counted]),
        ...since.text,
        ...snapshot.text,
        ...fileText(file),
      ]),
      check: since.check,
      // The bookings of all sessions of a page are counted.
      ...(counted === undefined ? {} : { cost: costOf({ bounds, sessions: 0, daysPerCost: 31 }) }),
      statement: selectSessionsPage(context.center.id, bounds, page, context.language, also),

      // Which sessions the page has is not known yet, so a guest of any session can change it.
      madeFrom: counted === undefined ? [shown] : [shown, guests],
      ...snapshot.of({
        madeFrom: (ids) => [
          ...(moved === undefined && file === undefined
            ? [{ ...shown, columns: SESSIONS_LISTED_BY }, { kind: 'session', ids } as const]
            : [shown]),
          ...(counted === undefined ? [] : [file === undefined ? { ...guests, sessionIds: ids } : guests]),
        ],
        proof: () => proofOfSessions(context.center.id, bounds, moved),
      }),
      ...(file === undefined
        ? {}
        : {
            file: sessionFile({
              asked: file,
              center: context.center,
              language: context.language,
              bounds,
              also,
            }),
          }),

      present(rows) {
        const total = rows[0]?.[0] as number
        const found = rows.filter((row) => row[2] !== null)
        // The values are in the order of the select list.
        const data = found.map((row) => presentSession(row.slice(2) as unknown as SessionRow))
        return {
          body: JSON.stringify({ data, total }),
          page: { ...page, total },
          revision: (rows[0]?.[1] ?? 0) as number,
          records: { count: data.length, ids: data.map((session) => session._id) },
        }
      },
    }
  },
})
