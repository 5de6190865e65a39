/**
 * Counters of a service of several processes: the process that started the others counts for all of them, so limits are
 * exact on one machine without Redis. The requests that arrive in one iteration of the event loop share one message.
 */
import type { Quotas } from './keys/quotas.ts'
import type { LimitStore, LimitUse } from './limits.ts'
import { type CredentialLimits, createCredentialLimits } from './limits-credentials.ts'
import { createMemoryLimits } from './limits-memory.ts'

/** A request to count, as few bytes. */
export type CountedRequest = readonly [counter: string, perMinute: number, perHour: number]

/** Each call is one message to the process that counts. */
export interface SharedCounters {
  count(requests: readonly CountedRequest[]): Promise<readonly LimitUse[]>
  /** Counts wrong credentials, as `CredentialLimits.failed`. */
  failed(address: string | undefined): Promise<number>
}

/** The counters themselves, in the process that counts. */
export function createCounters(options: { readonly perMinute: number; readonly clock: () => number }) {
  const limits = createMemoryLimits(options.clock)
  const credentials = createCredentialLimits(options)
  return {
    count: (requests: readonly CountedRequest[]): LimitUse[] =>
      requests.map(([counter, perMinute, perHour]) => limits.take(counter, { perMinute, perHour })),
    failed: (address: string | undefined): number => credentials.failed(address),
  }
}

/**
 * Limits of keys, counted elsewhere. If the process that counts has ended, this one is ending too; until then it counts
 * for itself.
 * @param clock epoch ms
 */
export function createSharedLimits(shared: SharedCounters, clock: () => number): LimitStore {
  const alone = createMemoryLimits(clock)
  let waiting: { readonly request: CountedRequest; readonly result: PromiseWithResolvers<LimitUse> }[] = []

  const countAll = async () => {
    const batch = waiting
    waiting = []
    const uses = await shared.count(batch.map(({ request }) => request)).catch(() => [])
    batch.forEach(({ request: [counter, perMinute, perHour], result }, at) => {
      result.resolve(uses[at] ?? alone.take(counter, { perMinute, perHour }))
    })
  }

  return {
    outages: undefined,
    take(counter: string, { perMinute, perHour }: Quotas) {
      if (waiting.length === 0) setImmediate(() => void countAll())
      const result = Promise.withResolvers<LimitUse>()
      waiting.push({ request: [counter, perMinute, perHour], result })
      return result.promise
    },
    close: () => alone.close(),
  }
}

/** Wrong credentials, counted elsewhere. */
export function createSharedCredentialLimits(shared: SharedCounters): CredentialLimits {
  let refused = 0
  return {
    async failed(address) {
      // Without an answer, the process is ending.
      const seconds = await shared.failed(address).catch(() => 0)
      if (seconds > 0) refused += 1
      return seconds
    },
    get refused() {
      return refused
    },
    size: 0,
  }
}
