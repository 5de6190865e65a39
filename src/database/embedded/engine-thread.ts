/** The engine's thread as the main thread uses it. */
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable } from '../database.ts'
import { EngineFailed, reasonOf } from './engine-error.ts'
import type { FromEngine, StartEngine, ToEngine } from './engine-messages.ts'

export interface EngineThread {
  /**
   * Sends protocol messages. Ownership of the bytes moves to the thread.
   * @param msMax longest time for the answer; after it the statement is taken for endless, and the thread is terminated
   * @throws {DatabaseUnavailable} if the engine stops before it answers; it is then unknown what was executed
   */
  exchange(bytes: Uint8Array<ArrayBuffer>, msMax: number): Promise<Uint8Array<ArrayBuffer>>
  /** Whether checkpoints wait from now on. */
  holdCheckpoints(holds: boolean): void
  /** Closes the database and ends the thread. */
  close(): Promise<void>
  /** Terminates the thread whatever it does. No acknowledged commit is lost. */
  end(reason: string): void
}

interface Waiting {
  readonly resolve: (answer: Uint8Array<ArrayBuffer>) => void
  readonly reject: (error: Error) => void
  readonly msMax: number
}

/** V8's default young generation of 16 MB would use three times that. Objects in this thread are short-lived. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 }

const PROGRAM = new URL('./engine-worker.ts', import.meta.url).href

/** Enables the compile cache first: without it the thread would load the TypeScript compiler, 12 MB. */
const BEGIN = `
  const { program, compileCache } = require('node:worker_threads').workerData
  if (compileCache !== undefined) require('node:module').enableCompileCache(compileCache)
  import(program)`

/** Closing writes a last checkpoint. Without it, the log is read at the next start. */
const CLOSING_MS_MAX = 10_000

/** The largest delay, in ms, before an endless statement is noticed. */
const TICK_MS = 500

/**
 * Starts a thread and opens the database in it.
 * @param onEnd called once with the reason if the thread ends without having been closed
 * @throws {EngineFailed} if the engine cannot open the folder
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
  /** when work on the first entry of `waiting` began */
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
      // The thread keeps the process alive only while an answer is awaited.
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
      // Earlier failures, such as a missing package, say nothing about the folder.
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

    holdCheckpoints: (holdsCheckpoints) => send({ holdsCheckpoints }),

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
