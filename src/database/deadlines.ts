/**
 * Waits that must end within a time, all watched by one timer: making and clearing one for each query is work, and
 * the ready-made ones of `pg` and its pool cost more than that (postgres.ts, `ask`).
 */
import { DatabaseUnavailable } from './database.ts'

/** How late a deadline may be noticed. */
const TICK_MS = 100

interface Wait {
  /** on the clock of `performance.now()` */
  readonly until: number
  readonly giveUp: (error: Error) => void
}

export class Deadlines {
  readonly #msMax: number
  readonly #failure: string
  readonly #waits = new Set<Wait>()
  #timer: NodeJS.Timeout | undefined

  /** @param failure what a wait that was too long says, without its time: `the database did not answer` */
  constructor(msMax: number, failure: string) {
    this.#msMax = msMax
    this.#failure = failure
  }

  /**
   * @param spentMs of its time that went by before
   * @throws {DatabaseUnavailable} at the deadline; what comes of the work after that is nobody's
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
