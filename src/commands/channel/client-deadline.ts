/**
 * Limits how long a command waits for its client. While the command has the only session of the database, all others
 * wait too: then the limit is a few seconds for all waits together. Otherwise it is minutes for each wait.
 */

export interface ClientDeadlineBounds {
  /** for all waits together while the command has the session */
  readonly holdingMs: number
  /** for one wait while it does not */
  readonly idleMs: number
}

export class ClientDeadline {
  readonly #bounds: ClientDeadlineBounds
  readonly #onEnd: () => void
  #leftMs: number
  #waits = 0
  #holds = false
  #timer: NodeJS.Timeout | undefined
  #since = 0

  constructor(bounds: ClientDeadlineBounds, onEnd: () => void) {
    this.#bounds = bounds
    this.#onEnd = onEnd
    this.#leftMs = bounds.holdingMs
  }

  /** Waits for the client. Calls `onEnd` if that takes too long. */
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

  /** Says whether the command has the database's session from now on. */
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
