/** `GET /sessions`: the sessions within a date range, paginated. */
import { fileParameters, fileText, readFile } from '../files/file-parameters.ts'
import { resolveBounds, spanOf } from '../request/bounds.ts'
import { changedAfterParameter, readChangedAfter } from '../request/changed-after.ts'
import { defineOperation } from '../request/operation.ts'
import { DEFAULT_PAGE_LENGTH, readPage } from '../request/paging.ts'
import { countParameter, dateOrMomentParameter } from '../request/parameter-kinds.ts'
import { missingDates, readParameters, refusalOf } from '../request/parameters.ts'
import { readSnapshot, snapshotParameter } from '../request/snapshot.ts'
import { presentSession, SESSION_LIST_SCHEMA, type SessionRow } from './present-session.ts'
import { sessionFile } from './session-file.ts'
import { proofOfSessions, SESSIONS_LISTED_BY, selectSessionsPage } from './sessions-sql.ts'

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
    ])
    if (refusal !== undefined) return { needs: [], refusal }
    const shown = { kind: 'session', during: spanOf(bounds) } as const
    const moved = since.place === undefined ? undefined : { ...shown, place: since.place }
    return {
      needs: [],
      normalForm: JSON.stringify([bounds, page, ...since.text, ...snapshot.text, ...fileText(file)]),
      check: since.check,
      statement: selectSessionsPage(context.center.id, bounds, page, context.language, moved),

      madeFrom: [shown],
      ...snapshot.of({
        madeFrom: (ids) =>
          moved === undefined && file === undefined
            ? [
                { ...shown, columns: SESSIONS_LISTED_BY },
                { kind: 'session', ids },
              ]
            : [shown],
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
              moved,
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
