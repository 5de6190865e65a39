/** First come, first served: the one session of the embedded database is lent to one holder at a time. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve()

  /** Waits for a turn; the function it gives ends the turn and must be called exactly once. */
  async acquire(): Promise<() => void> {
    const before = this.#tail
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#tail = promise
    await before
    return resolve
  }

  /**
   * Runs `work` in a turn of its own.
   * @param waitMsMax gives up after waiting so long, and the turn passes to the next one when it comes.
   * @throws {WaitedTooLong} when it has given up; `work` did not run then.
   */
  async run<T>(work: () => Promise<T>, waitMsMax?: number): Promise<T> {
    const release = await (waitMsMax === undefined ? this.acquire() : this.#acquireWithin(waitMsMax))
    try {
      return await work()
    } finally {
      release()
    }
  }

  async #acquireWithin(waitMsMax: number): Promise<() => void> {
    const turn = this.acquire()
    const { promise: given, resolve, reject } = Promise.withResolvers<() => void>()
    const timer = setTimeout(() => reject(new WaitedTooLong()), waitMsMax)
    turn.then(resolve)
    try {
      return await given
    } catch (error) {
      turn.then((release) => release())
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}
