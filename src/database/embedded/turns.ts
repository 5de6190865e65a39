import type { Guests } from './guests.ts'

/**
 * Who may use the one session: statements that stand alone together, a transaction by itself. First come, first
 * served, so that a transaction is not kept waiting by readers who come after it.
 */
interface Turn {
  readonly alone: boolean
  /** whose rows it reads, and no other's */
  readonly center: string | undefined
  /** @param asGuest of whoever has the session to himself, in place of a turn */
  readonly begin: (asGuest: boolean) => void
}

export class Turns {
  readonly #waiting: Turn[] = []
  #together = 0
  #alone = false
  #guests: Guests | undefined

  /** Whether somebody has the session to himself. */
  get isTaken(): boolean {
    return this.#alone
  }

  /**
   * Runs `work` beside others that do the same.
   * @param center whose rows it reads, and no other's: then it is a guest of a transaction that takes guests
   */
  async together<T>(work: () => Promise<T>, center?: string): Promise<T> {
    // The usual case, without a turn of the event loop.
    if (!this.#alone && this.#waiting.length === 0) this.#together += 1
    else if (this.#guests !== undefined && this.#isWelcome(center)) {
      const visit = await this.#guests.visit(work)
      // It was about to end, so the next turn is near.
      return visit === undefined ? this.together(work, center) : visit.value
    } else if (await this.#wait(false, center)) return this.together(work, center)
    try {
      return await work()
    } finally {
      this.#together -= 1
      this.#next()
    }
  }

  /** Runs `work` while nobody else does anything, but for `guests` from the moment on that they are let in. */
  async alone<T>(work: () => Promise<T>, guests?: Guests): Promise<T> {
    if (this.#alone || this.#together > 0 || this.#waiting.length > 0) await this.#wait(true)
    else this.#alone = true
    this.#guests = guests
    try {
      return await work()
    } finally {
      this.#guests = undefined
      this.#alone = false
      this.#next()
    }
  }

  /** Lets in those who wait already, once guests are welcome. */
  letIn(): void {
    const guests = this.#waiting.filter(({ center }) => this.#isWelcome(center))
    for (const guest of guests) {
      this.#waiting.splice(this.#waiting.indexOf(guest), 1)
      guest.begin(true)
    }
  }

  #isWelcome(center: string | undefined): boolean {
    return center !== undefined && this.#guests?.isWelcome(center) === true
  }

  /** @returns whether it is let in as a guest, in place of a turn */
  #wait(alone: boolean, center?: string): Promise<boolean> {
    return new Promise((begin) => this.#waiting.push({ alone, center, begin }))
  }

  /** Begins whatever may begin now; who begins is counted here, so that nobody slips in between. */
  #next(): void {
    while (!this.#alone) {
      const [first] = this.#waiting
      if (first === undefined || (first.alone && this.#together > 0)) return
      this.#waiting.shift()
      if (first.alone) this.#alone = true
      else this.#together += 1
      first.begin(false)
    }
  }
}
