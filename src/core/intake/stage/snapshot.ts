/** Snapshots: records of the center that the file lacks are removed, up to a limit. */
import type { KindName } from '../kinds/kind.ts'

/** The kinds that a snapshot may cover: those that a center's own system manages. */
export const SNAPSHOT_KINDS = [
  'metaField',
  'term',
  'session',
  'order',
  'customer',
  'booking',
] as const satisfies readonly KindName[]

export type SnapshotKind = (typeof SNAPSHOT_KINDS)[number]

/** Whether a snapshot may cover the kind of this name. */
export const isSnapshotKind = (name: string): name is SnapshotKind =>
  (SNAPSHOT_KINDS as readonly string[]).includes(name)

export interface Snapshot {
  readonly center: string
  /** the kinds that the snapshot covers completely */
  readonly kinds: readonly SnapshotKind[]
  /** only bookings of this session; a missing booking that attends other sessions too only loses this session */
  readonly session?: string | undefined
  /** if more records would be removed, nothing is imported; 0 by default */
  readonly removeAtMost?: number | undefined
}

/** The records that the snapshot lacks. */
export interface Missing {
  readonly count: number
  readonly kinds: Readonly<Partial<Record<SnapshotKind, number>>>
  /** the first ones: `booking b-1` */
  readonly examples: readonly string[]
  /** the maximum number that may be removed */
  readonly allowed: number
}

export const EXAMPLES_MAX = 20
