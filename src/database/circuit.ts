/**
 * A database that has fallen silent is not waited for by every request in turn: once a wait has come to nothing it is
 * asked in the background, and whoever wants something meanwhile is refused at once.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailable } from './database.ts'

const PROBE_EVERY_MS = 500

export class Circuit {
  readonly #probe: () => Promise<void>
  readonly #ended = new AbortController()
  #isOpen = false
  #times = 0

  /** @param probe asks the database on a connection of its own; rejects when that does not answer */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe
  }

  /** How often it has opened: a connection that is older than the last time may be one that nobody answers. */
  get times(): number {
    return this.#times
  }

  /** @throws {DatabaseUnavailable} while the database is silent */
  check(): void {
    if (this.#isOpen) throw new DatabaseUnavailable('the database is silent, and asked until it answers')
  }

  /** A wait for the database has come to nothing. */
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
