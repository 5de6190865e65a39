/**
 * Admits new connections a few at a time. Otherwise every client would wait for all that came before it, and each may
 * have sent many requests.
 *
 * Node accepts one connection in an iteration of the event loop; the others wait in the queue of the system, in the order in which
 * they came. So nothing is read from a connection that comes right after another. They are accepted first, which is
 * quick, and are then read network by network.
 */

/** Reading what one connection has sent and starting its first request takes a millisecond or two. */
const PER_ITERATION = 4
/** While connections come in every iteration, some are read after this many. Otherwise none would be, in a flood. */
const ITERATIONS_MAX = 16

/** The parts of a socket that are used here. */
interface NewConnection {
  readonly destroyed: boolean
  resume(): unknown
}

/** Decides when new connections are read. They must come paused (`pauseOnConnect`). */
export class Admission<Socket extends NewConnection> {
  /** by network, which are read in rotation, so that many connections from one do not delay those from others */
  readonly #waiting = new Map<string, Socket[]>()
  #isScheduled = false
  /** a connection has come since the last iteration */
  #hasCome = false
  #iterations = 0

  /** Resumes a connection, at once or later. */
  admit(socket: Socket, network = ''): void {
    this.#hasCome = true
    if (!this.#isScheduled) {
      this.#schedule()
      socket.resume()
      return
    }
    const queue = this.#waiting.get(network)
    if (queue === undefined) this.#waiting.set(network, [socket])
    else queue.push(socket)
  }

  #schedule(): void {
    this.#isScheduled = true
    setImmediate(() => this.#iterate())
  }

  #iterate(): void {
    this.#iterations = this.#hasCome ? this.#iterations + 1 : ITERATIONS_MAX
    this.#hasCome = false
    const isOver = this.#iterations === ITERATIONS_MAX
    let begun = 0
    if (isOver) {
      this.#iterations = 0
      while (begun < PER_ITERATION && this.#waiting.size > 0) begun += this.#readNext()
    }
    // After the last one there is another iteration: a connection that comes in it comes right after another.
    if (begun > 0 || !isOver) this.#schedule()
    else this.#isScheduled = false
  }

  #readNext(): 0 | 1 {
    const [[network, queue] = ['', []]] = this.#waiting
    const socket = queue.shift()
    // The network goes to the end of the queue.
    this.#waiting.delete(network)
    if (queue.length > 0) this.#waiting.set(network, queue)
    if (socket === undefined || socket.destroyed) return 0
    socket.resume()
    return 1
  }
}
