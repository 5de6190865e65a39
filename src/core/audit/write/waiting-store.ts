/** Stores waiting reads in their file, and tracks which ones are stored. */
import type { FastifyBaseLogger } from 'fastify'
import type { Batch } from './batch.ts'
import { NoRoom } from './reserved-file.ts'
import type { WaitingFile } from './waiting-file.ts'

export interface WaitingStore {
  /** Starts storing everything that waits. */
  store(): void
  /** Stores everything before it returns, for the end of the process. @returns whether everything is stored */
  storeNow(): boolean
  /** Clears the file once everything is in the trail. */
  clear(): void
  /** Whether the disk is full, and what is reserved on it holds no further reads safely. Ends with `clear`. */
  hasNoRoom: boolean
}

export function createWaitingStore(options: {
  /** the batches that wait, oldest first */
  readonly backlog: readonly Batch[]
  /** moves the reads recorded until now to the backlog */
  readonly formBatches: () => void
  readonly waitingFile: WaitingFile | undefined
  readonly log: Pick<FastifyBaseLogger, 'error'>
}): WaitingStore {
  const { backlog, formBatches, waitingFile, log } = options
  let working: Promise<void> | undefined
  let failing = false

  const notStored = () => {
    formBatches()
    return backlog.filter((batch) => !batch.stored)
  }

  const noteNoRoom = () => {
    if (!waitingStore.hasNoRoom) {
      log.error('the disk is full, and what is reserved for reads waiting for the audit trail is used up')
    }
    waitingStore.hasNoRoom = true
  }

  const fail = (error: unknown) => {
    if (error instanceof NoRoom) noteNoRoom()
    if (failing) return
    failing = true
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    log.error({ code }, 'reads waiting for the audit trail are only in memory: their file cannot be written')
  }

  const storeAll = async (file: WaitingFile) => {
    for (const batch of notStored()) {
      // Marked before writing: storing it twice is harmless.
      batch.stored = true
      try {
        for (const piece of batch.pieces()) {
          if (!(await file.append(piece))) noteNoRoom()
        }
        failing = false
      } catch (error) {
        batch.stored = false
        fail(error)
        return
      }
    }
  }

  const clearFile = () => {
    if (waitingFile === undefined || backlog.length > 0) return
    try {
      waitingStore.hasNoRoom = false
      waitingFile.clear()
    } catch (error) {
      fail(error)
    }
  }

  const waitingStore: WaitingStore = {
    hasNoRoom: false,

    store() {
      if (waitingFile === undefined || working !== undefined) return
      working = storeAll(waitingFile).finally(() => {
        working = undefined
        // All batches may have been written in the meantime.
        clearFile()
      })
    },

    storeNow() {
      if (waitingFile === undefined) return false
      formBatches()
      try {
        // Includes batches being written to the file: duplicates are removed when it is read.
        for (const batch of working === undefined ? notStored() : backlog) {
          for (const piece of batch.pieces()) waitingFile.appendNow(piece)
          batch.stored = true
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
  return waitingStore
}
