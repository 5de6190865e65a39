/** The metrics of the service itself; each part adds its own. */
import type { LimitNumbers } from '../access/limits.ts'
import type { SharedReadNumbers } from '../access/shared-read.ts'
import type { CacheNumbers } from '../answer/answer-cache.ts'
import type { AuditNumbers } from '../audit/audit.ts'
import type { PruningNumbers } from '../audit/prune-trail.ts'
import type { PoolWaits } from '../database/database.ts'
import type { QueueNumbers } from '../database/queue/database-queue.ts'
import type { ReplicaNumbers } from '../database/replicas.ts'
import type { IntakeNumbers } from '../intake/port/serve-intake.ts'
import type { Metrics } from './metrics.ts'

/** Read when the metrics are requested, so that counting costs the hot path at most an addition. */
export interface Measured {
  readonly cacheNumbers: () => CacheNumbers
  readonly limits: LimitNumbers
  readonly credentialLimits: { readonly refused: number }
  readonly audit: AuditNumbers
  readonly queue: QueueNumbers
  readonly poolWaits: () => readonly PoolWaits[]
  readonly revisionReads: SharedReadNumbers
  readonly streams: StreamNumbers
  /** undefined if there are no replicas */
  readonly replicas: ReplicaNumbers | undefined
  /** undefined if records are not received over HTTP */
  readonly intake: IntakeNumbers | undefined
  /** undefined if the trail is never pruned */
  readonly pruning: PruningNumbers | undefined
  readonly isShortOfMemory: () => boolean
  /** undefined if nothing is written to a folder */
  readonly diskFreeBytes: (() => number) | undefined
  readonly failedDailyWork: () => number
}

/** The number of long-running requests at this moment. */
export interface StreamNumbers {
  readonly longLists: () => number
  readonly changes: () => number
  readonly waiting: () => number
}

/** Adds the metrics of the answers, the limits, the trail and the intake port. */
export function addServiceMetrics({ gauge, counter, counterBy }: Metrics, measured: Measured): void {
  gauge(
    'sojourn_answer_cache_bytes',
    'Size of the answer cache in bytes',
    () => measured.cacheNumbers().bytes,
  )
  gauge('sojourn_answer_cache_entries', 'Answers in the answer cache', () => measured.cacheNumbers().entries)
  gauge('sojourn_turns_waiting', 'Reads waiting for a slot at the database', () => measured.queue.waiting)
  counter(
    'sojourn_turns_refused_total',
    'Reads refused because they got no slot at the database in time',
    () => measured.queue.refused,
  )
  counterBy(
    'sojourn_pool_waits_total',
    'Times that work waited for a connection to the database server because none was idle, by pool: reads, streams, writes or reserved',
    'pool',
    () => measured.poolWaits().map(({ pool, waits }) => [pool, waits]),
  )
  counterBy('sojourn_pool_wait_seconds_total', 'Seconds of these waits, by pool', 'pool', () =>
    measured.poolWaits().map(({ pool, seconds }) => [pool, seconds]),
  )
  const { revisionReads } = measured
  counter(
    'sojourn_revision_batches_total',
    'Reads of keys with the revisions of their centers, each for all requests that waited for one',
    () => revisionReads.batches,
  )
  counter(
    'sojourn_revision_batch_requests_total',
    'Requests that waited for one of these reads',
    () => revisionReads.callers,
  )
  counter(
    'sojourn_event_loop_busy_seconds_total',
    'Seconds in which the event loop ran code instead of waiting for work',
    () => performance.eventLoopUtilization().active / 1000,
  )
  gauge('sojourn_memory_short', '1 while reads are refused because the process is short of memory', () =>
    measured.isShortOfMemory() ? 1 : 0,
  )
  const { diskFreeBytes } = measured
  if (diskFreeBytes !== undefined) {
    gauge('sojourn_disk_free_bytes', 'Bytes that can still be written to the disk of DATA_DIR', diskFreeBytes)
  }
  counter(
    'sojourn_daily_work_failures_total',
    'Times that daily work failed: removing what is older than its number of days',
    measured.failedDailyWork,
  )
  const { streams } = measured
  gauge('sojourn_long_lists_open', 'Lists of orders that are being streamed', streams.longLists)
  gauge('sojourn_change_streams_open', 'Open streams of changes', streams.changes)
  gauge('sojourn_change_polls_waiting', 'Requests for changes that wait for one', streams.waiting)
  counter(
    'sojourn_answer_cache_hits_total',
    'Reads answered from the answer cache',
    () => measured.cacheNumbers().hits,
  )
  counter(
    'sojourn_answer_cache_misses_total',
    'Reads answered from the database',
    () => measured.cacheNumbers().misses,
  )

  const { replicas } = measured
  if (replicas !== undefined) {
    gauge('sojourn_replicas_usable', 'Replicas that lists are read from now', () => replicas.usable)
    gauge(
      'sojourn_replica_lag_seconds',
      'Seconds that the replica furthest behind its primary was behind when the metrics were read before',
      () => replicas.lagSeconds,
    )
    counter('sojourn_replica_reads_total', 'Reads answered by a replica', () => replicas.reads)
    counterBy(
      'sojourn_replica_fallbacks_total',
      'Reads of the primary that a replica could have answered, by reason: none (none was usable), late, empty, conflict, failed or error',
      'reason',
      () => [['none', replicas.without], ...Object.entries(replicas.fallbacks)],
    )
  }

  const { intake } = measured
  if (intake !== undefined) {
    gauge(
      'sojourn_intake_under_way',
      'Deliveries of records that are being received or imported',
      intake.underWay,
    )
    counter('sojourn_intake_bytes_total', 'Bytes of delivered bodies, as they were sent', () => intake.bytes)
    counter(
      'sojourn_intake_changes_total',
      'Records that deliveries created, changed or removed',
      () => intake.changes,
    )
    counterBy(
      'sojourn_intake_deliveries_total',
      'Deliveries of records by outcome: done, refused, repeated or failed',
      'outcome',
      () => Object.entries(intake.deliveries),
    )
  }

  const { limits, credentialLimits, audit } = measured
  counter(
    'sojourn_rate_limited_total',
    'Requests refused because the limit of their key was used up',
    () => limits.refused,
  )
  counter(
    'sojourn_wrong_credentials_limited_total',
    'Requests with invalid credentials refused because their address had sent too many',
    () => credentialLimits.refused,
  )
  const { store } = limits
  if (store !== undefined) {
    gauge('sojourn_limit_store_away', '1 while the shared limit store cannot be reached', () => store.away)
    counter(
      'sojourn_limit_store_outages_total',
      'Times that the shared limit store became unreachable',
      () => store.outages,
    )
    counter(
      'sojourn_limit_store_insured_total',
      'Requests counted by this instance alone because the shared limit store could not be reached',
      () => store.insured,
    )
  }
  counter('sojourn_audit_written_total', 'Reads written to the audit trail', () => audit.written)
  counter(
    'sojourn_audit_failures_total',
    'Attempts to write the audit trail that failed',
    () => audit.failures,
  )
  counter(
    'sojourn_audit_recovered_total',
    'Reads that an earlier run left waiting and this run recovered',
    () => audit.recovered,
  )
  counter('sojourn_audit_lost_total', 'Reads answered that are not in the audit trail', () => audit.lost)
  counter(
    'sojourn_audit_refused_total',
    'Reads refused because they could not be recorded',
    () => audit.refused,
  )
  gauge('sojourn_audit_waiting', 'Reads that wait to be written to the audit trail', () => audit.waiting)
  const { pruning } = measured
  if (pruning !== undefined) {
    counter(
      'sojourn_audit_pruned_total',
      'Entries of the audit trail removed for their age',
      () => pruning.pruned,
    )
    counter(
      'sojourn_audit_pruning_refused_total',
      'Times the audit trail was not pruned because the database’s clock was implausible',
      () => pruning.refused,
    )
    gauge(
      'sojourn_audit_clock_implausible',
      '1 while the database’s clock disagrees with the newest entries of the audit trail',
      () => (pruning.clockImplausible ? 1 : 0),
    )
  }
}
