/**
 * What a commit changed, and what an answer was made from: a cached answer is current unless the former affects the
 * latter. If that is not certain, it counts as affected: an answer may be discarded needlessly, but is never retained wrongly.
 */

/** `sheet`: another kitchen sheet is on the wall; its identifier is the day, and no cached answer depends on it. */
export const CHANGE_KINDS = ['guest', 'session', 'order', 'sheet', 'contradiction'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export type ChangeOperation = 'created' | 'changed' | 'deleted'

/** From and to, both inclusive, in epoch ms. */
export type Span = readonly [from: number, to: number]

/** The identifier used if a kind has changed as a whole. */
export const WHOLE_KIND = '*'

export interface Change {
  readonly kind: ChangeKind
  /** `*` if more records of the kind changed than the database names individually */
  readonly id: string
  readonly operation: ChangeOperation
  /** changed columns as `table.column`; empty for created and deleted records */
  readonly columns: readonly string[]
  /** sessions of a guest before or after the change */
  readonly sessionIds: readonly string[]
  /** the stay, the session or the order's time, before and after */
  readonly during: readonly Span[]
}

/** A change as the statements return it in JSON; spans as [from, to] in epoch ms. */
export type ChangeRow = readonly [
  kind: ChangeKind,
  id: string,
  operation: ChangeOperation,
  columns: readonly string[],
  sessionIds: readonly string[],
  during: readonly Span[],
]

/** Converts a row to a change. */
export const toChange = ([kind, id, operation, columns, sessionIds, during]: ChangeRow): Change => ({
  kind,
  id,
  operation,
  columns,
  sessionIds,
  during,
})

/** What an answer shows of one kind. Absent properties are not restricted. */
export interface Dependency {
  readonly kind: ChangeKind
  /** only records with these identifiers */
  readonly ids?: readonly string[]
  /** only guests of any of these sessions */
  readonly sessionIds?: readonly string[]
  /** only records that overlap this time */
  readonly during?: { readonly from: number | undefined; readonly to: number | undefined }
  /** the columns that are shown, filtered or sorted by; undefined: all */
  readonly columns?: ReadonlySet<string>
}

/** Whether an answer with these dependencies may differ after the change. */
export function touches(change: Change, dependencies: readonly Dependency[]): boolean {
  return dependencies.some((dependency) => touchesOne(change, dependency))
}

function touchesOne(change: Change, dependency: Dependency): boolean {
  if (change.kind !== dependency.kind) return false
  if (change.id === WHOLE_KIND) return true
  const { ids, sessionIds, during, columns } = dependency
  if (ids !== undefined && !ids.includes(change.id)) return false
  if (sessionIds !== undefined && !sessionIds.some((id) => change.sessionIds.includes(id))) return false
  if (during !== undefined) {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = during
    if (!change.during.some(([first, last]) => last >= from && first <= to)) return false
  }
  if (change.operation !== 'changed' || columns === undefined) return true
  return change.columns.some((column) => columns.has(column))
}
