/**
 * A process that runs out of memory is killed, and every answer under way with it. Before that reads are refused: a
 * 503 with `Retry-After` costs one client a second, and what is under way ends.
 */
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { garbageCollector } from '../database/garbage-collector.ts'
import { errors } from '../errors/api-error.ts'

/** Bytes in use, and how many there may be. */
export interface MemoryUse {
  readonly used: number
  readonly limit: number
}

/** Must be registered before the routes. @param measure the process's own memory unless given */
export function registerMemoryWatch(
  app: FastifyInstance,
  measure: () => readonly MemoryUse[] = processMemory,
): void {
  const watch = watchMemory({ measure, release: garbageCollector(), log: app.log })
  app.addHook('onClose', async () => watch.stop())
  app.addHook('onRequest', (request, _reply, done) => {
    const isRead = request.routeOptions.config.scope !== undefined
    if (watch.isShort && isRead) done(errors.busy(SHORT_OF_MEMORY, RETRY_AFTER_SECONDS))
    else done()
  })
}

const SHORT_OF_MEMORY = 'The service is short of memory and temporarily refuses reads.'
const RETRY_AFTER_SECONDS = 2

export interface MemoryWatch {
  /** whether reads are to be refused now */
  readonly isShort: boolean
  check(): void
  stop(): void
}

export interface MemoryWatchOptions {
  /** each of them may run short */
  readonly measure: () => readonly MemoryUse[]
  /** frees what can be freed */
  readonly release: () => void
  readonly log: { warn(sentence: string): void; info(sentence: string): void }
}

/** Of a limit; the rest is for what is under way. */
const SHORT_ABOVE = 0.9
const CHECK_MS = 250
/** A collection stops everything for some 50 ms, so it is not made at every look. */
const RELEASE_EVERY_CHECKS = 4

export function watchMemory({ measure, release, log }: MemoryWatchOptions): MemoryWatch {
  let isShort = false
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
      above = isShort
    }
    if (above === isShort) return
    isShort = above
    if (isShort) log.warn('memory is running out; refusing reads until more is available')
    else log.info('memory is available again; answering reads')
  }
  const timer = setInterval(check, CHECK_MS).unref()
  return {
    get isShort() {
      return isShort
    },
    check,
    stop: () => clearInterval(timer),
  }
}

/** The heap, and, where the system gives the process less than the machine has, all of its memory. */
function processMemory(): readonly MemoryUse[] {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  const given = process.constrainedMemory()
  if (given === 0 || given >= totalmem()) return [{ used, limit }]
  return [
    { used, limit },
    { used: process.memoryUsage.rss(), limit: given },
  ]
}
