/**
 * Who may use the one session: statements that stand alone together, a transaction by itself. First come, first
 * served, so that a transaction is not kept waiting by readers who come after it.
 */
interface Turn {
  readonly alone: boolean
  readonly begin: () => void
}

export class Turns {
  readonly #waiting: Turn[] = []
  #together = 0
  #alone = false

  /** Whether somebody has the session to himself. */
  get isTaken(): boolean {
    return this.#alone
  }

  /** Runs `work` beside others that do the same. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    // The usual case, without a turn of the event loop.
    if (this.#alone || this.#waiting.length > 0) await this.#wait(false)
    else this.#together += 1
    try {
      return await work()
    } finally {
      this.#together -= 1
      this.#next()
    }
  }

  /** Runs `work` while nobody else does anything. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#alone || this.#together > 0 || this.#waiting.length > 0) await this.#wait(true)
    else this.#alone = true
    try {
      return await work()
    } finally {
      this.#alone = false
      this.#next()
    }
  }

  #wait(alone: boolean): Promise<void> {
    return new Promise((begin) => this.#waiting.push({ alone, begin }))
  }

  /** Begins whatever may begin now; who begins is counted here, so that nobody slips in between. */
  #next(): void {
    while (!this.#alone) {
      const [first] = this.#waiting
      if (first === undefined || (first.alone && this.#together > 0)) return
      this.#waiting.shift()
      if (first.alone) this.#alone = true
      else this.#together += 1
      first.begin()
    }
  }
}
