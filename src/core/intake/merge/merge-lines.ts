/** Merges all lines of one record, in their order, into its row. */
import { onlyEnglish } from '../../locale/said.ts'
import type { Json, JsonObject, Kind } from '../kinds/kind.ts'
import { LINE_SCHEMAS } from '../lines/line-schemas.ts'
import { metaProblems, typeMetaValues } from '../lines/meta-values.ts'
import { columnOf, missingFields, type RowState, sameRow, tidyRow, toRowPatch } from '../lines/rows.ts'
import { BOOKING_REFERENCES } from '../references/booking-references.ts'
import { type FieldProblem, findProblems, lacksAll, missing } from '../rejects/problems.ts'
import type { Slices } from '../slices.ts'
import type { StagedLine } from '../stage/stage-sql.ts'
import type { CenterFacts } from './center-facts.ts'
import { convertForms } from './forms.ts'
import { mergePatch } from './merge.ts'

export type Effect = 'created' | 'changed' | 'unchanged' | 'removed' | 'older'

/** The effect of a line, or why it was refused. */
export interface LineOutcome {
  readonly seq: number
  readonly effect: Effect | undefined
  readonly problems: readonly FieldProblem[]
  /** The values that the line gives to the columns of `BOOKING_REFERENCES`. */
  readonly references: JsonObject
}

export interface MergedRecord {
  readonly before: RowState | undefined
  readonly after: RowState | undefined
  /** False if the lines together leave the row unchanged. */
  readonly isChanged: boolean
  readonly lines: readonly LineOutcome[]
  /** the newest version of its applied lines; undefined if none has a version */
  readonly version: number | undefined
}

/** What the record's center contributes to reading it. */
export type CenterState = CenterFacts | 'unknown' | 'refused' | 'removed'

/**
 * Merges a record's lines into the existing row. Refused lines have no effect on it.
 * @param known the record's stored version
 */
export async function mergeLines(
  kind: Kind,
  lines: readonly StagedLine[],
  existing: RowState | undefined,
  center: CenterState,
  slices: Slices,
  known: number | undefined = undefined,
): Promise<MergedRecord> {
  const before = existing === undefined ? undefined : tidyRow(kind, { ...existing })
  let state = before
  let version = known
  const outcomes: LineOutcome[] = []
  for (const line of lines) {
    const from = state
    const step = slices.do(() => takeLine(kind, line, from, center))
    if (slices.isOver) await slices.letOthersRun()
    const isRefused = step.outcome.problems.length > 0
    if (!isRefused && line.version !== null && version !== undefined && line.version < version) {
      outcomes.push({ seq: line.seq, effect: 'older', problems: [], references: {} })
      continue
    }
    outcomes.push({ seq: line.seq, ...step.outcome })
    if (isRefused) continue
    state = step.state
    version = line.version ?? version
  }
  const isChanged = state !== before && !sameRow(kind, before, state)
  return {
    before,
    after: state,
    isChanged,
    lines: isChanged ? outcomes : outcomes.map(withoutEffect),
    version: lines.some((line) => line.version !== null) ? version : undefined,
  }
}

// Changes undone within the same import count as no change.
function withoutEffect(outcome: LineOutcome): LineOutcome {
  const { effect } = outcome
  return effect === undefined || effect === 'older' ? outcome : { ...outcome, effect: 'unchanged' }
}

interface Step {
  readonly state: RowState | undefined
  readonly outcome: Omit<LineOutcome, 'seq'>
}

function takeLine(kind: Kind, line: StagedLine, state: RowState | undefined, center: CenterState): Step {
  const given = JSON.parse(line.body) as JsonObject
  const isRemoval = 'deleted' in given
  const { schema, check } = LINE_SCHEMAS[kind.name][isRemoval ? 'removal' : 'record']
  const problems = check(given) ? [] : findProblems(schema, given)

  if (isRemoval) {
    if (kind.isPermanent)
      problems.push({ field: 'deleted', ...onlyEnglish(`is given; a ${kind.name} cannot be removed`) })
    if (problems.length > 0) return { state, outcome: { effect: undefined, problems, references: {} } }
    const effect = state === undefined ? 'unchanged' : 'removed'
    return { state: undefined, outcome: { effect, problems, references: {} } }
  }

  const record = problems.length === 0 ? given : withoutFields(given, problems)
  const wrong = new Set(problems.map(({ field }) => topField(field)))
  if (typeof center === 'string') {
    problems.push({
      field: 'centerId',
      ...onlyEnglish(CENTER_PROBLEMS[center](line.center_id)),
      ...(center === 'refused' ? { isConsequence: true } : {}),
    })
  } else {
    problems.push(...convert(kind, record, state, center, line.loose))
  }

  const patch = toRowPatch(kind, record)
  // A record with a version is complete: fields that it leaves out are cleared, so that nothing of an older version
  // remains.
  const merged = tidyRow(kind, mergePatch(line.version === null ? state : ownOf(kind, state), patch))
  for (const field of missingFields(kind, merged)) {
    if (!wrong.has(field)) problems.push(missing(field))
  }
  const nameless = lacksAll(kind, (field) => wrong.has(field) || merged[columnOf(kind, field)] !== undefined)
  if (nameless !== undefined) problems.push(nameless)
  if (problems.length === 0 && typeof center !== 'string') {
    problems.push(...(kind.check?.(merged, center.zone, record) ?? []))
  }
  const references = pickReferences(patch)
  if (problems.length > 0 || typeof center === 'string')
    return { state, outcome: { effect: undefined, problems, references } }
  kind.settle?.(state, merged, center.zone)
  const effect = effectOf(kind, state, merged)
  return { state: effect === 'unchanged' ? state : merged, outcome: { effect, problems, references } }
}

/** The columns that the database fills, whose values the sender may not know. */
function ownOf({ own = [] }: Kind, state: RowState | undefined): RowState | undefined {
  if (state === undefined) return undefined
  return Object.fromEntries(Object.entries(state).filter(([column]) => own.includes(column)))
}

function effectOf(kind: Kind, before: RowState | undefined, after: RowState): Effect {
  if (before === undefined) return 'created'
  return sameRow(kind, before, after) ? 'unchanged' : 'changed'
}

function convert(
  kind: Kind,
  record: JsonObject,
  state: RowState | undefined,
  center: CenterFacts,
  loose: boolean,
): FieldProblem[] {
  const { schema } = LINE_SCHEMAS[kind.name].record
  const currency = currencyOf(record, state) ?? center.currency
  const problems = convertForms(schema, record, { zone: center.zone, currency })
  // A new currency may not fit the stored amounts.
  if (kind.name === 'order' && record.currency !== undefined && state !== undefined) {
    const former: JsonObject = {}
    if (record.totalAmount === undefined) former.totalAmount = state.total_amount ?? null
    if (record.items === undefined) former.items = state.items ?? null
    problems.push(...convertForms(schema, former, { zone: center.zone, currency }))
  }
  const meta = record.meta
  if ((kind.name === 'customer' || kind.name === 'booking') && meta !== undefined && meta !== null) {
    // The schema has checked that this is an object.
    const values = loose ? typeMetaValues(meta as JsonObject, center) : (meta as JsonObject)
    record.meta = values
    problems.push(...metaProblems(values, kind.name, center))
  }
  return problems
}

function currencyOf(record: JsonObject, state: RowState | undefined): string | undefined {
  const currency: Json | undefined = record.currency === undefined ? state?.currency : record.currency
  return typeof currency === 'string' ? currency : undefined
}

const CENTER_PROBLEMS: Readonly<Record<Extract<CenterState, string>, (centerId: string) => string>> = {
  removed: (centerId) => `is "${centerId}", a center that is removed by these same records`,
  refused: (centerId) => `is "${centerId}"; that center is among these records, but it was refused`,
  unknown: (centerId) =>
    `is "${centerId}"; there is no such center, neither in the database nor among these records`,
}

/** The record without its wrong fields, so that the rest can still be checked. */
function withoutFields(record: JsonObject, problems: readonly FieldProblem[]): JsonObject {
  const wrong = new Set(problems.map(({ field }) => topField(field)))
  return Object.fromEntries(Object.entries(record).filter(([name]) => !wrong.has(name)))
}

const topField = (field: string | undefined) => field?.split(/[.[]/, 1)[0] ?? ''

function pickReferences(patch: JsonObject): JsonObject {
  const references: JsonObject = {}
  for (const { column } of BOOKING_REFERENCES) {
    const value = patch[column]
    if (value !== undefined && value !== null) references[column] = value
  }
  return references
}
