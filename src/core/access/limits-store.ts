import type { FastifyBaseLogger } from 'fastify'
import type { LimitStore } from './limits.ts'
import { createMemoryLimits } from './limits-memory.ts'
import { StoreHangs } from './limits-redis-errors.ts'

/**
 * Opens the store where requests are counted: in this process, or in the Redis or Valkey that several instances share.
 * @param store `memory`, or the store's URL
 */
export async function openLimitStore(
  store: string,
  { clock, log }: { readonly clock: () => number; readonly log: FastifyBaseLogger },
): Promise<LimitStore> {
  if (store === 'memory') return createMemoryLimits(clock)
  // Loaded only if used, because it would slow every start.
  const { createRedisLimits } = await import('./limits-redis.ts')
  return createRedisLimits({
    url: store,
    clock,
    // The URL may contain a password, so the log says only what happened.
    onChange: ({ away, error }) => {
      if (away) log.error({ code: codeOf(error) }, sentenceOf(error))
      else log.info('limit store reachable again; limits are shared again')
    },
  })
}

/** An unreachable store and one that hangs need different repairs. */
const sentenceOf = (error: Error | undefined) =>
  error instanceof StoreHangs
    ? 'limit store connected but not answering; each instance counts for itself'
    : 'limit store unreachable; each instance counts for itself'

const codeOf = (error: Error | undefined) =>
  error !== undefined && 'code' in error && typeof error.code === 'string'
    ? error.code
    : error?.constructor.name
