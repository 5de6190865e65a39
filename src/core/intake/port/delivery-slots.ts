/** How many deliveries there are at a time: one of a center, some of all, and fewer that are being imported. */
import { errors } from '../../errors/api-error.ts'

/** What is received takes a megabyte of memory, and a file. */
const RECEIVED_MAX = 16
/** What is imported takes a connection to the database. */
const IMPORTED_MAX = 2
const RETRY_AFTER_SECONDS = 1

export interface DeliverySlots {
  /** @returns what releases the slot @throws {ApiError} 429 for a second one of the center, 503 where all are taken */
  take(center: string): () => void
  /** Does the work when its center has rested and a slot is free. */
  whenFree<T>(center: string, work: () => Promise<T>): Promise<T>
  /** The center's next delivery is received, but does not begin before `rest` resolves. */
  letRest(center: string, rest: Promise<void>): void
  /** No center rests any longer, because the service closes. */
  endRests(): void
  readonly taken: number
}

export function createDeliverySlots(): DeliverySlots {
  const centers = new Set<string>()
  const waiting: (() => void)[] = []
  // A race with a promise that lasts as long as the service would keep something of every rest.
  const resting = new Map<string, PromiseWithResolvers<void>>()
  let isEnding = false
  let importing = 0
  return {
    take(center) {
      if (centers.has(center)) {
        throw errors.rateLimited(
          'Another delivery of this center is in progress, and a center may have only one at a time. Send this one again later.',
          RETRY_AFTER_SECONDS,
        )
      }
      if (centers.size >= RECEIVED_MAX) {
        throw errors.busy(
          `The service is already receiving ${RECEIVED_MAX} deliveries. Send this one again later.`,
          RETRY_AFTER_SECONDS,
        )
      }
      centers.add(center)
      return () => void centers.delete(center)
    },
    letRest(center, rest) {
      if (isEnding) return
      const until = Promise.withResolvers<void>()
      resting.set(center, until)
      void rest.then(() => {
        until.resolve()
        if (resting.get(center) === until) resting.delete(center)
      })
    },
    endRests() {
      isEnding = true
      for (const { resolve } of resting.values()) resolve()
      resting.clear()
    },
    async whenFree(center, work) {
      await resting.get(center)?.promise
      if (importing >= IMPORTED_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
      else importing += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        // The next waiting request has the slot from here on.
        if (next === undefined) importing -= 1
        else next()
      }
    },
    get taken() {
      return centers.size
    },
  }
}
