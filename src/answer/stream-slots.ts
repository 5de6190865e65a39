/** Long answers hold a database connection while they are sent, so a key has few of them at a time. */

import type { KeyState } from '../access/key-states.ts'
import { errors } from '../errors/api-error.ts'

export const STREAMS_PER_KEY_MAX = 2

/** Nobody knows when a stream of another request ends; this is soon enough to ask again. */
const RETRY_AFTER_SECONDS = 5

export interface StreamSlots {
  /**
   * Takes a slot; the function it gives frees it, however often it is called.
   * @throws {ApiError} 429 when the application has as many streams as it may
   */
  take(key: Pick<KeyState, 'center' | 'appId'>): () => void
}

export function createStreamSlots(perKeyMax: number = STREAMS_PER_KEY_MAX): StreamSlots {
  const taken = new Map<string, number>()
  return {
    take(key) {
      const name = `${key.center} ${key.appId}`
      const count = taken.get(name) ?? 0
      if (count >= perKeyMax) {
        throw errors.rateLimited(
          `This application already receives ${perKeyMax} long lists; wait for one to end, or ask for a shorter range.`,
          RETRY_AFTER_SECONDS,
        )
      }
      taken.set(name, count + 1)
      let freed = false
      return () => {
        if (freed) return
        freed = true
        const left = (taken.get(name) ?? 1) - 1
        if (left === 0) taken.delete(name)
        else taken.set(name, left)
      }
    },
  }
}
