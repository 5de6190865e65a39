/**
 * Time limits for waits, all checked by one timer. A timer for each query costs time, and the time-outs built into `pg`
 * and its pool cost more than that (`ask` in postgres-statements.ts).
 */
import { DatabaseUnavailable } from '../database.ts'

/** The largest delay, in ms, before a passed deadline is noticed. */
const TICK_MS = 100

interface Wait {
  /** time of `performance.now()` */
  readonly until: number
  readonly giveUp: (error: Error) => void
}

/** Time limits of one length. An expired wait is rejected with DatabaseUnavailable. */
export class Deadlines {
  readonly #msMax: number
  readonly #failure: string
  readonly #waits = new Set<Wait>()
  #timer: NodeJS.Timeout | undefined

  /** @param failure message of the error without the time: `the database did not answer` */
  constructor(msMax: number, failure: string) {
    this.#msMax = msMax
    this.#failure = failure
  }

  /**
   * @param spentMs time already used up
   * @throws {DatabaseUnavailable} at the deadline; the result of the work is then discarded
   */
  within<T>(work: Promise<T>, spentMs = 0): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = { until: performance.now() + this.#msMax - spentMs, giveUp: reject }
      this.#waits.add(wait)
      this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
      work.then(
        (result) => {
          this.#waits.delete(wait)
          resolve(result)
        },
        (error: unknown) => {
          this.#waits.delete(wait)
          reject(error)
        },
      )
    })
  }

  #tick(): void {
    if (this.#waits.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const wait of this.#waits) {
      if (wait.until > now) continue
      this.#waits.delete(wait)
      wait.giveUp(new DatabaseUnavailable(`${this.#failure} within ${this.#msMax} ms`))
    }
  }
}

/** Slightly more than the longest single wait for the database, so that its own error comes first. */
const WAIT_MS_MAX = 6000
/** A heavy read waits for a slot, and between its parts. */
const HEAVY_WAIT_MS_MAX = 30_000

/**
 * Bounds the total wait of a request: for its key, a slot and its rows. Each of these waits also has its own bound, but a
 * request that meets several would add them up.
 */
export interface RequestDeadline {
  /**
   * @param spentMs time since the request arrived
   * @throws {DatabaseUnavailable} after 6 s in total, or 30 s for a heavy read
   */
  within<T>(work: Promise<T>, spentMs: number, isHeavy?: boolean): Promise<T>
}

/** All requests share the two timers. */
export function createRequestDeadline(): RequestDeadline {
  const cheap = new Deadlines(WAIT_MS_MAX, 'the request was not answered')
  const heavy = new Deadlines(HEAVY_WAIT_MS_MAX, 'the request was not answered')
  return {
    within: (work, spentMs, isHeavy = false) => (isHeavy ? heavy : cheap).within(work, spentMs),
  }
}
