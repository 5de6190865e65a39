/**
 * Long answers hold a database connection while they are sent. There are few for them, so a key, a center, and all
 * centers together have so many long answers at a time.
 */

import type { KeyState } from '../access/key-states.ts'
import { type ApiError, errors } from '../errors/api-error.ts'

/** Nobody knows when a stream of another request ends; this is soon enough to ask again. */
const RETRY_AFTER_SECONDS = 5

/** A client that takes just enough to stay would otherwise hold its connection, and its snapshot, for ever. */
export const STREAM_MS_MAX = 600_000

export interface StreamSlots {
  /**
   * Takes a slot; the function it gives frees it, however often it is called.
   * @throws {ApiError} 429 when the application or its center has as many streams as it may, 503 when all have
   */
  take(key: Pick<KeyState, 'center' | 'appId'>): () => void
  /** how many are taken */
  readonly taken: number
}

/** What a slot is taken for, in the words of who finds none. */
export interface SlotUse {
  readonly perKeyMax: number
  /** after "This application" */
  readonly does: string
  readonly advice: string
}

const LONG_LISTS: SlotUse = {
  perKeyMax: 2,
  does: 'is already receiving',
  advice: 'long lists; wait for one to end, or request a shorter range.',
}

/**
 * @param inAllMax streams of all centers together; one center has half of them at most, so others find one free
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
