/**
 * Requests that wait for a commit. However many they are, the database is looked at once a moment for all of them: the
 * look is the gate's own, so it tells of a key that has ended as well as of a center that has moved on.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Gate } from '../access/gate.ts'
import { createStreamSlots, type SlotUse, type StreamSlots } from './stream-slots.ts'

/** A desk's commit is told within half a second; a look at 200 keys takes less than a millisecond of it. */
const DEFAULT_LOOK_EVERY_MS = 500

/** A fifth of the connections may wait for commits; the others stay for those that read. */
const WAITING_MAX = 200
const WAITING: SlotUse = {
  perKeyMax: 2,
  does: 'is already waiting for changes with',
  advice: 'requests; wait for one to end, or send the request without wait.',
}

export interface NewsOptions {
  readonly gate: Pick<Gate, 'readmit'>
  /** milliseconds of a clock that nobody sets */
  readonly monotonic: () => number
  readonly lookEveryMs?: number | undefined
}

/** A request that waits, as it was let in last. */
export interface Waiting {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly admission: Admission
}

export interface News {
  /** for requests that wait, each from when it takes one until it gives it back */
  readonly places: StreamSlots
  /** milliseconds of the clock that `next` goes by */
  now(): number
  /**
   * The request let in again, once its center has moved on.
   * @param until of the monotonic clock
   * @returns undefined where the time is over, the client has left, or the service ends
   * @throws {ApiError} where the key may not ask any more; 503
   */
  next(waiting: Waiting, until: number): Promise<Admission | undefined>
  /** Ends all waiting. */
  close(): void
}

export function createNews({ gate, monotonic, lookEveryMs = DEFAULT_LOOK_EVERY_MS }: NewsOptions): News {
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
    places: createStreamSlots(WAITING_MAX, WAITING),

    now: monotonic,

    async next({ request, reply, admission }, until) {
      count(1)
      try {
        while (!over && !reply.raw.destroyed && monotonic() < until) {
          await look.promise
          if (over || reply.raw.destroyed) break
          const now = await gate.readmit(request, admission)
          if (now.key.revision !== admission.key.revision) return now
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
