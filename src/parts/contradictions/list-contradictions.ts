/** `GET /contradictions`: what does not fit between the records of a center. */

import sql from 'sql-template-tag'
import { scopesMissing } from '../../core/access/keys/contradiction-scopes.ts'
import type { Column, FileRecord } from '../../core/answer/files/table.ts'
import { writeFile } from '../../core/answer/files/write-file.ts'
import { errors } from '../../core/errors/api-error.ts'
import { listOperation } from '../../core/lists/list-operation.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { startOfLocalDay } from '../../core/locale/zones.ts'
import {
  CONTRADICTION_KINDS,
  type ContradictionKind,
  kindsOn,
} from '../../core/records/centers/contradiction-kinds.ts'
import type { RequiredScope, Rows } from '../../core/request/operation.ts'
import {
  booleanParameter,
  dateOrMomentParameter,
  enumsParameter,
  identifierParameter,
} from '../../core/request/parameter-kinds.ts'
import type { Parameter, SentParameters } from '../../core/request/parameters.ts'
import { CONTRADICTIONS_SCHEMA } from './contradiction-schema.ts'
import type { Evidence } from './evidence.ts'
import { KIND_FACTS, SEVERITIES } from './kinds.ts'
import {
  type ContradictionFilters,
  listedContradictions,
  selectAllContradictions,
  selectContradictions,
  selectIsComplete,
  selectRecordsOf,
} from './list-sql.ts'

const { default: _, ...flag } = booleanParameter({
  description: 'With `true`, only dismissed contradictions; with `false`, only the others. Without it, both.',
})
const dismissed: Parameter<boolean> = { ...flag, schema: { anyOf: flag.schema.anyOf, examples: [false] } }

const parameters = {
  startDate: dateOrMomentParameter({ description: 'Only contradictions that were found at or after this.' }),
  endDate: dateOrMomentParameter({ description: 'Only contradictions that were found at or before this.' }),
  kind: enumsParameter({ description: 'Only these kinds.', values: CONTRADICTION_KINDS }),
  severity: enumsParameter({ description: 'Only these severities.', values: SEVERITIES }),
  dismissed,
  guestId: identifierParameter({ description: 'Only contradictions that are about this guest.' }),
} as const

const ROWS_PER_CHUNK = 200

/** The format that the request names. */
const format = (sent: SentParameters): string | undefined => sent.get('format')?.at(-1)

export const listContradictions = listOperation({
  name: 'listContradictions',
  summary: 'List contradictions',
  description:
    'What does not fit between the records of a center, each with the records and the compared values, by the time when it was found. A contradiction ends when the records fit, or when a person dismisses it and the evidence stays the same. Nothing is merged or corrected. A kind is listed if the key has the scopes of the compared fields; the others are in `withheld`, with their numbers unless the request names a guest, dates or changes. A file has no place for these, so it needs the scopes of all kinds that it is asked for. The center says which kinds are reported.',
  path: '/contradictions',
  scope: 'contradictions',
  response: CONTRADICTIONS_SCHEMA,
  dependsOn: ['key', 'today'],
  hasPages: true,
  needsDates: false,
  parameters,
  shows: {},

  read({ values, sent }, context) {
    const { center, key, today } = context
    const { kind, severity } = values
    const asked = kindsOn(center).filter(
      (one) =>
        (kind === undefined || kind.includes(one)) &&
        (severity === undefined || severity.includes(KIND_FACTS[one].severity)),
    )
    const missing = new Map(asked.map((one) => [one, scopesMissing(one, key, center)]))
    const withheld = asked.filter((one) => missing.get(one)?.length !== 0)
    const isFile = (format(sent) ?? context.accepts) !== 'json'
    const requiredScopes: RequiredScope[] = isFile
      ? withheld.flatMap((one) => (missing.get(one) ?? []).map((scope) => ({ scope, what: `kind=${one}` })))
      : []
    const notReported = CONTRADICTION_KINDS.filter((one) => !kindsOn(center).includes(one))
    return {
      requiredScopes,
      problems: [],
      plan({ bounds, page, since }) {
        // Numbers of one guest, or of a day, would tell what the key may not read.
        const isNarrow =
          values.guestId !== undefined ||
          bounds.lower !== undefined ||
          bounds.upper !== undefined ||
          since !== undefined
        const counted = isNarrow ? [] : withheld
        const filters: ContradictionFilters = {
          ...bounds,
          kinds: asked.filter((one) => !withheld.includes(one)),
          withheld: counted,
          isDismissed: values.dismissed,
          guestId: values.guestId,
          today: isoMoment(startOfLocalDay(center.timezone, today)),
        }
        const shown = { kind: 'contradiction' } as const
        const moved = since === undefined ? undefined : { ...shown, position: since }
        return {
          normal: [{ ...bounds, kind, severity, dismissed: values.dismissed, guestId: values.guestId }, page],
          dependencies: [shown],
          pageDependencies: () => [shown],
          // Whether everything is evaluated changes without a commit.
          cacheMs: 0,
          statement: selectContradictions(center.id, filters, page, moved),
          present(rows) {
            const read = asRows(rows)
            const [revision, total, counts, complete] = read[0] ?? NOTHING
            const data = read.flatMap((row) =>
              presentRow(row.slice(4) as readonly unknown[] as ContradictionRow),
            )
            return {
              body: JSON.stringify({
                data,
                total,
                withheld: withheld.map((one) => ({
                  kind: one,
                  count: isNarrow ? null : (counts[one] ?? 0),
                  scopes: missing.get(one),
                })),
                notReported,
                complete,
              }),
              page: { ...page, total },
              revision: revision ?? 0,
              records: recordsOf(data, values.guestId),
            }
          },
          members: () => ({
            listed: listedContradictions(center.id, filters, moved),
            order: sql`l.since, l.id`,
          }),
          check: isFile ? CHECK(center.id) : undefined,
          file: (file) => ({
            isNamed: true,
            alsoRead: selectRecordsOf(center.id, listedContradictions(center.id, filters, moved)),
            rowsPerChunk: ROWS_PER_CHUNK,
            reading: () => ({
              statement: selectAllContradictions(center.id, filters, moved),
              write: (chunks, manifest) =>
                writeFile(
                  file,
                  { name: 'contradictions', columns: COLUMNS, zone: center.timezone },
                  rowsOf(chunks),
                  manifest,
                ),
            }),
          }),
        }
      },
    }
  },
})

/** A file cannot say that something is missing, so it is written when everything is evaluated. */
const CHECK = (center: Parameters<typeof selectIsComplete>[0]) => ({
  statement: selectIsComplete(center),
  judge(rows: Rows) {
    if (rows[0]?.[0] !== true) {
      throw errors.busy(
        'Changes are still being evaluated, so contradictions would be missing from the file. Send the request again.',
        2,
      )
    }
  },
})

/** The values of a contradiction in the order of the statements; all null if a page is empty. */
type ContradictionRow = readonly [
  id: string | null,
  kind: ContradictionKind,
  since: number,
  changedAt: number,
  digest: string,
  evidence: Evidence,
  dismissedAt: number | null,
  dismissedBy: string | null,
  dismissedReason: string | null,
]

type PageRow = readonly [
  revision: number | null,
  total: number,
  withheld: Readonly<Record<string, number>>,
  complete: boolean,
  ...ContradictionRow,
]

const NOTHING: readonly [number, number, Readonly<Record<string, number>>, boolean] = [0, 0, {}, false]
const asRows = (rows: Rows) => rows as readonly unknown[] as readonly PageRow[]

function presentRow(row: ContradictionRow) {
  const [id, kind, since, changedAt, digest, evidence, at, by, reason] = row
  if (id === null) return []
  const { records, compared } = evidence
  return [
    {
      id,
      kind,
      severity: KIND_FACTS[kind].severity,
      since: isoMoment(since),
      changedAt: isoMoment(changedAt),
      evidence: { digest, records, compared },
      dismissed: at === null ? null : { at: isoMoment(at), by, reason },
    },
  ]
}

/** The contradictions and the guests and orders that they are about; also a guest that was asked for and has none. */
function recordsOf(data: readonly ReturnType<typeof presentRow>[number][], asked: string | undefined) {
  const about = data.flatMap(({ evidence }) => evidence.records.filter(({ kind }) => kind !== 'room'))
  const ids = new Set([...data, ...about].map(({ id }) => id))
  if (asked !== undefined) ids.add(asked)
  return { count: ids.size, ids: [...ids] }
}

async function* rowsOf(chunks: AsyncIterable<Rows>): AsyncGenerator<readonly FileRecord[]> {
  for await (const rows of chunks) {
    yield (rows as readonly unknown[] as readonly ContradictionRow[]).flatMap(presentRow)
  }
}

const column = (name: string, kind: Column['kind'], more: Partial<Column> = {}): Column => ({
  name,
  kind,
  shown: name.split('.'),
  raw: name.split('.'),
  ...more,
})

/** In tables, the compared values are JSON. */
const COLUMNS: readonly Column[] = [
  column('id', 'text'),
  column('kind', 'text'),
  column('severity', 'text'),
  column('since', 'moment'),
  column('changedAt', 'moment'),
  column('evidence.records', 'list', { of: { shown: 'name', raw: 'id' } }),
  column('evidence.compared', 'list'),
  column('dismissed.at', 'moment'),
  column('dismissed.by', 'text'),
  column('dismissed.reason', 'text'),
]
