/**
 * What a commit changed, and what an answer was made from: a cached answer is current unless the first touches the second.
 * In doubt it does: an answer may be dropped needlessly, but is never kept wrongly.
 */

export const CHANGE_KINDS = ['guest', 'session', 'order'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export type ChangeOperation = 'created' | 'changed' | 'deleted'

/** From and to, both included, epoch ms. */
export type Span = readonly [from: number, to: number]

/** The identifier of a note that a kind has moved as a whole. */
export const WHOLE_KIND = '*'

export interface Change {
  readonly kind: ChangeKind
  /** `*` where more of the kind moved than the database names one by one */
  readonly id: string
  readonly operation: ChangeOperation
  /** what differs, as `table.column`; says nothing of what was created or deleted */
  readonly columns: readonly string[]
  /** where a guest stood before or stands after */
  readonly sessionIds: readonly string[]
  /** the stay, the session or the order's moment, before and after */
  readonly during: readonly Span[]
}

/** A change as the statements give it, in JSON; spans as [from, to] in epoch ms. */
export type ChangeRow = readonly [
  kind: ChangeKind,
  id: string,
  operation: ChangeOperation,
  columns: readonly string[],
  sessionIds: readonly string[],
  during: readonly Span[],
]

export const toChange = ([kind, id, operation, columns, sessionIds, during]: ChangeRow): Change => ({
  kind,
  id,
  operation,
  columns,
  sessionIds,
  during,
})

/** What an answer shows of one kind; what is left out is not limited. */
export interface Dependency {
  readonly kind: ChangeKind
  /** only things with these identifiers */
  readonly ids?: readonly string[]
  /** only guests of any of these sessions */
  readonly sessionIds?: readonly string[]
  /** only what overlaps this */
  readonly during?: { readonly from: number | undefined; readonly to: number | undefined }
  /** the columns that show, select or order; undefined: all */
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
