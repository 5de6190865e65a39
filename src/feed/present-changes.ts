/** Turns recorded changes into entries of the feed: only what the key may know, in the interface's own terms. */
import { type ChangeKind, WHOLE_KIND } from '../changes/change.ts'
import type { Note } from '../changes/read-feed.ts'
import type { Scope } from '../keys/scopes.ts'
import { isoMoment } from '../locale/dates.ts'
import { localDateOf } from '../locale/zones.ts'
import { GUEST_GROUPS, groupsOf, isCustomColumn, showsInMeals } from './groups.ts'

/**
 * The kinds by the names of their endpoints, which are those of their scopes. `meals` tells whoever may not follow
 * guests that their meals moved, and not whose.
 */
export const FEED_KINDS = ['guests', 'sessions', 'orders', 'meals'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

const KIND_NAMES: Readonly<Record<ChangeKind, Exclude<FeedKind, 'meals'>>> = {
  guest: 'guests',
  session: 'sessions',
  order: 'orders',
}

export const FEED_OPERATIONS = ['created', 'changed', 'deleted', 'readAgain'] as const

export interface FeedEntry {
  readonly kind: FeedKind
  /** null if the whole kind must be read again, and for meals */
  readonly id: string | null
  readonly operation: (typeof FEED_OPERATIONS)[number]
  /** scopes of what moved, those that the key has */
  readonly groups: readonly Scope[]
  /** of a guest, before or after */
  readonly sessionIds: readonly string[]
  /** the stay, the session, or the order's day, before and after; local days */
  readonly days: readonly { readonly from: string; readonly to: string }[]
  readonly at: string
}

/** What is asked of the feed, and by whom. */
export interface FeedQuestion {
  readonly kinds: readonly FeedKind[]
  /** guests of this session only, and the session itself */
  readonly sessionId: string | undefined
  readonly scopes: readonly Scope[]
  /** whether the key may read some custom fields without guests.personal */
  readonly readsCustomFields: boolean
  /** of the center */
  readonly zone: string
}

/** The kind that a note is told as. An entry of a guest tells whatever one of meals would. */
const kindTold = (noted: ChangeKind, kinds: readonly FeedKind[]): FeedKind | undefined => {
  const kind = KIND_NAMES[noted]
  if (kinds.includes(kind)) return kind
  return noted === 'guest' && kinds.includes('meals') ? 'meals' : undefined
}

/** Whether each note is of a kind that is asked for. */
export const asksForAll = (kinds: readonly FeedKind[]): boolean =>
  Object.values(KIND_NAMES).every((kind) => kinds.includes(kind))

/** @returns undefined where nothing that the question asks for, or the key may read, has moved */
export function presentNote(
  note: Note,
  { kinds, sessionId, scopes, readsCustomFields, zone }: FeedQuestion,
): FeedEntry | undefined {
  const { kind: noted, id, operation, columns, sessionIds, during } = note.change
  const kind = kindTold(noted, kinds)
  if (kind === undefined) return undefined
  const at = isoMoment(note.committedAt)
  if (id === WHOLE_KIND) {
    const groups = kind === 'guests' ? GUEST_GROUPS.filter((scope) => scopes.includes(scope)) : [kind]
    return { kind, id: null, operation: 'readAgain', groups, sessionIds: [], days: [], at }
  }
  if (sessionId !== undefined && !isOfSession(note, sessionId)) return undefined
  // Of a guest that is in the session no more, the one who asks about the session has nothing.
  const gone = sessionId !== undefined && kind === 'guests' && note.inSession === false
  const moved = operation === 'changed' && !gone ? movedGroups(kind, columns) : allGroups(kind)
  // Notes tell custom fields no further apart: one too many is told, never one too few.
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
