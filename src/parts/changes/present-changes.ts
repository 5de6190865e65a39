/**
 * Makes entries of the feed from recorded changes. They contain only what the key may know, in the terms of the
 * interface.
 */

import { readEveryContradiction } from '../../core/access/keys/contradiction-scopes.ts'
import type { Scope } from '../../core/access/keys/scopes.ts'
import { type ChangeKind, WHOLE_KIND } from '../../core/changes/change.ts'
import type { Note } from '../../core/changes/read-feed.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { localDateOf } from '../../core/locale/zones.ts'
import type { FeedEntry, FeedKind } from './change-schema.ts'
import { GUEST_GROUPS, groupsOf, isCustomColumn, showsInMeals } from './groups.ts'

const KIND_NAMES: Readonly<Record<ChangeKind, FeedKind>> = {
  guest: 'guests',
  session: 'sessions',
  order: 'orders',
  sheet: 'meals',
  contradiction: 'contradictions',
}

/** A query of the feed, and the key's permissions. */
export interface FeedQuestion {
  readonly kinds: readonly FeedKind[]
  /** only guests of this session, and the session itself */
  readonly sessionId: string | undefined
  readonly scopes: readonly Scope[]
  /** whether the key may read some custom fields without guests.personal */
  readonly readsCustomFields: boolean
  /** of the center */
  readonly zone: string
}

/** The kind of the entry for a recorded change. An entry for a guest includes what one for meals would say. */
const kindReported = (noted: ChangeKind, kinds: readonly FeedKind[]): FeedKind | undefined => {
  const kind = KIND_NAMES[noted]
  if (kinds.includes(kind)) return kind
  return noted === 'guest' && kinds.includes('meals') ? 'meals' : undefined
}

/** Whether every recorded change is of a requested kind, except for contradictions, which few keys may read. */
export const asksForAll = (kinds: readonly FeedKind[]): boolean =>
  Object.values(KIND_NAMES).every((kind) => kind === 'contradictions' || kinds.includes(kind))

/** @returns undefined if the change is of no requested kind, or of nothing that the key may read */
export function presentNote(
  note: Note,
  { kinds, sessionId, scopes, readsCustomFields, zone }: FeedQuestion,
): FeedEntry | undefined {
  const { kind: noted, id, operation, columns, sessionIds, during } = note.change
  const kind = kindReported(noted, kinds)
  if (kind === undefined) return undefined
  const at = isoMoment(note.committedAt)
  if (id === WHOLE_KIND || (kind === 'contradictions' && !readEveryContradiction(scopes))) {
    const groups = kind === 'guests' ? GUEST_GROUPS.filter((scope) => scopes.includes(scope)) : [kind]
    return { kind, id: null, operation: 'readAgain', groups, sessionIds: [], days: [], at }
  }
  if (sessionId !== undefined && !isOfSession(note, sessionId)) return undefined
  if (noted === 'sheet') {
    // The identifier is the day.
    return {
      kind,
      id: null,
      operation: 'changed',
      groups: ['meals'],
      sessionIds: [],
      days: [{ from: id, to: id }],
      at,
    }
  }
  // The guest is not in the requested session any more, so the entry contains nothing else about the guest.
  const gone = sessionId !== undefined && kind === 'guests' && note.inSession === false
  const moved = operation === 'changed' && !gone ? movedGroups(kind, columns) : allGroups(kind)
  // Recorded changes do not name custom fields, so an entry may be unnecessary, but none is missing.
  const isCustom = readsCustomFields && columns.some(isCustomColumn)
  const groups = moved.filter((scope) => scopes.includes(scope) || (isCustom && scope === 'guests.personal'))
  if (groups.length === 0) return undefined
  const days = during.map(([from, to]) => ({ from: localDateOf(zone, from), to: localDateOf(zone, to) }))
  if (kind === 'meals') {
    const readsDiets = readsCustomFields || scopes.includes('guests.personal')
    const isOther = operation !== 'changed' || showsInMeals(columns, readsDiets)
    return isOther ? { kind, id: null, operation: 'changed', groups, sessionIds, days, at } : undefined
  }
  return { kind, id, operation: gone ? 'deleted' : operation, groups, sessionIds, days, at }
}

const isOfSession = ({ change: { kind, id, sessionIds } }: Note, sessionId: string) =>
  kind === 'guest' ? sessionIds.includes(sessionId) : id === sessionId

const allGroups = (kind: FeedKind): readonly Scope[] => (kind === 'guests' ? GUEST_GROUPS : [kind])

const movedGroups = (kind: FeedKind, columns: readonly string[]): readonly Scope[] =>
  kind === 'guests' ? groupsOf(columns) : [kind]
