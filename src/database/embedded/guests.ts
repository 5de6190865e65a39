/**
 * Reads of other centers between the statements of a transaction that writes one center's rows. Nothing that they
 * read is changed by it, so they answer the same before its end as after it, and need not wait for it.
 */
import { Mutex } from '../mutex.ts'
import type { Session } from './session.ts'

export class Guests {
  readonly #host: string
  readonly #turn = new Mutex()
  readonly #readMs: number
  readonly #onOpen: () => void
  #session: Session | undefined

  /**
   * @param host the center whose rows the transaction writes
   * @param readMs what no read takes
   * @param onOpen told when the first may come in
   */
  constructor(host: string, readMs: number, onOpen: () => void) {
    this.#host = host
    this.#readMs = readMs
    this.#onOpen = onOpen
  }

  /** Whether reads of this center may come in now. */
  isWelcome(center: string): boolean {
    return this.#session !== undefined && center !== this.#host
  }

  /** From here on, when the transaction has begun. */
  open(session: Session): void {
    this.#session = session
    this.#onOpen()
  }

  /** Nobody comes in any more; resolves when nobody is inside. */
  async close(): Promise<void> {
    this.#session = undefined
    await this.#turn.run(async () => {})
  }

  /** A statement of the transaction itself. One that fails may have ended it for all that follow, so nobody follows. */
  async own<T>(run: () => Promise<T>): Promise<T> {
    return this.#turn.run(async () => {
      try {
        return await run()
      } catch (error) {
        this.#session = undefined
        throw error
      }
    })
  }

  /**
   * Runs a read between two statements of the transaction, which goes on whether or not the read fails.
   * @returns undefined where nobody may come in any more: it did not run then
   */
  async visit<T>(read: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    return this.#turn.run(async () => {
      const session = this.#session
      if (session === undefined) return undefined
      try {
        await session.script('savepoint guest', this.#readMs)
      } catch {
        // The transaction has failed, or the engine has ended.
        this.#session = undefined
        return undefined
      }
      try {
        const value = await read()
        await session.script('release savepoint guest', this.#readMs)
        return { value }
      } catch (error) {
        await session
          .script('rollback to savepoint guest; release savepoint guest', this.#readMs)
          .catch(() => {
            this.#session = undefined
          })
        throw error
      }
    })
  }
}
