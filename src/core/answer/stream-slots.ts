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
   * @param giveUp ends the stream, so that another center or application gets its slot. Without it, the slot is held until
   * it is freed.
   * @throws {ApiError} 429 if the application or its center has its maximum of streams; 503 if the service has
   */
  take(key: Pick<KeyState, 'center' | 'appId'>, giveUp?: () => void): () => void
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

/** A stream that can be ended for another one. */
interface Held {
  readonly center: string
  readonly key: string
  giveUp(): void
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
  /** the streams that can be ended for another one, oldest first */
  const held = new Set<Held>()
  let inAll = 0

  const count = (name: string, by: 1 | -1) => {
    const after = (taken.get(name) ?? 0) + by
    if (after === 0) taken.delete(name)
    else taken.set(name, after)
  }

  const takenBy = (name: string) => taken.get(name) ?? 0

  /**
   * Ends the newest stream of the center, or of the center's application, that has the most, if it has at least two more
   * than the one that asks. So slots are shared evenly in any order of arrival, and no slot goes back and forth.
   */
  const makeRoom = (asks: string, nameOf: (one: Held) => string | undefined): void => {
    let most: Held | undefined
    for (const one of held) {
      const name = nameOf(one)
      if (name === undefined) continue
      if (most === undefined || takenBy(name) >= takenBy(nameOf(most) ?? '')) most = one
    }
    if (most !== undefined && takenBy(nameOf(most) ?? '') >= takenBy(asks) + 2) most.giveUp()
  }

  return {
    get taken() {
      return inAll
    },

    take({ center, appId }, giveUp) {
      const key = `${center} ${appId}`
      if (takenBy(key) >= perKeyMax) throw tooMany('application', perKeyMax)
      if (takenBy(center) >= perCenterMax)
        makeRoom(key, (one) => (one.center === center ? one.key : undefined))
      if (takenBy(center) >= perCenterMax) throw tooMany('center', perCenterMax)
      if (inAll >= inAllMax) makeRoom(center, (one) => one.center)
      if (inAll >= inAllMax)
        throw errors.busy(`The service already has ${inAllMax} ${use.advice}`, RETRY_AFTER_SECONDS)
      count(key, 1)
      count(center, 1)
      inAll += 1
      const own = giveUp && { center, key, giveUp }
      if (own !== undefined) held.add(own)
      let freed = false
      return () => {
        if (freed) return
        freed = true
        if (own !== undefined) held.delete(own)
        count(key, -1)
        count(center, -1)
        inAll -= 1
      }
    },
  }
}
