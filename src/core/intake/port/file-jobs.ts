/** Jobs on files: few run at a time, the others wait in their order. A center has one file, so it has one job. */

/** One holds a connection to the database, and reads a file meanwhile. */
const AT_A_TIME = 2

export class FileJobs {
  readonly #waiting: (() => void)[] = []
  readonly #running = new Set<Promise<unknown>>()
  #count = 0

  /** @throws what the signal says, if it is aborted while the job waits */
  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    await this.#slot(signal)
    const done = job()
    this.#running.add(done)
    try {
      return await done
    } finally {
      this.#running.delete(done)
      const next = this.#waiting.shift()
      // The next one has the slot from here on.
      if (next === undefined) this.#count -= 1
      else next()
    }
  }

  async #slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#count < AT_A_TIME) {
      this.#count += 1
      return
    }
    const slot = Promise.withResolvers<void>()
    const take = () => slot.resolve()
    this.#waiting.push(take)
    const leave = () => {
      const at = this.#waiting.indexOf(take)
      if (at < 0) return
      this.#waiting.splice(at, 1)
      slot.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    await slot.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  /** Resolves when what runs has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
