/**
 * Passes on together the answers that come in one message. Passed on one by one, each would wake its client, whose next
 * request would then arrive alone, read its key alone, and go to the server alone.
 */

/**
 * The server reads a page of a session in half a millisecond. A read that takes longer than this (in ms) no longer
 * holds back the others.
 */
export const HELD_MS_MAX = 5

/** Holds back answers until they can be passed on together. */
export class AnswerBatch {
  readonly #count: number
  #held: (() => void)[] = []
  #passed = 0
  #timer: NodeJS.Timeout | undefined

  /** @param count number of expected answers */
  constructor(count: number) {
    this.#count = count
  }

  /**
   * @param pass called together with the others: when the last answer has come, or when the first has been held for
   * HELD_MS_MAX
   */
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
