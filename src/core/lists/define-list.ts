/**
 * A list of the records of one table, as a value: its record, range, filters, and what is shown on request. Pages or
 * streams, files, `changedAfter`, snapshots, the schema, and what the answer is made from follow from it.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { AskedFile } from '../answer/files/file-parameters.ts'
import type { Column } from '../answer/files/table.ts'
import type { Dependency } from '../changes/change.ts'
import type { ApiError, FoundProblem, Problem } from '../errors/api-error.ts'
import type { Language } from '../locale/languages.ts'
import type { Center } from '../records/centers/center.ts'
import type { MadeValues, RecordType } from '../records/record.ts'
import { costOf, spanOf } from '../request/bounds.ts'
import {
  firstRevision,
  type Operation,
  type RequestContext,
  type RequiredScope,
  type StreamPlan,
} from '../request/operation.ts'
import type { Parameter, ParameterTable, ParameterValues, SentParameters } from '../request/parameters.ts'
import { type AskedList, type ListPlan, listOperation } from './list-operation.ts'
import {
  countMembers,
  type Members,
  orderOfMembers,
  selectMembers,
  selectPage,
  selectRows,
} from './list-sql.ts'
import {
  fileOf,
  inPieces,
  type ListTable,
  presentAll,
  presentPage,
  ROWS_PER_CHUNK,
  type ShownRecords,
} from './shown-records.ts'

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

/** What a request adds to a list. */
export interface ShownInAddition {
  readonly requiredScopes?: readonly RequiredScope[]
  readonly problems?: readonly Problem[]
  /** values that the statement makes */
  readonly made?: MadeValues
  /** a value that only tables read, and no other answer */
  readonly inTable?: {
    readonly value: Sql
    /** identifiers of the records whose data it shows, for the audit trail, next to the members `m` of the list */
    alsoRead(members: Sql): Sql
  }
  /** its part of the request in normal form */
  readonly normal?: readonly unknown[]
  readonly daysPerCost?: number
  /** what these values are made from, next to the records; of a page with these identifiers, or of the whole list */
  dependencies?(ids: readonly string[] | undefined): readonly Dependency[]
}

interface Shared<Shows extends ParameterTable>
  extends Pick<Operation, 'name' | 'summary' | 'description' | 'example'> {
  /** JSON Schema of its answer, if that differs from a list of the records */
  readonly response?: Operation['response']
  readonly path: string
  readonly scope: Exclude<Operation['scope'], 'any'>
  readonly record: RecordType
  readonly range: { readonly startDate: Parameter<unknown>; readonly endDate: Parameter<unknown> }
  readonly filters: Readonly<Record<string, ListFilter>>
  /** parameters that change what is shown; those that fields are requested by, and others */
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

/** Defines the operation of a list. */
export function defineList<Shows extends ParameterTable>(
  list: List<Shows>,
): Operation<'language' | 'accepts'> {
  const { name, summary, description, path, scope, response, record, example, range, filters, shows } = list
  const filterNames = Object.keys(filters)
  const parameters: ParameterTable = {
    ...range,
    ...(list.pages ? {} : shows),
    ...Object.fromEntries(Object.entries(filters).map(([one, { parameter }]) => [one, parameter])),
  }
  const listedBy: ReadonlySet<string> = new Set(record.during.map((column) => `${record.table}.${column}`))

  return listOperation({
    ...{ name, summary, description, path, scope, record, response, parameters },
    ...(example && { example }),
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
    const form = record.listed(values)
    const shown = { kind: record.kind, during: spanOf(bounds), columns: form.readColumns }
    const asked = filterNames.filter((one) => values[one] !== undefined)
    const members: Members = {
      center: center.id,
      bounds,
      filters: asked.flatMap((one) => conditionOf(one, values[one], center)),
      since: since === undefined ? undefined : { ...shown, position: since },
    }
    const selected = record.select(language, also.made ?? {})
    const records: ShownRecords = {
      ...{ record, form },
      context: { center, language },
    }
    const rows = (limit?: number) => selectRows(record, members, selected, limit)
    const { inTable } = also
    const table = list.table?.(values as ParameterValues<Shows>, form.columns, language)
    const dependencies = [shown, ...(also.dependencies?.(undefined) ?? [])]
    const common = {
      revisionOf: firstRevision,
      cost:
        also.daysPerCost === undefined
          ? undefined
          : costOf({ bounds, sessions: 0, daysPerCost: also.daysPerCost }),
      dependencies,
      members: () => ({ listed: selectMembers(record, members), order: orderOfMembers(record) }),
      file: (file: AskedFile) => ({
        ...fileOf(
          records,
          file,
          inTable === undefined ? rows() : selectRows(record, members, sql`${selected}, ${inTable.value}`),
          table,
        ),
        ...(inTable && { alsoRead: inTable.alsoRead(selectMembers(record, members)) }),
      }),
    }
    // In the order of the filters, because tags of answers are made from it.
    const normal = Object.fromEntries(filterNames.map((one) => [one, values[one]]))
    if (list.pages) {
      return {
        ...common,
        normal: [{ ...bounds, ...normal }, page, ...(also.normal ?? [])],
        statement: selectPage(record, members, page, selected),
        present: (found) => presentPage(records, found, page),
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
      rowsPerChunk: ROWS_PER_CHUNK,
      present: (chunks) => inPieces(records, chunks, recordsPerSlice),
    }
    return {
      ...common,
      normal: [{ ...bounds, ...normal }, ...(also.normal ?? [])],
      // One more than the limit shows whether there are more.
      statement: rows(heldRowsMax + 1),
      present: (found) => presentAll(records, found, recordsPerSlice),
      stream,
      pageDependencies: () => dependencies,
    }
  }

  /** The filter's own parameter has read the value. */
  function conditionOf(one: string, value: unknown, center: FilterCenter): Sql[] {
    const holds = filters[one]?.holds as ListFilter<unknown>['holds'] | undefined
    return holds === undefined ? [] : [holds(value, center)]
  }
}
