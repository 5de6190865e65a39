/**
 * The audit trail as the service writes it: every read is told before its answer is sent, kept in memory, and
 * written with all others of the last moment. What cannot be written within a second is kept in a file beside the
 * service, so that a process that is killed loses at most what was read in its last second.
 *
 * Where the trail cannot be written, reads go on for a while, because most outages are short. Then they are
 * refused rather than answered unrecorded, unless the settings say otherwise.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { ReadEvent } from '../answer/read-event.ts'
import { type Database, sqlState } from '../database/database.ts'
import { errors } from '../errors/api-error.ts'
import { type Batch, batchOfEntries, batchOfGroups } from './batch.ts'
import { createKeeping } from './keeping.ts'
import { MemoryShares } from './memory-shares.ts'
import { ReadQueue } from './read-queue.ts'
import type { WaitingFile } from './waiting-file.ts'
import { writeBatch } from './write-batch.ts'

export interface AuditNumbers {
  /** reads in the trail */
  written: number
  /** reads that were answered and are not in it */
  lost: number
  /** reads that were refused because they could not be recorded */
  refused: number
  /** attempts to write that failed */
  failures: number
  /** reads of an earlier run that this one found waiting */
  readonly recovered: number
  /** reads that wait to be written */
  readonly waiting: number
}

export interface Audit {
  /** Synchronous, and only a note in memory. @throws {ApiError} 503 as `check` does */
  record(read: ReadEvent): void
  /** @throws {ApiError} 503 where reads must be recorded and cannot be for too long */
  check(): void
  /** Writes what was recorded so far. Rejects when that cannot be done now; it is tried again by itself. */
  flush(): Promise<void>
  /** The last writing; what cannot be written now is lost, which is logged. */
  close(): Promise<void>
  readonly numbers: AuditNumbers
}

export interface AuditOptions {
  readonly database: Database
  /** epoch ms by the database's clock: what reads are dated by */
  readonly clock: () => number
  /** milliseconds of a clock that nobody sets: what the grace is measured by */
  readonly monotonic: () => number
  /** whether reads are refused when they cannot be recorded */
  readonly required: boolean
  /** how long they are answered all the same */
  readonly graceSeconds: number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** where reads wait that cannot be written; without it they wait in memory only */
  readonly waitingFile?: WaitingFile | undefined
}

export const DEFAULT_AUDIT_GRACE_SECONDS = 30

/** With the writing itself, everything is in the database well within a second. */
const FLUSH_MS = 300
const RETRY_MS = 500
/** A writing that takes longer is helped out by the file; with FLUSH_MS, that is within the second too. */
const LATE_MS = 500
/** One transaction stays short, also on the embedded database, where everybody else waits for it. */
const GROUPS_PER_BATCH_MAX = 1000
/** So much is written before its time. */
const FLUSH_WEIGHT = 20_000
/** About 50 MB: what is recorded while nothing can be written. */
const WEIGHT_MAX = 500_000

export function createAudit(options: AuditOptions): Audit {
  const { database, clock, monotonic, log, waitingFile } = options
  const graceMs = options.graceSeconds * 1000
  const shares = new MemoryShares(WEIGHT_MAX)
  const queue = new ReadQueue(shares)
  /** batches to write, oldest first; the first may be under way */
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
  /** the first attempt since the trail was written last, by `monotonic` */
  let triedSince: number | undefined
  /** whether an attempt has failed since then: one that is under way, on a machine just woken, is no trouble */
  let failing = false
  let overflowing = false
  let closed = false

  const formBatches = () => {
    while (queue.size > 0) backlog.push(batchOfGroups(randomUUID(), queue.take(GROUPS_PER_BATCH_MAX)))
  }

  const keeping = createKeeping({ backlog, formBatches, waitingFile, log })

  const writeFirst = async (batch: Batch) => {
    triedSince ??= monotonic()
    const late = setInterval(keeping.keep, LATE_MS)
    try {
      await writeBatch(database, batch)
    } catch (error) {
      numbers.failures += 1
      if (!failing) {
        failing = true
        // Not its message: a database's message may quote data.
        log.error({ code: sqlState(error), name: nameOf(error) }, 'the audit trail cannot be written')
      }
      keeping.keep()
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
    if (backlog.length === 0) keeping.clear()
  }

  /** Writes what was recorded until now; what comes meanwhile has its own time, or there would be no end. */
  const writeDue = async () => {
    formBatches()
    for (const batch of [...backlog]) await writeFirst(batch)
  }

  /** Starts writing unless it is under way. */
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

  const check = () => {
    if (!options.required) return
    const stuck = failing && triedSince !== undefined && monotonic() - triedSince > graceMs
    if (stuck) throw refuse()
  }

  for (const reason of waitingFile?.unreadable ?? []) {
    log.error({ reason }, 'the file of reads that an earlier run left for the audit trail cannot be read')
  }
  if (recovered > 0) {
    log.info({ reads: recovered }, 'recovered reads that an earlier run left for the audit trail')
    schedule(FLUSH_MS)
  }
  // Also a process that ends in the middle of everything leaves nothing behind that nobody knows of.
  if (waitingFile !== undefined) process.on('exit', keeping.keepNow)

  return {
    numbers,
    check,

    record(read) {
      check()
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
      // What is under way may have begun before the last reads were recorded.
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
        // Logged when it began to fail.
      }
      process.off('exit', keeping.keepNow)
      if (waiting > 0 && keeping.keepNow()) {
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
