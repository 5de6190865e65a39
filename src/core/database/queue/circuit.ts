/**
 * A circuit breaker. When the database does not respond, requests must not all wait for it: after the first time-out it
 * is probed in the background, and requests are refused at once until it responds.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database.ts'

const PROBE_EVERY_MS = 500

/** Open while the database does not respond. */
export class Circuit {
  readonly #probe: () => Promise<void>
  readonly #ended = new AbortController()
  #isOpen = false
  #times = 0

  /** @param probe queries the database on a connection of its own; rejects if there is no answer */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe
  }

  /** How often the circuit has opened. A connection from before the last time may be dead. */
  get times(): number {
    return this.#times
  }

  /** @throws {DatabaseUnavailable} while the circuit is open */
  check(): void {
    if (this.#isOpen) throw new DatabaseUnavailable('the database is silent, and asked until it answers')
  }

  /** Opens the circuit after a wait for the database has timed out. */
  open(): void {
    if (this.#isOpen || this.#ended.signal.aborted) return
    this.#isOpen = true
    this.#times += 1
    void this.#askUntilItAnswers()
  }

  close(): void {
    this.#ended.abort()
  }

  async #askUntilItAnswers(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      try {
        await this.#probe()
        break
      } catch {
        await wait(PROBE_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    this.#isOpen = false
  }
}
