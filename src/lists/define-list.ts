/**
 * A list of the records of one table, as a value: its record, range, filters, and what is shown on request. Pages or
 * streams, files, `changedAfter`, snapshots, the schema, and what the answer is made from follow from it.
 */
import type { Sql } from 'sql-template-tag'
import type { AskedFile } from '../answer/files/file-parameters.ts'
import type { Column, FileRecord } from '../answer/files/table.ts'
import { writeFile } from '../answer/files/write-file.ts'
import type { Dependency } from '../changes/change.ts'
import type { ApiError, FoundProblem, Problem } from '../errors/api-error.ts'
import type { Language } from '../locale/languages.ts'
import type { Center } from '../records/centers/center.ts'
import type { MadeValues, RecordForm, RecordType } from '../records/record.ts'
import type { RecordContext } from '../records/record-parts.ts'
import { costOf, spanOf } from '../request/bounds.ts'
import type {
  Answer,
  Operation,
  RequestContext,
  RequiredScope,
  Rows,
  StreamPlan,
} from '../request/operation.ts'
import type { Page } from '../request/paging.ts'
import type { Parameter, ParameterTable, ParameterValues, SentParameters } from '../request/parameters.ts'
import type { Sliced } from '../request/slices.ts'
import { type AskedList, type ListPlan, listOperation } from './list-operation.ts'
import {
  countMembers,
  type Members,
  orderOfMembers,
  selectMembers,
  selectPage,
  selectRows,
} from './list-sql.ts'

/** What filters read of the center. */
export type FilterCenter = Pick<Center, 'orderRules'>

/** A filter: its parameter, and the condition on a row that its value means. */
export interface ListFilter<Value = never> {
  readonly parameter: Parameter<unknown>
  readonly holds: (value: Value, center: FilterCenter) => Sql
}

/** Defines a filter. */
export const filter = <Value>(
  parameter: Parameter<Value>,
  holds: (value: Value, center: FilterCenter) => Sql,
): ListFilter<Value> => ({
  parameter,
  holds,
})

/** How a list is a table. */
export interface ListTable {
  readonly columns: readonly Column[]
  /** the rows of a record; several only if `hasSeveralRows` */
  rows(record: FileRecord): readonly FileRecord[]
  readonly hasSeveralRows: boolean
}

/** What a request adds to a list. */
export interface ShownInAddition {
  readonly requiredScopes?: readonly RequiredScope[]
  readonly problems?: readonly Problem[]
  /** values that the statement makes */
  readonly made?: MadeValues
  /** its part of the request in normal form */
  readonly normal?: readonly unknown[]
  readonly daysPerCost?: number
  /** what these values are made from, next to the records; of a page with these identifiers, or of the whole list */
  dependencies?(ids: readonly string[] | undefined): readonly Dependency[]
}

interface Shared<Shows extends ParameterTable>
  extends Pick<Operation, 'name' | 'summary' | 'description' | 'response'> {
  readonly path: string
  readonly scope: Exclude<Operation['scope'], 'any'>
  readonly record: RecordType
  readonly range: { readonly startDate: Parameter<unknown>; readonly endDate: Parameter<unknown> }
  readonly filters: Readonly<Record<string, ListFilter>>
  /** parameters that change what is shown; those that fields are requested by, and `formatDates` */
  readonly shows: Shows
  shown?(
    values: ParameterValues<Shows>,
    sent: SentParameters,
    context: RequestContext<'language'>,
  ): ShownInAddition
  /** the refusal of a request without dates, if that is not a 400 */
  refuseWithoutDates?(problems: readonly FoundProblem[]): ApiError
  /** its tables, if they are not a row for each record with what the record has */
  table?(values: ParameterValues<Shows>, columns: readonly Column[], language: Language): ListTable
}

export type List<Shows extends ParameterTable> = Shared<Shows> &
  (
    | { readonly pages: true }
    /** A list of up to so many records is one text that can be cached; a longer one is streamed. */
    | { readonly pages: false; readonly heldRowsMax: number; readonly recordsPerSlice: number }
  )

/** Fewer cost round trips; more cost memory, and time in which no other request is served. */
const ROWS_PER_CHUNK = 100

/** Defines the operation of a list. */
export function defineList<Shows extends ParameterTable>(
  list: List<Shows>,
): Operation<'language' | 'accepts'> {
  const { name, summary, description, path, scope, response, record, range, filters, shows } = list
  const filterNames = Object.keys(filters)
  const parameters: ParameterTable = {
    ...range,
    ...(list.pages ? {} : shows),
    ...Object.fromEntries(Object.entries(filters).map(([one, { parameter }]) => [one, parameter])),
  }
  const listedBy: ReadonlySet<string> = new Set(record.during.map((column) => `${record.table}.${column}`))

  return listOperation({
    ...{ name, summary, description, path, scope, response, parameters },
    fileName: record.table,
    dependsOn: [],
    hasPages: list.pages,
    shows: list.pages ? shows : {},
    needsDates: true,
    ...(list.refuseWithoutDates && { refuseWithoutDates: list.refuseWithoutDates }),

    read({ values, sent }, context) {
      const also = list.shown?.(values as ParameterValues<Shows>, sent, context) ?? {}
      const given = values as Readonly<Record<string, unknown>>
      return {
        requiredScopes: also.requiredScopes ?? [],
        problems: also.problems ?? [],
        plan: (asked) => planOf(asked, given, also, context),
      }
    },
  })

  function planOf(
    { bounds, page, since, isFile }: AskedList,
    values: Readonly<Record<string, unknown>>,
    also: ShownInAddition,
    context: RequestContext<'language'>,
  ): ListPlan {
    const { center, language } = context
    const form = record.form(values)
    const shown = { kind: record.kind, during: spanOf(bounds), columns: form.readColumns }
    const asked = filterNames.filter((one) => values[one] !== undefined)
    const members: Members = {
      center: center.id,
      bounds,
      filters: asked.flatMap((one) => conditionOf(one, values[one], center)),
      since: since === undefined ? undefined : { ...shown, position: since },
    }
    const selected = record.select(language, also.made ?? {})
    const shownWith: RecordContext = { center, language, formatDates: values.formatDates === true }
    const rows = (limit?: number, after?: string) => selectRows(record, members, selected, limit, after)
    const table = list.table?.(values as ParameterValues<Shows>, form.columns, language)
    const dependencies = [shown, ...(also.dependencies?.(undefined) ?? [])]
    const common = {
      cost:
        also.daysPerCost === undefined
          ? undefined
          : costOf({ bounds, sessions: 0, daysPerCost: also.daysPerCost }),
      dependencies,
      members: () => ({ listed: selectMembers(record, members), order: orderOfMembers(record) }),
      file: (file: AskedFile) => ({
        isNamed: false,
        hasSeveralRows: table?.hasSeveralRows === true,
        rowsPerChunk: ROWS_PER_CHUNK,
        reading: () => ({
          statement: rows(),
          rowsAfter: (last: readonly unknown[] | undefined, limit: number | undefined) =>
            rows(limit, last && record.idOf(last)),
          write: (chunks: AsyncIterable<Rows>, manifest: Parameters<typeof writeFile>[3]) =>
            writeFile(
              file,
              { name: record.table, columns: table?.columns ?? form.columns, zone: center.timezone },
              recordsOf(chunks, form, shownWith, file.format === 'ndjson' ? undefined : table),
              manifest,
              table?.hasSeveralRows,
            ),
        }),
      }),
    }
    // In the order of the filters, because tags of answers are made from it.
    const normal = Object.fromEntries(filterNames.map((one) => [one, values[one]]))
    if (list.pages) {
      return {
        ...common,
        normal: [{ ...bounds, ...normal }, page, ...(also.normal ?? [])],
        statement: selectPage(record, members, page, selected),
        present: (found) => presentPage(found, page, form, shownWith),
        pageDependencies: (ids) =>
          since === undefined && !isFile
            ? [
                { ...shown, columns: listedBy },
                { kind: record.kind, ids, columns: form.readColumns },
                ...(also.dependencies?.(ids) ?? []),
              ]
            : dependencies,
      }
    }
    const { heldRowsMax, recordsPerSlice } = list
    const stream: StreamPlan = {
      kind: 'stream',
      heldRowsMax,
      count: () => countMembers(record, members),
      statement: () => rows(),
      rowsAfter: (last, limit) => rows(limit, last && record.idOf(last)),
      rowsPerChunk: ROWS_PER_CHUNK,
      revisionOf: ([first]) => first && (first[0] as number),
      present: (chunks) => inPieces(chunks, form, shownWith, recordsPerSlice),
    }
    return {
      ...common,
      normal: [{ ...bounds, ...normal }, ...(also.normal ?? [])],
      // One more than the limit shows whether there are more.
      statement: rows(heldRowsMax + 1),
      present: (found) => presentAll(found, form, shownWith, recordsPerSlice),
      stream,
      pageDependencies: () => dependencies,
    }
  }

  /** The filter's own parameter has read the value. */
  function conditionOf(one: string, value: unknown, center: FilterCenter): Sql[] {
    const holds = filters[one]?.holds as ListFilter<unknown>['holds'] | undefined
    return holds === undefined ? [] : [holds(value, center)]
  }

  function presentPage(found: Rows, page: Page, form: RecordForm, context: RecordContext): Answer {
    const [first] = found
    const total = first?.at(-1) as number
    const rows = found.filter((row) => row[1] !== null)
    return {
      body: form.listJson(rows, context, DATA, Buffer.from(`],"total":${total}}`)),
      page: { ...page, total },
      revision: (first?.[0] ?? 0) as number,
      records: { count: rows.length, ids: rows.map(record.idOf) },
    }
  }

  function* presentAll(rows: Rows, form: RecordForm, context: RecordContext, size: number): Sliced<Answer> {
    const pieces: Buffer[] = []
    for (let at = 0; at < rows.length; at += size) {
      if (at > 0) yield
      pieces.push(form.listJson(rows.slice(at, at + size), context, at === 0 ? LIST : COMMA))
    }
    pieces.push(rows.length === 0 ? EMPTY : END)
    return {
      body: pieces,
      revision: rows[0]?.[0] as number | undefined,
      records: { count: rows.length, ids: rows.map(record.idOf) },
    }
  }

  async function* recordsOf(
    chunks: AsyncIterable<Rows>,
    form: RecordForm,
    context: RecordContext,
    table: ListTable | undefined,
  ): AsyncGenerator<readonly FileRecord[]> {
    for await (const rows of chunks) {
      const records: FileRecord[] = JSON.parse(form.listJson(rows, context, LIST, END).toString())
      yield table === undefined ? records : records.flatMap(table.rows)
    }
  }
}

/** A streamed list in pieces, each with as many records as a slice. */
async function* inPieces(
  chunks: AsyncIterable<Rows>,
  form: RecordForm,
  context: RecordContext,
  size: number,
): AsyncGenerator<Buffer> {
  let before = LIST
  for await (const rows of chunks) {
    for (let at = 0; at < rows.length; at += size) {
      yield form.listJson(rows.slice(at, at + size), context, before)
      before = COMMA
    }
  }
  yield before === LIST ? EMPTY : END
}

const DATA = Buffer.from('{"data":[')
const LIST = Buffer.from('[')
const COMMA = Buffer.from(',')
const END = Buffer.from(']')
const EMPTY = Buffer.from('[]')
