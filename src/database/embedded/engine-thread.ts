/** The engine's thread, seen from the main one. */
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable } from '../database.ts'
import { EngineFailed, reasonOf } from './engine-error.ts'
import type { FromEngine, StartEngine, ToEngine } from './engine-messages.ts'

export interface EngineThread {
  /**
   * Sends messages of the protocol; the bytes are handed over and not to be used again.
   * @param msMax what takes longer is taken for endless, and the thread is ended
   * @throws {DatabaseUnavailable} when the engine ends before it answers: what it did of them is not known
   */
  exchange(bytes: Uint8Array<ArrayBuffer>, msMax: number): Promise<Uint8Array<ArrayBuffer>>
  /** Closes the database, and ends the thread. */
  close(): Promise<void>
  /** Ends the thread whatever it does. Nothing that was acknowledged is lost. */
  end(reason: string): void
}

interface Waiting {
  readonly resolve: (answer: Uint8Array<ArrayBuffer>) => void
  readonly reject: (error: Error) => void
  readonly msMax: number
}

/** V8's own young generation of 16 MB would hold three times that; what passes through here lives for a moment. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 }

const PROGRAM = new URL('./engine-worker.ts', import.meta.url).href

/** The cache of compiled code first: without it the thread would load the TypeScript compiler, 12 MB. */
const BEGIN = `
  const { program, compileCache } = require('node:worker_threads').workerData
  if (compileCache !== undefined) require('node:module').enableCompileCache(compileCache)
  import(program)`

/** It writes a last checkpoint. Without one the log is read at the next start. */
const CLOSING_MS_MAX = 10_000

/** How late an endless statement may be noticed. */
const TICK_MS = 500

/**
 * Starts a thread and opens the database in it.
 * @param onEnd told once when it has ended without having been closed, and why
 * @throws {EngineFailed}
 */
export async function startEngineThread(
  options: StartEngine,
  onEnd: (reason: string) => void,
): Promise<EngineThread> {
  const worker = new Worker(BEGIN, {
    eval: true,
    workerData: { ...options, program: PROGRAM, compileCache: getCompileCacheDir() },
    resourceLimits: RESOURCE_LIMITS,
  })
  const waiting: Waiting[] = []
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  let reason: string | undefined
  let isOpen = false
  let hasFailed = false
  let isClosed = false
  /** when the first of `waiting` became the one that is worked on */
  let since = 0

  const end = (why: string) => {
    reason ??= why
    void worker.terminate()
  }
  const watch = setInterval(() => {
    const [first] = waiting
    if (first === undefined || performance.now() - since < first.msMax) return
    end(`a statement took longer than ${first.msMax / 1000} s`)
  }, TICK_MS).unref()

  worker.on('message', (message: FromEngine) => {
    if ('answer' in message) {
      const first = waiting.shift()
      since = performance.now()
      // Only while somebody waits does the thread keep the process alive.
      if (waiting.length === 0) worker.unref()
      first?.resolve(message.answer)
    } else if ('failed' in message) {
      hasFailed = true
      reason ??= message.failed
    } else if ('opened' in message) {
      isOpen = true
      worker.unref()
      opened.resolve()
    } else {
      isClosed = true
    }
  })
  worker.on('error', (error) => {
    reason ??= reasonOf(error)
  })
  worker.on('exit', () => {
    clearInterval(watch)
    closed.resolve()
    if (isClosed) return
    reason ??= 'its thread has ended'
    if (!isOpen) {
      // What the thread meets before that, such as a package that is gone, says nothing of the folder.
      opened.reject(hasFailed ? new EngineFailed(reason) : new Error(reason))
      return
    }
    for (const { reject } of waiting.splice(0)) reject(ended(reason))
    onEnd(reason)
  })
  const send = (message: ToEngine, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer)

  await opened.promise
  return {
    exchange(bytes, msMax) {
      if (reason !== undefined) return Promise.reject(ended(reason))
      if (waiting.length === 0) {
        since = performance.now()
        worker.ref()
      }
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject, msMax })
        send({ bytes }, [bytes.buffer])
      })
    },

    async close() {
      reason ??= 'it was closed'
      worker.ref()
      send({ close: true })
      const late = setTimeout(() => void worker.terminate(), CLOSING_MS_MAX)
      await closed.promise
      clearTimeout(late)
    },

    end,
  }
}

const ended = (reason: string) =>
  new DatabaseUnavailable('the embedded database has ended and is opened again', { cause: new Error(reason) })
