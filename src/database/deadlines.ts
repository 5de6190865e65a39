/**
 * Time limits for waits, all checked by one timer. A timer for each query costs time, and the time-outs built into `pg`
 * and its pool cost more than that (`ask` in postgres-statements.ts).
 */
import { DatabaseUnavailable } from './database.ts'

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
