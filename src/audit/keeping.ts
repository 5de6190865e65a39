/** Stores waiting reads in their file, and tracks which ones are stored. */
import type { FastifyBaseLogger } from 'fastify'
import type { Batch } from './batch.ts'
import { NoRoom } from './spare-file.ts'
import type { WaitingFile } from './waiting-file.ts'

export interface Keeping {
  /** Starts storing everything that waits. */
  keep(): void
  /** Stores everything before it returns, for the end of the process. @returns whether everything is stored */
  keepNow(): boolean
  /** Clears the file once everything is in the trail. */
  clear(): void
  /** Whether the disk is full, and what is reserved on it holds no further reads safely. Ends with `clear`. */
  hasNoRoom: boolean
}

export function createKeeping(options: {
  /** the batches that wait, oldest first */
  readonly backlog: readonly Batch[]
  /** moves the reads recorded until now to the backlog */
  readonly formBatches: () => void
  readonly waitingFile: WaitingFile | undefined
  readonly log: Pick<FastifyBaseLogger, 'error'>
}): Keeping {
  const { backlog, formBatches, waitingFile, log } = options
  let working: Promise<void> | undefined
  let failing = false

  const unkept = () => {
    formBatches()
    return backlog.filter((batch) => !batch.kept)
  }

  const noteNoRoom = () => {
    if (!keeping.hasNoRoom) {
      log.error('the disk is full, and what is reserved for reads waiting for the audit trail is used up')
    }
    keeping.hasNoRoom = true
  }

  const fail = (error: unknown) => {
    if (error instanceof NoRoom) noteNoRoom()
    if (failing) return
    failing = true
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    log.error({ code }, 'reads waiting for the audit trail are only in memory: their file cannot be written')
  }

  const keepAll = async (file: WaitingFile) => {
    for (const batch of unkept()) {
      // Marked before writing: storing it twice is harmless.
      batch.kept = true
      try {
        for (const piece of batch.pieces()) {
          if (!(await file.append(piece))) noteNoRoom()
        }
        failing = false
      } catch (error) {
        batch.kept = false
        fail(error)
        return
      }
    }
  }

  const clearFile = () => {
    if (waitingFile === undefined || backlog.length > 0) return
    try {
      keeping.hasNoRoom = false
      waitingFile.clear()
    } catch (error) {
      fail(error)
    }
  }

  const keeping: Keeping = {
    hasNoRoom: false,

    keep() {
      if (waitingFile === undefined || working !== undefined) return
      working = keepAll(waitingFile).finally(() => {
        working = undefined
        // All batches may have been written in the meantime.
        clearFile()
      })
    },

    keepNow() {
      if (waitingFile === undefined) return false
      formBatches()
      try {
        // Includes batches being written to the file: duplicates are removed when it is read.
        for (const batch of working === undefined ? unkept() : backlog) {
          for (const piece of batch.pieces()) waitingFile.appendNow(piece)
          batch.kept = true
        }
        return true
      } catch (error) {
        fail(error)
        return false
      }
    },

    clear() {
      if (working === undefined) clearFile()
    },
  }
  return keeping
}
