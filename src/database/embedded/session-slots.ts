import type { Reader } from './earlier-reads.ts'
import type { Guests } from './guests.ts'

/** What only reads, and may do so inside a running transaction. */
export interface Reading {
  /** the only center whose rows it reads; undefined if that is not known */
  readonly center: string | undefined
}

/**
 * Who may use the only session: either single statements, which run together, or one transaction alone. First come,
 * first served, so that later reads do not keep a transaction waiting.
 */
interface Waiting {
  readonly alone: boolean
  readonly reading: Reading | undefined
  /** @param asGuest whether it begins within a running transaction instead of in a session of its own */
  readonly begin: (asGuest: boolean) => void
}

/** Shares the session between single statements and transactions. */
export class SessionSlots {
  readonly #waiting: Waiting[] = []
  #together = 0
  #alone = false
  #guests: Guests | undefined

  /** Whether a transaction has the session. */
  get isTaken(): boolean {
    return this.#alone
  }

  /**
   * Runs `work` together with other single statements.
   * @param work gets what it must read with if it runs inside a transaction
   * @param reading if it may do that
   */
  async together<T>(work: (inside?: Reader) => Promise<T>, reading?: Reading): Promise<T> {
    // The usual case, without a microtask.
    if (!this.#alone && this.#waiting.length === 0) this.#together += 1
    else if (this.#guests !== undefined && reading !== undefined && this.#guests.isWelcome(reading.center)) {
      const guest = await this.#guests.read(work, reading.center)
      // The transaction is about to end, so the next session is free soon.
      return guest === undefined ? this.together(work, reading) : guest.value
    } else if (await this.#wait(false, reading)) return this.together(work, reading)
    try {
      return await work()
    } finally {
      this.#together -= 1
      this.#next()
    }
  }

  /** Runs `work` with exclusive use of the session, except for `guests` once it lets them in. */
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

  /** Starts waiting reads that the transaction now lets in. */
  letIn(): void {
    const guests = this.#waiting.filter(
      ({ reading }) => reading !== undefined && this.#guests?.isWelcome(reading.center),
    )
    for (const guest of guests) {
      this.#waiting.splice(this.#waiting.indexOf(guest), 1)
      guest.begin(true)
    }
  }

  /** @returns whether it was let into a running transaction instead of getting a session */
  #wait(alone: boolean, reading?: Reading): Promise<boolean> {
    return new Promise((begin) => this.#waiting.push({ alone, reading, begin }))
  }

  /** Starts whatever may begin now. Each start is counted here, so that nothing else can begin first. */
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
