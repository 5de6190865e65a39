/**
 * A long answer holds a database connection while it is sent. There are few such connections, so the number of
 * simultaneous long answers is bounded per application, per center, and in total.
 */

import type { KeyState } from '../access/key-states.ts'
import { type ApiError, errors } from '../errors/api-error.ts'

/** The end of another request's stream cannot be predicted; this is soon enough to retry. */
const RETRY_AFTER_SECONDS = 5

/**
 * Bounds the time of a client that reads just fast enough to stay connected and would hold its database connection and
 * snapshot forever.
 */
export const STREAM_MS_MAX = 600_000

export interface StreamSlots {
  /**
   * Takes a slot. The function returned frees it; it may be called repeatedly.
   * @throws {ApiError} 429 if the application or its center has its maximum of streams; 503 if the service has
   */
  take(key: Pick<KeyState, 'center' | 'appId'>): () => void
  /** number of slots taken */
  readonly taken: number
}

/** What a slot is used for, as worded in the refusal. */
export interface SlotUse {
  readonly perKeyMax: number
  /** follows "This application" */
  readonly does: string
  readonly advice: string
}

const LONG_LISTS: SlotUse = {
  perKeyMax: 2,
  does: 'is already receiving',
  advice: 'long lists; wait for one to end, or request a shorter range.',
}

/**
 * @param inAllMax bound for the streams of all centers together. A center may have half of them, so other centers find
 * one free.
 */
export function createStreamSlots(inAllMax: number, use: SlotUse = LONG_LISTS): StreamSlots {
  const perCenterMax = Math.ceil(inAllMax / 2)
  const perKeyMax = Math.min(use.perKeyMax, perCenterMax)
  const tooMany = (who: string, max: number): ApiError =>
    errors.rateLimited(`This ${who} ${use.does} ${max} ${use.advice}`, RETRY_AFTER_SECONDS)
  const taken = new Map<string, number>()
  let inAll = 0

  const count = (name: string, by: 1 | -1) => {
    const after = (taken.get(name) ?? 0) + by
    if (after === 0) taken.delete(name)
    else taken.set(name, after)
  }

  return {
    get taken() {
      return inAll
    },

    take({ center, appId }) {
      const key = `${center} ${appId}`
      if ((taken.get(key) ?? 0) >= perKeyMax) throw tooMany('application', perKeyMax)
      if ((taken.get(center) ?? 0) >= perCenterMax) throw tooMany('center', perCenterMax)
      if (inAll >= inAllMax)
        throw errors.busy(`The service already has ${inAllMax} ${use.advice}`, RETRY_AFTER_SECONDS)
      count(key, 1)
      count(center, 1)
      inAll += 1
      let freed = false
      return () => {
        if (freed) return
        freed = true
        count(key, -1)
        count(center, -1)
        inAll -= 1
      }
    },
  }
}
