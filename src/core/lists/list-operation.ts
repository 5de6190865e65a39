/**
 * What all lists have in common: dates, pages, `changedAfter`, `snapshot` and files. The last three are read only for
 * requests that use them.
 */
import sql, { type Sql } from 'sql-template-tag'
import { type AskedFile, fileParameters, fileText, readFile } from '../answer/files/file-parameters.ts'
import { recordsMax } from '../answer/files/records-max.ts'
import type { Dependency } from '../changes/change.ts'
import type { Cursor } from '../changes/cursor.ts'
import { selectIds, selectProof } from '../changes/snapshots-sql.ts'
import type { ApiError, FoundProblem, Problem } from '../errors/api-error.ts'
import type { RecordDefinition } from '../records/record.ts'
import { type Bounds, type DateInputs, resolveBounds } from '../request/bounds.ts'
import { type ChangedAfter, changedAfterParameter, readChangedAfter } from '../request/changed-after.ts'
import type {
  Facts,
  FilePlan,
  Operation,
  Plan,
  Reading,
  Refusal,
  RequestContext,
  RequiredScope,
  StreamPlan,
} from '../request/operation.ts'
import { DEFAULT_PAGE_LENGTH, type Page, readPage } from '../request/paging.ts'
import { countParameter } from '../request/parameter-kinds.ts'
import {
  missingDates,
  type ParameterTable,
  type ParameterValues,
  readParameters,
  refusalOf,
  type SentParameters,
} from '../request/parameters.ts'
import { type AskedSnapshot, NO_SNAPSHOT, readSnapshot, snapshotParameter } from '../request/snapshot.ts'
import { listExample, listSchema } from './list-schema.ts'

const pageParameters = {
  start: countParameter({ name: 'start', description: 'Page number, from 1.', default: 1 }),
  length: countParameter({
    name: 'length',
    description: "Results per page, up to the center's maximum (100 by default).",
    default: DEFAULT_PAGE_LENGTH,
  }),
} as const

const wrapperParameters = {
  changedAfter: changedAfterParameter,
  snapshot: snapshotParameter,
  ...fileParameters,
} as const

/** The facts that every list depends on. */
type Always = 'language' | 'accepts'

/** Own parameters of a list, as they were sent. */
export interface Sent<Own extends ParameterTable> {
  readonly values: ParameterValues<Own>
  readonly sent: SentParameters
}

/** What a list makes of its own parameters. */
export interface ReadList {
  readonly requiredScopes: readonly RequiredScope[]
  readonly problems: readonly FoundProblem[]
  /** a 403, which comes before all problems of parameters (ruling 7) */
  readonly refusal?: ApiError | undefined
  /** Called for a valid request. */
  plan(asked: AskedList): ListPlan
}

/** The parts of a request that all lists have. */
export interface AskedList {
  readonly bounds: Bounds
  readonly page: Page
  /** only records that have changed since this position */
  readonly since: Cursor | undefined
  readonly isFile: boolean
}

export interface ListPlan extends Reading {
  /** the own part of the request in normal form */
  readonly normal: readonly unknown[]
  readonly cost?: number | undefined
  /** what the list is made from */
  readonly dependencies: readonly Dependency[]
  /** 0 for a list that changes without a commit of the center */
  readonly cacheMs?: 0
  /** checked after the statement, unless `changedAfter` is */
  readonly check?: Plan['check']
  /** what determines the members of the list, their order, and the page with these identifiers */
  pageDependencies(ids: readonly string[]): readonly Dependency[]
  /** `id` of all records of the list, and the columns of their order as columns of `l` */
  members(): { readonly listed: Sql; readonly order: Sql }
  /** the same reading with another separator */
  readonly withSeparator?: Plan['withSeparator']
  /** for a list without pages */
  readonly stream?: StreamPlan
  /** the whole list as a file */
  file(asked: AskedFile): Pick<FilePlan, 'rowsPerChunk' | 'reading'> & {
    /** whether the audit trail names each record */
    readonly isNamed: boolean
    /** whether a record has several rows in a table */
    readonly hasSeveralRows?: boolean
    /** identifiers that the trail has in addition, with the columns of the order */
    readonly alsoRead?: Sql
  }
}

/** What a list is of. The names of its types, the schema of its answer, and an example follow from its record. */
type Listed =
  | {
      readonly record: RecordDefinition
      /** JSON Schema of its answer, if that differs from a list of the records */
      readonly response?: Operation['response'] | undefined
    }
  | { readonly record?: never; readonly response: Operation['response'] }

export type ListOptions<
  Own extends ParameterTable,
  Shows extends ParameterTable,
  Fact extends keyof Facts,
> = Listed & OwnOptions<Own, Shows, Fact>

interface OwnOptions<Own extends ParameterTable, Shows extends ParameterTable, Fact extends keyof Facts>
  extends Pick<Operation, 'name' | 'summary' | 'description' | 'underPseudonyms' | 'example'> {
  readonly path: string
  readonly scope: Exclude<Operation['scope'], 'any'>
  /** facts that it depends on besides language and format */
  readonly dependsOn: readonly Fact[]
  readonly hasPages: boolean
  /** false if its records have no changes of their own, so there is no `changedAfter` */
  readonly followsChanges?: false
  /** dates and filters */
  readonly parameters: Own
  /** what the records have */
  readonly shows: Shows
  /** whether it needs both dates; and the refusal without them, if that is not a 400 */
  readonly needsDates: boolean
  refuseWithoutDates?(problems: readonly FoundProblem[]): ApiError
  /** the dates of the range, if they are not those of the parameters */
  datesOf?(asked: Sent<Own & Shows>): DateInputs
  read(asked: Sent<Own & Shows>, context: RequestContext<Fact | Always>): ReadList
}

const NO_CHANGED_AFTER: ChangedAfter = { text: [], position: undefined, problems: [], check: undefined }

/** Defines the operation of a list. */
export function listOperation<
  Own extends ParameterTable,
  Shows extends ParameterTable,
  Fact extends keyof Facts = never,
>(list: ListOptions<Own, Shows, Fact>): Operation<Fact | Always> {
  const { changedAfter, ...otherWrappers } = wrapperParameters
  const parameters = {
    ...list.parameters,
    ...(list.hasPages ? pageParameters : {}),
    ...list.shows,
    ...(list.followsChanges === false ? {} : { changedAfter }),
    ...otherWrappers,
  }
  const { name, summary, description, path, scope, underPseudonyms } = list
  return {
    ...{ name, summary, description, scope },
    ...describedBy(list, list),
    ...(underPseudonyms && { underPseudonyms }),
    paths: [path],
    dependsOn: [...list.dependsOn, 'language', 'accepts'],
    parameters,
    ...(list.needsDates ? { required: ['startDate', 'endDate'] } : {}),
    formats: ['csv', 'ndjson', 'xlsx'],

    parse(context) {
      const read = readParameters(parameters, context.query)
      const { problems } = read
      const sent = read.sent as SentParameters
      // Each name is in the table with the type of its own parameter.
      const values = read.values as ParameterValues<typeof wrapperParameters> &
        ParameterValues<Own & Shows> &
        Page &
        DateInputs
      const own = { values, sent } as Sent<Own & Shows>
      const missing = list.needsDates ? missingDates(sent) : []
      if (missing.length > 0 && list.refuseWithoutDates !== undefined) {
        return { requiredScopes: [], refusal: list.refuseWithoutDates([...missing, ...problems]) }
      }
      const { center } = context
      const dates = list.datesOf === undefined ? values : list.datesOf(own)
      const { bounds, problems: order } = resolveBounds(dates, center.timezone)
      const { page, problems: long } = list.hasPages
        ? readPage(values, sent, center.maximumPageLength)
        : NO_PAGES
      const since = sent.has('changedAfter')
        ? readChangedAfter(values.changedAfter, center.id)
        : NO_CHANGED_AFTER
      const { file, problems: misplaced } = asksForFile(context, sent)
        ? readFile(values, sent, context)
        : NO_FILE
      const snapshot = snapshotOf(file === undefined ? values.snapshot : values.snapshot || true, center.id)
      const { requiredScopes, problems: other, refusal: forbidden, plan } = list.read(own, context)
      if (forbidden !== undefined) return { requiredScopes, refusal: forbidden }
      const refusal = refusalOf([
        ...problems,
        ...missing,
        ...order,
        ...long,
        ...since.problems,
        ...snapshot.problems,
        ...misplaced,
        ...other,
      ])
      if (refusal !== undefined) return { requiredScopes, refusal }
      const planned = plan({ bounds, page, since: since.position, isFile: file !== undefined })
      return wrapped(path.slice(1), requiredScopes, planned, { since, snapshot, file })
    },
  }
}

/** What OpenAPI, the reference and the client say of a list. */
function describedBy(
  { record, response }: Listed,
  { example, hasPages }: Pick<OwnOptions<never, never, never>, 'example' | 'hasPages'>,
): Pick<Operation, 'response' | 'recordName' | 'example'> {
  if (record === undefined) return { response, ...(example && { example }) }
  return {
    recordName: record.name,
    response: response ?? listSchema(record, hasPages),
    example: example ?? listExample(record, hasPages),
  }
}

interface Wrappers {
  readonly since: ChangedAfter
  readonly snapshot: AskedSnapshot
  readonly file: AskedFile | undefined
}

function wrapped(
  fileName: string,
  requiredScopes: readonly RequiredScope[],
  list: ListPlan,
  { since, snapshot, file }: Wrappers,
): Plan | Refusal {
  const { statement, revisionOf, withSeparator, stream } = list
  return {
    requiredScopes,
    normalForm: JSON.stringify([
      ...list.normal,
      ...since.text,
      ...snapshot.text,
      ...(file === undefined ? [] : fileText(file)),
    ]),
    check: since.check ?? list.check,
    ...(list.cost === undefined ? {} : { cost: list.cost }),
    dependencies: list.dependencies,
    ...(snapshot === NO_SNAPSHOT
      ? {}
      : snapshot.of({
          dependencies: (ids) => list.pageDependencies(ids),
          proof: () => proofOf(list),
        })),
    // After the snapshot, which may be cached longer.
    ...(list.cacheMs === 0 && { cacheMs: 0 }),
    statement,
    ...(revisionOf && { revisionOf }),
    present: (rows) => list.present(rows),
    ...(withSeparator && { withSeparator }),
    ...(file === undefined ? stream && { inPieces: stream } : { inPieces: filePlan(fileName, file, list) }),
  }
}

const proofOf = (list: ListPlan): Sql => {
  const { listed, order } = list.members()
  return selectProof(listed, order)
}

function filePlan(fileName: string, file: AskedFile, list: ListPlan): FilePlan {
  const { isNamed, hasSeveralRows, alsoRead, rowsPerChunk, reading } = list.file(file)
  const { listed, order } = list.members()
  return {
    kind: 'file',
    format: file.format,
    fileName,
    recordsMax: recordsMax(file, isNamed, hasSeveralRows),
    ids: selectIds(alsoRead === undefined ? listed : sql`${listed} union all ${alsoRead}`, order),
    rowsPerChunk,
    reading,
  }
}

const NO_PAGES: { page: Page; problems: readonly Problem[] } = { page: { start: 1, length: 0 }, problems: [] }
const NO_FILE: { file: undefined; problems: readonly Problem[] } = { file: undefined, problems: [] }

/** Whether the request has anything about files, right or wrong. */
const asksForFile = ({ accepts }: Pick<Facts, 'accepts'>, sent: SentParameters): boolean =>
  accepts !== 'json' || FILE_NAMES.some((name) => sent.has(name))
const FILE_NAMES = [...Object.keys(fileParameters), 'rows']

const snapshotOf = (value: boolean | string, center: Parameters<typeof readSnapshot>[1]): AskedSnapshot =>
  value === false ? NO_SNAPSHOT : readSnapshot(value, center)
