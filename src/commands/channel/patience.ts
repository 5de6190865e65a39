/**
 * How long a command waits for the one who reads it. While it has the database's one session everybody else waits
 * too, so then it is seconds in all, however they are spread over its questions; otherwise it is minutes each.
 */

export interface PatienceBounds {
  /** For all waits together while the session is held. */
  readonly holdingMs: number
  /** For one wait while it is not. */
  readonly idleMs: number
}

export class Patience {
  readonly #bounds: PatienceBounds
  readonly #onEnd: () => void
  #leftMs: number
  #waits = 0
  #holds = false
  #timer: NodeJS.Timeout | undefined
  #since = 0

  constructor(bounds: PatienceBounds, onEnd: () => void) {
    this.#bounds = bounds
    this.#onEnd = onEnd
    this.#leftMs = bounds.holdingMs
  }

  /** Waits for the client; `onEnd` is called when that takes too long. */
  async during<T>(answer: Promise<T>): Promise<T> {
    this.#change(() => {
      this.#waits += 1
    })
    try {
      return await answer
    } finally {
      this.#change(() => {
        this.#waits -= 1
      })
    }
  }

  /** Whether the command has the database's session from now on. */
  holds(holds: boolean): void {
    this.#change(() => {
      this.#holds = holds
    })
  }

  #change(change: () => void): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      if (this.#holds) this.#leftMs -= performance.now() - this.#since
    }
    change()
    if (this.#waits === 0) return
    this.#since = performance.now()
    const waitMs = this.#holds ? Math.max(0, this.#leftMs) : this.#bounds.idleMs
    this.#timer = setTimeout(this.#onEnd, waitMs).unref()
  }
}
