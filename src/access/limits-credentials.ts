/**
 * Wrong credentials are counted by the network they come from, so that guessing is hopeless and a client gone
 * wild with a revoked key costs little. A genuine key from the same network goes on working: an office behind
 * one address is not locked out by one bad client in it.
 *
 * Each instance counts for itself, in bounded memory.
 */
import { networkOf } from './addresses.ts'
import { MINUTE_MS } from './limits.ts'

export interface CredentialLimits {
  /**
   * Counts wrong credentials.
   * @returns 0 where they may be answered as such (401), else the seconds to wait (429)
   */
  failed(address: string | undefined): number
  /** wrong credentials that were not even answered as such (429) */
  readonly refused: number
  /** how many networks are held */
  readonly size: number
}

export const DEFAULT_FAILED_CREDENTIALS_PER_MINUTE = 30

/** About 10 MB. More networks in one minute are an attack, and then the oldest counts go first. */
const NETWORKS_MAX = 50_000

export function createCredentialLimits(options: {
  readonly perMinute: number
  readonly clock: () => number
}): CredentialLimits {
  // In the order in which their minutes began, so that the oldest comes first.
  const networks = new Map<string, { used: number; end: number }>()
  let refused = 0
  return {
    failed(address) {
      const now = options.clock()
      const network = networkOf(address)
      let count = networks.get(network)
      if (count === undefined || now >= count.end || count.end - now > MINUTE_MS) {
        networks.delete(network)
        for (const [oldest, { end }] of networks) {
          if (end > now && networks.size < NETWORKS_MAX) break
          networks.delete(oldest)
        }
        count = { used: 0, end: now + MINUTE_MS }
        networks.set(network, count)
      }
      if (count.used >= options.perMinute) {
        refused += 1
        return Math.max(1, Math.ceil((count.end - now) / 1000))
      }
      count.used += 1
      return 0
    },
    get refused() {
      return refused
    },
    get size() {
      return networks.size
    },
  }
}
