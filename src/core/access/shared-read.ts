export interface SharedReadNumbers {
  readonly batches: number
  readonly callers: number
}

/**
 * One read for all callers that wait: at most one is in flight and one is pending. A caller never gets the result of a
 * read that was sent before its call, so the result is never older than the call. However many call, the database runs
 * one query at a time.
 */
export class SharedRead<Key, Value> {
  readonly #load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>
  #inFlight = false
  readonly #numbers = { batches: 0, callers: 0 }
  #waiting: { keys: Set<Key>; result: PromiseWithResolvers<ReadonlyMap<Key, Value>> } | undefined

  constructor(load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
    this.#load = load
  }

  /** How many reads were sent, and for how many callers. */
  get numbers(): SharedReadNumbers {
    return this.#numbers
  }

  read(key: Key): Promise<Value | undefined> {
    this.#numbers.callers += 1
    this.#waiting ??= { keys: new Set(), result: Promise.withResolvers() }
    this.#waiting.keys.add(key)
    const { promise } = this.#waiting.result
    if (!this.#inFlight) void this.#run()
    return promise.then((values) => values.get(key))
  }

  async #run(): Promise<void> {
    this.#inFlight = true
    /** passes on the result of the read before this one */
    let passOn: (() => void) | undefined
    while (this.#waiting !== undefined) {
      // Requests that arrive in the same iteration of the event loop share a read: answers are sent in one iteration, so their
      // clients' next requests arrive in one.
      await new Promise(setImmediate)
      const { keys, result } = this.#waiting
      this.#waiting = undefined
      this.#numbers.batches += 1
      if (passOn !== undefined) setImmediate(passOn)
      passOn = undefined
      try {
        const values = await this.#load([...keys])
        // If another read waits, it is sent first: the database works on it while these answers are written.
        if (this.#waiting === undefined) result.resolve(values)
        else passOn = () => result.resolve(values)
      } catch (error) {
        result.reject(error)
      }
    }
    this.#inFlight = false
  }
}
