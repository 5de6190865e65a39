/**
 * Admits new connections a few at a time. Otherwise every client would wait for all that came before it, and each may
 * have sent many requests.
 *
 * Node accepts one connection in a turn of the event loop; the others wait in the system's line, where it is first come,
 * first served. So nothing is read from a connection that comes right after another. They are accepted first, which is
 * quick, and then networks take turns.
 */

/** Reading what one connection has sent and starting its first request takes a millisecond or two. */
const PER_TURN = 4
/** While connections come in every turn, some are let in after this many. Without it nobody would be, in a flood. */
const TURNS_OF_ARRIVALS = 16

/** The parts of a socket that are used here. */
interface Newcomer {
  readonly destroyed: boolean
  resume(): unknown
}

/** Decides when new connections are read. They must come paused (`pauseOnConnect`). */
export class Door<Socket extends Newcomer> {
  /** by network: networks take turns, so that many connections from one do not delay those from others */
  readonly #waiting = new Map<string, Socket[]>()
  #isScheduled = false
  /** a connection has come since the last turn */
  #hasCome = false
  #turnsOfArrivals = 0

  /** Resumes a connection, at once or later. */
  admit(socket: Socket, network = ''): void {
    this.#hasCome = true
    if (!this.#isScheduled) {
      this.#schedule()
      socket.resume()
      return
    }
    const line = this.#waiting.get(network)
    if (line === undefined) this.#waiting.set(network, [socket])
    else line.push(socket)
  }

  #schedule(): void {
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#turnsOfArrivals = this.#hasCome ? this.#turnsOfArrivals + 1 : TURNS_OF_ARRIVALS
    this.#hasCome = false
    const isOver = this.#turnsOfArrivals === TURNS_OF_ARRIVALS
    let letIn = 0
    if (isOver) {
      this.#turnsOfArrivals = 0
      while (letIn < PER_TURN && this.#waiting.size > 0) letIn += this.#letInNext()
    }
    // After the last one there is another turn: who comes in it comes right after another.
    if (letIn > 0 || !isOver) this.#schedule()
    else this.#isScheduled = false
  }

  #letInNext(): 0 | 1 {
    const [[network, line] = ['', []]] = this.#waiting
    const socket = line.shift()
    // The network goes to the end of the line.
    this.#waiting.delete(network)
    if (line.length > 0) this.#waiting.set(network, line)
    if (socket === undefined || socket.destroyed) return 0
    socket.resume()
    return 1
  }
}
