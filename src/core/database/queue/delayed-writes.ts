/**
 * Writes what is counted in memory some seconds after the first of it, so that counting costs a request no statement. What
 * could not be written is written with the next attempt.
 */
import type { FastifyBaseLogger } from 'fastify'
import { sqlState } from '../database.ts'

export interface DelayedWrites {
  /** Plans the next write, unless one is planned or under way. Synchronous. */
  schedule(): void
  /** Writes everything so far. Rejects if that fails; it is tried again automatically. */
  flush(): Promise<void>
  /** Writes for the last time. Never rejects. */
  close(): Promise<void>
}

export interface DelayedWritesOptions {
  /** writes everything that waits; what it could not write still waits afterwards */
  readonly write: () => Promise<void>
  readonly isWaiting: () => boolean
  /** milliseconds from `schedule` to the write */
  readonly delayMs: number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** what the log says when writes begin to fail, and when they work again */
  readonly messages: { readonly failed: string; readonly recovered: string }
}

export function createDelayedWrites(options: DelayedWritesOptions): DelayedWrites {
  const { write, isWaiting, delayMs, log, messages } = options
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failing = false
  let closed = false

  const attempt = async () => {
    try {
      await write()
    } catch (error) {
      // Not the error's message, because a message of the database may quote data.
      if (!failing) log.error({ code: sqlState(error) }, messages.failed)
      failing = true
      throw error
    }
    if (failing) log.info(messages.recovered)
    failing = false
  }

  const start = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing ??= attempt().finally(() => {
      writing = undefined
      if (isWaiting()) schedule()
    })
    return writing
  }

  const schedule = () => {
    if (closed || writing !== undefined) return
    timer ??= setTimeout(() => void start().catch(() => {}), delayMs).unref()
  }

  return {
    schedule,

    async flush() {
      // The current write may have begun before the last of what waits.
      if (writing !== undefined) await writing
      await start()
    },

    async close() {
      closed = true
      clearTimeout(timer)
      try {
        if (writing !== undefined) await writing.catch(() => {})
        await start()
      } catch {
        // The failure was logged when it began.
      }
    },
  }
}
