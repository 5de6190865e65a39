/**
 * Reads of other centers between the statements of a transaction that writes one center's rows. The transaction changes
 * nothing that they read, so their results are the same during it as after it, and they need not wait.
 */
import { Mutex } from '../mutex.ts'
import type { Session } from './session.ts'

/** Lets reads in while its transaction is open. */
export class Guests {
  readonly #host: string
  readonly #turn = new Mutex()
  readonly #readMs: number
  readonly #onOpen: () => void
  #session: Session | undefined

  /**
   * @param host the center whose rows the transaction writes
   * @param readMs time-out of a read, in ms
   * @param onOpen called when reads may begin
   */
  constructor(host: string, readMs: number, onOpen: () => void) {
    this.#host = host
    this.#readMs = readMs
    this.#onOpen = onOpen
  }

  /** Whether a read of this center may run now. */
  isWelcome(center: string): boolean {
    return this.#session !== undefined && center !== this.#host
  }

  /** Lets reads in. Called when the transaction has begun. */
  open(session: Session): void {
    this.#session = session
    this.#onOpen()
  }

  /** Stops new reads. Resolves when none is running. */
  async close(): Promise<void> {
    this.#session = undefined
    await this.#turn.run(async () => {})
  }

  /**
   * Runs a statement of the transaction itself. If it fails, the transaction may be aborted, so no reads are let in
   * afterwards.
   */
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
   * Runs a read between two statements of the transaction. A savepoint keeps the transaction intact if the read fails.
   * @returns undefined if reads are no longer let in; the read has not run then
   */
  async visit<T>(read: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    return this.#turn.run(async () => {
      const session = this.#session
      if (session === undefined) return undefined
      try {
        await session.script('savepoint guest', this.#readMs)
      } catch {
        // The transaction has failed, or the engine has stopped.
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
