/**
 * Divides work on very many lines into slices, so that a service that receives deliveries answers other requests in
 * between.
 */
import { setImmediate as letOthersRun, setTimeout as wait } from 'node:timers/promises'

/** With smaller slices, the breaks would take longer than the work. Time spent between pieces is not measured. */
const PIECES = 200
/** A request needs several iterations of the event loop, and waits for one slice in each. */
const SLICE_MS = 3
/** A piece that cannot be divided, such as a line of a megabyte, takes tens of milliseconds. */
const LONG_MS = 20

/** Measures the work since the last break. */
export class Slices {
  #pieces = 0
  #ms = 0

  /** Runs a piece of work. Time that it spends awaiting is not counted. */
  do<T>(piece: () => T): T {
    const since = performance.now()
    try {
      return piece()
    } finally {
      this.#ms += performance.now() - since
      this.#pieces += 1
    }
  }

  /** Whether it is time for a break. */
  get isOver(): boolean {
    return this.#pieces >= PIECES || this.#ms >= SLICE_MS
  }

  /** Takes a break. After a long slice it lasts as long as the slice, so that a waiting request gets all its iterations. */
  async letOthersRun(): Promise<void> {
    const tookMs = this.#ms
    this.#pieces = 0
    this.#ms = 0
    if (tookMs >= LONG_MS) await wait(tookMs)
    else await letOthersRun()
  }
}
