/** A lock for one holder at a time, first come, first served. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve()

  /** Waits for the lock. @returns a function that releases it, to be called exactly once */
  async acquire(): Promise<() => void> {
    const before = this.#tail
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#tail = promise
    await before
    return resolve
  }

  /**
   * Runs `work` while holding the lock.
   * @param waitMsMax how long to wait for the lock
   * @throws {WaitedTooLong} if the lock was not free in time; `work` has not run then
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
    const acquired = this.acquire()
    const { promise: given, resolve, reject } = Promise.withResolvers<() => void>()
    const timer = setTimeout(() => reject(new WaitedTooLong()), waitMsMax)
    acquired.then(resolve)
    try {
      return await given
    } catch (error) {
      acquired.then((release) => release())
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The lock was not free within the given time. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}
