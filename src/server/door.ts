/**
 * Admits new connections a few at a time. Otherwise all of them would be read in one turn of the event loop, each with
 * as many requests as it has sent, and every other client would wait.
 */

/** Reading what one connection has sent and starting its first request takes a millisecond or two. */
const PER_TURN = 4

/** The parts of a socket that are used here. */
interface Newcomer {
  readonly destroyed: boolean
  pause(): unknown
  resume(): unknown
}

/** Pauses new connections until their turn. */
export class Door<Socket extends Newcomer> {
  /** by network: networks take turns, so that many connections from one do not delay those from others */
  readonly #waiting = new Map<string, Socket[]>()
  #letIn = 0
  #isScheduled = false

  /** Admits a connection, at once or later. Until then, nothing is read from it. */
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
    // The network goes to the end of the line.
    this.#waiting.delete(network)
    if (line.length > 0) this.#waiting.set(network, line)
    if (socket === undefined || socket.destroyed) return
    this.#letIn += 1
    socket.resume()
  }
}
