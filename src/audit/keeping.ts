/** Keeps what waits for the trail in its file, and knows what is there already. */
import type { FastifyBaseLogger } from 'fastify'
import type { Batch } from './batch.ts'
import type { WaitingFile } from './waiting-file.ts'

export interface Keeping {
  /** Begins to keep everything that waits. */
  keep(): void
  /** The same, before it returns: for the end of the process. @returns whether everything is kept */
  keepNow(): boolean
  /** Everything is in the trail. */
  clear(): void
}

export function createKeeping(options: {
  /** what waits, oldest first */
  readonly backlog: readonly Batch[]
  /** moves what was recorded until now to the backlog */
  readonly formBatches: () => void
  readonly waitingFile: WaitingFile | undefined
  readonly log: Pick<FastifyBaseLogger, 'error'>
}): Keeping {
  const { backlog, formBatches, waitingFile, log } = options
  let working: Promise<void> | undefined
  let failing = false
  /** whether anything was kept since it was last cleared */
  let used = (waitingFile?.leftovers.length ?? 0) > 0

  const unkept = () => {
    formBatches()
    return backlog.filter((batch) => !batch.kept)
  }

  const fail = (error: unknown) => {
    if (failing) return
    failing = true
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    log.error({ code }, 'reads waiting for the audit trail are only in memory: their file cannot be written')
  }

  const keepAll = async (file: WaitingFile) => {
    for (const batch of unkept()) {
      // Marked first: written twice it would do no harm, and it must not be forgotten that something is there.
      batch.kept = true
      used = true
      try {
        for (const piece of batch.pieces()) await file.append(piece)
        failing = false
      } catch (error) {
        batch.kept = false
        fail(error)
        return
      }
    }
  }

  const clearFile = () => {
    if (!used || waitingFile === undefined || backlog.length > 0) return
    try {
      waitingFile.clear()
      used = false
    } catch (error) {
      fail(error)
    }
  }

  return {
    keep() {
      if (waitingFile === undefined || working !== undefined) return
      working = keepAll(waitingFile).finally(() => {
        working = undefined
        // All of it may have been written meanwhile.
        clearFile()
      })
    },

    keepNow() {
      if (waitingFile === undefined) return false
      formBatches()
      try {
        // Also what is on its way to the file: twice is once for whoever reads it.
        for (const batch of working === undefined ? unkept() : backlog) {
          for (const piece of batch.pieces()) waitingFile.appendNow(piece)
          batch.kept = true
          used = true
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
}
