/**
 * Writes the audit trail. Every read is recorded in memory before its answer is sent, and written together with the
 * other recent reads. Reads that cannot be written within a second are stored in a local file, so a killed process
 * loses at most the reads of its last second.
 *
 * While the trail cannot be written, reads are still answered for a while, because most outages are short. After that
 * they are refused rather than answered unrecorded, unless the settings allow it.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { ReadEvent } from '../answer/read-event.ts'
import { type Database, sqlState } from '../database/database.ts'
import { errors } from '../errors/api-error.ts'
import { type Batch, batchOfEntries, batchOfGroups, newBatchId } from './write/batch.ts'
import { MemoryShares, ReadQueue } from './write/read-queue.ts'
import type { WaitingFile } from './write/waiting-file.ts'
import { createWaitingStore } from './write/waiting-store.ts'
import { writeBatch } from './write/write-batch.ts'

export interface AuditNumbers {
  /** number of reads written to the trail */
  written: number
  /** number of reads that were answered but are not in the trail */
  lost: number
  /** number of reads refused because they could not be recorded */
  refused: number
  /** number of failed attempts to write */
  failures: number
  /** number of reads recovered from an earlier run */
  readonly recovered: number
  /** number of reads waiting to be written */
  readonly waiting: number
}

export interface Audit {
  /** Records a read in memory, synchronously. @throws {ApiError} 503 as `check` does */
  record(read: ReadEvent): void
  /**
   * @throws {ApiError} 503 if recording is required and has been failing for too long, or the disk is full and what is
   *   reserved on it is used up
   */
  check(): void
  /** whether `check` refuses now, so that no read of any center is answered */
  readonly isRefusing: boolean
  /** Writes everything recorded so far. Rejects if that fails now; it is then retried automatically. */
  flush(): Promise<void>
  /** Writes for the last time. Reads that cannot be written or stored now are lost, which is logged. */
  close(): Promise<void>
  readonly numbers: AuditNumbers
}

export interface AuditOptions {
  readonly database: Database
  /** epoch ms by the database's clock: the times of reads */
  readonly clock: () => number
  /** milliseconds of a monotonic clock, for measuring the grace period */
  readonly monotonic: () => number
  /** whether reads are refused if they cannot be recorded */
  readonly required: boolean
  /** how long reads are still answered in that case */
  readonly graceSeconds: number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** where reads are stored that cannot be written; without it they only wait in memory */
  readonly waitingFile?: WaitingFile | undefined
}

/** In ms. Together with the writing itself, reads are in the database well within a second. */
const FLUSH_MS = 300
const RETRY_MS = 500
/** In ms. If writing takes longer, reads are stored in the file; with FLUSH_MS, that is also within the second. */
const LATE_MS = 500
/** Keeps transactions short. */
const GROUPS_PER_BATCH_MAX = 1000
/** Writing begins early if this much is waiting. */
const FLUSH_WEIGHT = 20_000
/** Bound for recorded reads while nothing can be written, about 50 MB. */
const WEIGHT_MAX = 500_000

/** Starts with the reads that an earlier run has left in the file. */
export function createAudit(options: AuditOptions): Audit {
  const { database, clock, monotonic, log, waitingFile } = options
  const graceMs = options.graceSeconds * 1000
  const shares = new MemoryShares(WEIGHT_MAX)
  const queue = new ReadQueue(shares)
  /** batches to write, oldest first; the first may be in progress */
  const backlog: Batch[] = (waitingFile?.leftovers ?? []).map(batchOfEntries)
  const recovered = backlog.reduce((sum, { reads }) => sum + reads, 0)
  let waiting = recovered
  const numbers = {
    written: 0,
    lost: 0,
    refused: 0,
    failures: 0,
    recovered,
    get waiting() {
      return waiting
    },
  }

  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** the first attempt since the last successful write, by `monotonic` */
  let triedSince: number | undefined
  /** whether an attempt has failed since then: a slow attempt on a machine that has just woken up is not a failure */
  let failing = false
  let overflowing = false
  let closed = false

  const formBatches = () => {
    while (queue.size > 0) backlog.push(batchOfGroups(newBatchId(), queue.take(GROUPS_PER_BATCH_MAX)))
  }

  const waitingStore = createWaitingStore({ backlog, formBatches, waitingFile, log })

  const writeFirst = async (batch: Batch) => {
    triedSince ??= monotonic()
    const late = setInterval(waitingStore.store, LATE_MS)
    try {
      await writeBatch(database, batch)
    } catch (error) {
      numbers.failures += 1
      if (!failing) {
        failing = true
        // The message is not logged: a database's message may quote data.
        log.error({ code: sqlState(error), name: nameOf(error) }, 'the audit trail cannot be written')
      }
      waitingStore.store()
      throw error
    } finally {
      clearInterval(late)
    }
    backlog.shift()
    for (const [center, weight] of batch.weights) shares.remove(center, weight)
    numbers.written += batch.reads
    waiting -= batch.reads
    triedSince = undefined
    overflowing = false
    if (failing) {
      failing = false
      log.info('the audit trail can be written again')
    }
    if (backlog.length === 0) waitingStore.clear()
  }

  /** Writes everything recorded until now. Later reads wait for the next time; otherwise this might never end. */
  const writeDue = async () => {
    formBatches()
    for (const batch of [...backlog]) await writeFirst(batch)
  }

  /** Starts writing, unless that is already in progress. */
  const start = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeDue().finally(() => {
      writing = undefined
      if (!closed && waiting > 0) schedule(failing ? RETRY_MS : FLUSH_MS)
    })
    return writing
  }

  const schedule = (ms: number) => {
    timer ??= setTimeout(() => void start().catch(() => {}), ms)
  }

  const refuse = () => {
    numbers.refused += 1
    return errors.unavailable(new Error('the audit trail cannot be written'))
  }

  const isRefusing = () => {
    const isStuck = failing && triedSince !== undefined && monotonic() - triedSince > graceMs
    return options.required && (isStuck || waitingStore.hasNoRoom)
  }

  const check = () => {
    if (isRefusing()) throw refuse()
  }

  for (const reason of waitingFile?.unreadable ?? []) {
    log.error({ reason }, 'the file of reads that an earlier run left for the audit trail cannot be read')
  }
  if (recovered > 0) {
    log.info({ reads: recovered }, 'recovered reads that an earlier run left for the audit trail')
    schedule(FLUSH_MS)
  }
  // A process that exits early must also leave its waiting reads in the file.
  if (waitingFile !== undefined) process.on('exit', waitingStore.storeNow)

  return {
    numbers,
    check,

    get isRefusing() {
      return isRefusing()
    },

    record(read) {
      if (failing || waitingStore.hasNoRoom) check()
      if (!shares.hasRoom(read.key.center)) {
        if (options.required) throw refuse()
        numbers.lost += 1
        if (!overflowing) {
          overflowing = true
          log.error('answering reads that are not recorded in the audit trail (AUDIT_REQUIRED is off)')
        }
        return
      }
      queue.add(read, clock())
      waiting += 1
      if (writing !== undefined) return
      if (timer === undefined) schedule(FLUSH_MS)
      else if (shares.total >= FLUSH_WEIGHT && !failing) void start().catch(() => {})
    },

    async flush() {
      // A write in progress may have begun before the last reads were recorded.
      if (writing !== undefined) await writing
      await start()
    },

    async close() {
      closed = true
      clearTimeout(timer)
      timer = undefined
      try {
        if (writing !== undefined) await writing.catch(() => {})
        await start()
      } catch {
        // Logged when the first attempt failed.
      }
      process.off('exit', waitingStore.storeNow)
      if (waiting > 0 && waitingStore.storeNow()) {
        log.error({ reads: waiting }, 'stopping; the next start will write the last reads to the audit trail')
      } else if (waiting > 0) {
        numbers.lost += waiting
        log.error({ reads: waiting }, 'stopping with reads that are not in the audit trail')
      }
      waitingFile?.close()
    },
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)
