/**
 * Wrong credentials are counted per client network. This makes guessing hopeless, and a client that keeps sending a
 * revoked key costs little. Genuine keys from the same network keep working, so one bad client does not lock out an
 * office behind a shared address.
 *
 * Each instance counts separately, in bounded memory.
 */
import { networkOf } from './addresses.ts'
import { MINUTE_MS } from './limits.ts'

export interface CredentialLimits {
  /**
   * Counts one request with wrong credentials.
   * @returns 0 if it may get a 401, otherwise the seconds to wait (429)
   */
  failed(address: string | undefined): number
  /** number of requests that got a 429 for this */
  readonly refused: number
  /** number of networks that are counted */
  readonly size: number
}

/** About 10 MB. More networks than this in one minute are an attack; the oldest counters are then dropped. */
const NETWORKS_MAX = 50_000

/** @param options `perMinute`: 401 answers per network and minute before the 429s begin; `clock`: epoch ms */
export function createCredentialLimits(options: {
  readonly perMinute: number
  readonly clock: () => number
}): CredentialLimits {
  // Ordered by when their minute began, oldest first.
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
