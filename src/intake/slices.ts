/**
 * Very many lines are worked on without holding up others: a service that takes deliveries answers readers in between.
 */
import { setImmediate as othersTurn, setTimeout as wait } from 'node:timers/promises'

/** Fewer pieces would cost more in breaks than in work; what is done around them is not measured. */
const PIECES = 200
/** A reader's request needs several turns of the event loop, and waits for a slice in each of them. */
const SLICE_MS = 3
/** A piece that cannot be divided, such as a line of a megabyte, takes tens of milliseconds. */
const LONG_MS = 20

export class Slices {
  #pieces = 0
  #ms = 0

  /** A piece of the work; what it awaits is not part of it. */
  do<T>(piece: () => T): T {
    const since = performance.now()
    try {
      return piece()
    } finally {
      this.#ms += performance.now() - since
      this.#pieces += 1
    }
  }

  /** Whether so much was done since the last break that others have to have their turn. */
  get isOver(): boolean {
    return this.#pieces >= PIECES || this.#ms >= SLICE_MS
  }

  /** After a long slice as long, so that whoever waited for it has all the turns that a request needs. */
  async othersTurn(): Promise<void> {
    const tookMs = this.#ms
    this.#pieces = 0
    this.#ms = 0
    if (tookMs >= LONG_MS) await wait(tookMs)
    else await othersTurn()
  }
}
