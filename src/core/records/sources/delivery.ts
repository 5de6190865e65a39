/** What is recorded of a delivery, and what a source is. */

/** Kinds of records that a source can deliver, as this interface and the answers name them. */
export const SOURCE_KINDS = ['bookings', 'customers', 'sessions', 'orders', 'terms'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** The kinds of the import by these names. */
export const IMPORT_KINDS: Readonly<Record<SourceKind, string>> = {
  bookings: 'booking',
  customers: 'customer',
  sessions: 'session',
  orders: 'order',
  terms: 'term',
}

/** Whether a text is the name of a kind. */
export const isSourceKind = (text: string): text is SourceKind =>
  (SOURCE_KINDS as readonly string[]).includes(text)

/** The source of records that a program writes with SQL: its deliveries are commits. It exists only if a center sets it up. */
export const SQL_SOURCE = 'sql'

/** Of terms, no commit says that it brought them. */
export const COMMITTED_KINDS = [
  'bookings',
  'customers',
  'sessions',
  'orders',
] as const satisfies readonly SourceKind[]

/** The kinds of a change of the feed, which does not tell a booking from its customer. */
export const FEED_KINDS: Readonly<Record<string, readonly SourceKind[]>> = {
  guest: ['bookings', 'customers'],
  session: ['sessions'],
  order: ['orders'],
}

/** Counts of one kind by effect, as the log of imports has them. */
export type EffectCounts = Readonly<
  Partial<Record<'created' | 'changed' | 'unchanged' | 'removed' | 'older', number>>
>

/** Why lines were rejected. Never with a value of a record. */
export interface RejectCause {
  /** lines */
  readonly count: number
  readonly kind: string | null
  /** undefined if the file has a field that the kind does not have */
  readonly field: string | null
  readonly message: string
}

/** One delivery to one center: a line of the log of imports. Moments are epoch milliseconds. */
export interface Delivery {
  readonly id: string
  readonly at: number
  readonly way: 'command' | 'watch' | 'intake'
  readonly outcome: 'done' | 'refused' | 'failed'
  /** by kind of the import */
  readonly counts: Readonly<Record<string, EffectCounts>>
  readonly lines: number
  readonly rejected: number
  readonly causes: readonly RejectCause[]
  readonly files: readonly { readonly sha256: string; readonly bytes: number }[]
  /** when the file was last written to, by its sender's clock or that of the machine; null if unknown */
  readonly fileTime: number | null
}

/** What the process that watches a folder has reported last. */
export interface FolderReport {
  readonly at: number
  /** `ended`: it was ended in order */
  readonly state: 'watching' | 'ended' | 'missing' | 'unusable'
  /** since when there has been a file that its sender has not finished */
  readonly unfinishedSince: number | null
  /** since when there has been a file without content */
  readonly emptySince: number | null
  /** since when a file has been waiting that cannot be imported, although it is not the cause */
  readonly waitingSince: number | null
  readonly isDiskFull: boolean
}

/** The keys by which a system sends records. */
export interface SenderKeys {
  /** whether any of them can be used */
  readonly isActive: boolean
  /** when the last of them expires; null if one never does */
  readonly expiresAt: number | null
}

export interface Source {
  readonly name: string
  /** null: those that its deliveries contain */
  readonly kinds: readonly SourceKind[] | null
  /** as it was entered; null if no schedule was set */
  readonly schedule: string | null
  /** when the schedule was set, or last changed */
  readonly scheduledAt: number
  /** the newest deliveries, newest first */
  readonly deliveries: readonly Delivery[]
  /** null if no folder was ever watched for it */
  readonly folder: FolderReport | null
  /** undefined if it is not an application that sends records */
  readonly keys: SenderKeys | undefined
  /** of the source `sql`: the last commit that touched each kind; undefined for every other source */
  readonly committedAt?: ReadonlyMap<SourceKind, number> | undefined
}

/** Records of a kind that a delivery contained, whatever became of them. */
export function recordsOf({ counts }: Pick<Delivery, 'counts'>, kind: SourceKind): number {
  const { created = 0, changed = 0, unchanged = 0, older = 0 } = counts[IMPORT_KINDS[kind]] ?? {}
  return created + changed + unchanged + older
}
