/**
 * A process that runs out of memory is killed together with all answers in progress. So reads are refused before that:
 * a 503 with `Retry-After` costs a client a few seconds, and answers in progress are completed.
 */
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { garbageCollector, memoryGiven, neededBytes } from '../config/process-memory.ts'
import { type ApiError, errors } from '../errors/api-error.ts'

/** Bytes in use, and their limit. */
export interface MemoryUse {
  readonly used: number
  readonly limit: number
}

/**
 * Watches until the app closes. The first hook of every request refuses reads (answer/early-refusals.ts).
 * @param measure by default the process's own memory
 */
export function registerMemoryWatch(
  app: FastifyInstance,
  measure: () => readonly MemoryUse[] = processMemory,
): MemoryWatch {
  const watch = watchMemory({ measure, release: garbageCollector(), log: app.log })
  app.addHook('onClose', async () => watch.stop())
  return watch
}

const SHORT_OF_MEMORY = 'The service is short of memory and temporarily refuses reads.'
const RETRY_AFTER_SECONDS = 2

export interface MemoryWatch {
  /** whether reads are refused now */
  isShort: boolean
  /** the 503 of a read while memory is short */
  refusal(): ApiError
  check(): void
  stop(): void
}

export interface MemoryWatchOptions {
  /** memory in use; each entry may run short */
  readonly measure: () => readonly MemoryUse[]
  /** frees what can be freed */
  readonly release: () => void
  readonly log: { warn(sentence: string): void; info(sentence: string): void }
}

/** Share of a limit. The rest is for answers in progress. */
const SHORT_ABOVE = 0.9
const CHECK_MS = 250
/** A garbage collection blocks everything for about 50 ms, so it does not run at every check. */
const RELEASE_EVERY_CHECKS = 4

/** Checks the memory regularly, and collects garbage before it reports a shortage. */
export function watchMemory({ measure, release, log }: MemoryWatchOptions): MemoryWatch {
  let checks = 0
  const isAbove = () => measure().some(({ used, limit }) => used > limit * SHORT_ABOVE)

  const check = () => {
    checks += 1
    let above = isAbove()
    // Much of what is counted may be garbage.
    if (above && checks >= RELEASE_EVERY_CHECKS) {
      checks = 0
      release()
      above = isAbove()
    } else if (above) {
      above = watch.isShort
    }
    if (above === watch.isShort) return
    watch.isShort = above
    if (above) log.warn('memory is running out; refusing reads until more is available')
    else log.info('memory is available again; answering reads')
  }
  const timer = setInterval(check, CHECK_MS).unref()
  const watch: MemoryWatch = {
    isShort: false,
    refusal: () => errors.busy(SHORT_OF_MEMORY, RETRY_AFTER_SECONDS),
    check,
    stop: () => clearInterval(timer),
  }
  return watch
}

/** The heap and, if the process may use less than the machine's memory, all of its memory. */
function processMemory(): readonly MemoryUse[] {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  const given = memoryGiven()
  if (given === undefined) return [{ used, limit }]
  return [
    { used, limit },
    { used: neededBytes(), limit: given },
  ]
}
