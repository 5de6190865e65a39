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

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
}
