/**
 * Requests that wait for a commit. One query at each interval serves all of them. It is the gate's query, so it also
 * notices keys that have ended.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Gate } from '../access/gate.ts'
import type { KeyState } from '../access/key-states.ts'
import { createStreamSlots, type SlotUse, type StreamSlots } from './stream-slots.ts'

/** A client learns of a commit within half a second. The query for 200 keys takes less than a millisecond. */
const DEFAULT_LOOK_EVERY_MS = 500

/** At most a fifth of the connections may wait for commits; the others remain available for reads. */
const WAITING_MAX = 200
const WAITING: SlotUse = {
  perKeyMax: 2,
  does: 'is already waiting for changes with',
  advice: 'requests; wait for one to end, or send the request without wait.',
}

export interface CommitWaitsOptions {
  readonly gate: Pick<Gate, 'readmit'>
  /** milliseconds of a monotonic clock */
  readonly monotonic: () => number
  readonly lookEveryMs?: number | undefined
}

/** A waiting request with its most recent admission. */
export interface Waiting {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly admission: Admission
}

export interface CommitWaits {
  /** slots for waiting requests, each held from start to end of the wait */
  readonly slots: StreamSlots
  /** milliseconds of the monotonic clock that `next` uses */
  now(): number
  /**
   * Waits until the center has changed, and admits the request again.
   * @param until milliseconds of the monotonic clock
   * @returns undefined if the time is up, the client has disconnected, or the service stops
   * @throws {ApiError} if the key may not read any more; 503
   */
  next(waiting: Waiting, until: number): Promise<Admission | undefined>
  /** Ends all waits. */
  close(): void
}

/** @param options `lookEveryMs`: interval between two queries while requests wait */
export function createCommitWaits({
  gate,
  monotonic,
  lookEveryMs = DEFAULT_LOOK_EVERY_MS,
}: CommitWaitsOptions): CommitWaits {
  let over = false
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let look = Promise.withResolvers<void>()

  const lookNow = () => {
    look.resolve()
    look = Promise.withResolvers()
  }
  const count = (by: 1 | -1) => {
    waiting += by
    if (waiting === 0) {
      clearInterval(timer)
      timer = undefined
    } else timer ??= setInterval(lookNow, lookEveryMs).unref()
  }

  return {
    slots: createStreamSlots(WAITING_MAX, WAITING),

    now: monotonic,

    async next({ request, reply, admission }, until) {
      count(1)
      try {
        while (!over && !reply.raw.destroyed && monotonic() < until) {
          await look.promise
          if (over || reply.raw.destroyed) break
          const now = await gate.readmit(request, admission)
          if (hasChanged(now.key, admission.key)) return now
        }
        return undefined
      } finally {
        count(-1)
      }
    },

    close() {
      over = true
      lookNow()
    },
  }
}

/** Whether the center may have changed between two admissions. After a failover its revision may be the same again. */
export const hasChanged = (now: KeyState, before: KeyState): boolean =>
  now.revision !== before.revision || now.generation !== before.generation
