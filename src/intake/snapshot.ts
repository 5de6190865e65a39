/** A file that is the whole truth: what the center has and the file does not hold is removed, within a bound. */
import type { KindName } from './kinds/kind.ts'

/** What a file can be the whole of: what one center's own system manages. */
export const SNAPSHOT_KINDS = [
  'metaField',
  'term',
  'session',
  'order',
  'customer',
  'booking',
] as const satisfies readonly KindName[]

export type SnapshotKind = (typeof SNAPSHOT_KINDS)[number]

export const isSnapshotKind = (name: string): name is SnapshotKind =>
  (SNAPSHOT_KINDS as readonly string[]).includes(name)

export interface Snapshot {
  readonly center: string
  /** the kinds that the records are the whole of */
  readonly kinds: readonly SnapshotKind[]
  /** only this session's bookings: one that attends others too loses this session and stays */
  readonly session?: string | undefined
  /** nothing is imported where more would be removed; none unless given */
  readonly removeAtMost?: number | undefined
}

/** What the records did not hold. */
export interface Missing {
  readonly count: number
  readonly kinds: Readonly<Partial<Record<SnapshotKind, number>>>
  /** the first of them: `booking b-1` */
  readonly examples: readonly string[]
  /** how many may be removed */
  readonly allowed: number
}

export const EXAMPLES_MAX = 20
