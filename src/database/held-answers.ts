/**
 * Answers that come in one message are passed on together. Passed on one by one, each would wake the client that waits for
 * it, and the client's next request would arrive alone, ask for its key alone, and go to the server alone.
 */

/** A page of a session takes the server half a millisecond; one that takes longer than this holds the others no longer. */
export const HELD_MS_MAX = 5

export class HeldAnswers {
  readonly #count: number
  #held: (() => void)[] = []
  #passed = 0
  #timer: NodeJS.Timeout | undefined

  /** @param count how many will come */
  constructor(count: number) {
    this.#count = count
  }

  /** @param pass is called with the others: when the last one has come, or when the first has been held long enough */
  hold(pass: () => void): void {
    this.#held.push(pass)
    if (this.#passed + this.#held.length === this.#count) this.#letGo()
    else this.#timer ??= setTimeout(() => this.#letGo(), HELD_MS_MAX)
  }

  #letGo(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const held = this.#held
    this.#held = []
    this.#passed += held.length
    for (const pass of held) pass()
  }
}
