/**
 * Begins one message in some iterations of the event loop. Answering a message takes two to three milliseconds of it, several
 * times as much as the read that it contains. Sixty of an application, each begun as it came, delayed others for
 * all of them.
 */

/** A new connection and its request need four. Without other work they are over at once. */
const ITERATIONS = 4

export class MessageQueue {
  /** by center: centers alternate, so that many messages of one do not delay those of others */
  readonly #waiting = new Map<string, (() => void)[]>()
  #iterationsLeft = 0

  /** Resolves when the message may begin: at once, or some iterations after the one before it. */
  next(center: string): Promise<void> {
    if (this.#iterationsLeft === 0) {
      this.#rest()
      return Promise.resolve()
    }
    return new Promise((begin) => {
      const line = this.#waiting.get(center)
      if (line === undefined) this.#waiting.set(center, [begin])
      else line.push(begin)
    })
  }

  #rest(): void {
    this.#iterationsLeft = ITERATIONS
    const next = () => {
      this.#iterationsLeft -= 1
      if (this.#iterationsLeft > 0) setImmediate(next)
      else this.#beginNext()
    }
    setImmediate(next)
  }

  #beginNext(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    const [center, line] = next
    const begin = line.shift()
    // The center goes to the end of the line.
    this.#waiting.delete(center)
    if (line.length > 0) this.#waiting.set(center, line)
    this.#rest()
    begin?.()
  }
}
