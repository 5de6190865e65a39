/**
 * New connections are let in a few at a time. All that are there at once would be read in one turn of the event loop, each
 * with as many requests as it has sent, and every other client would wait for that.
 */

/** To read what one has sent, and to begin its first request, takes a millisecond or two. */
const PER_TURN = 4

/** A connection, as far as it is let in here. */
interface Newcomer {
  readonly destroyed: boolean
  pause(): unknown
  resume(): unknown
}

export class Door<Socket extends Newcomer> {
  /** by network: each has its turn, so that a crowd from one of them does not keep those of another waiting */
  readonly #waiting = new Map<string, Socket[]>()
  #letIn = 0
  #isScheduled = false

  /** Nothing that it sends is read until it is let in. */
  admit(socket: Socket, network = ''): void {
    this.#schedule()
    if (this.#waiting.size === 0 && this.#letIn < PER_TURN) {
      this.#letIn += 1
      return
    }
    socket.pause()
    const line = this.#waiting.get(network)
    if (line === undefined) this.#waiting.set(network, [socket])
    else line.push(socket)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#letIn = 0
      while (this.#letIn < PER_TURN && this.#waiting.size > 0) this.#letInNext()
      if (this.#letIn > 0) this.#schedule()
    })
  }

  #letInNext(): void {
    const [[network, line] = ['', []]] = this.#waiting
    const socket = line.shift()
    // It is another network's turn before this one's is again.
    this.#waiting.delete(network)
    if (line.length > 0) this.#waiting.set(network, line)
    if (socket === undefined || socket.destroyed) return
    this.#letIn += 1
    socket.resume()
  }
}
