/**
 * Reads of other centers between the statements of a transaction that writes one center's rows. The transaction changes
 * nothing that they read, so their results are the same during it as after it, and they need not wait.
 */
import { Mutex } from '../mutex.ts'
import type { Session } from './session.ts'

/**
 * How long the transaction may have waited for reads, as a share of the time that its own statements took, and in ms before
 * that share counts. One wait counts for 100 ms at most: a search of a second would otherwise keep the short reads that
 * come after it waiting for as long again.
 */
const WAITED_SHARE = 1
const WAIT_COUNTED_MS_MAX = 100
const WAITED_MS_FREE = 100

export interface GuestsOptions {
  /** the center whose rows the transaction writes */
  readonly host: string
  /** time-out of a read, in ms */
  readonly readMs: number
  /** called when reads may begin */
  readonly onOpen: () => void
  /** called when a statement of the transaction has waited for reads, in ms */
  readonly onWait: (ms: number) => void
  /** ms */
  readonly clock?: () => number
}

/** Lets reads in while its transaction is open. */
export class Guests {
  readonly #options: GuestsOptions
  readonly #clock: () => number
  readonly #lock = new Mutex()
  #session: Session | undefined
  #ownMs = 0
  #waitedMs = 0
  /** when the statement of the transaction was sent that waits now */
  #waitsSince: number | undefined

  constructor(options: GuestsOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Whether a read of this center may run now. */
  isWelcome(center: string): boolean {
    return this.#acceptsReads && center !== this.#options.host
  }

  /** Lets reads in. Called when the transaction has begun. */
  open(session: Session): void {
    this.#session = session
    this.#options.onOpen()
  }

  /** Stops new reads. Resolves when none is running. */
  async close(): Promise<void> {
    this.#session = undefined
    await this.#lock.run(async () => {})
  }

  /**
   * Runs a statement of the transaction itself. If it fails, the transaction may be aborted, so no reads are let in
   * afterwards.
   */
  async own<T>(run: () => Promise<T>): Promise<T> {
    this.#waitsSince ??= this.#clock()
    return this.#lock.run(async () => {
      const waitedMs = this.#waitingMs
      const began = this.#clock()
      this.#waitsSince = undefined
      this.#waitedMs += Math.min(waitedMs, WAIT_COUNTED_MS_MAX)
      this.#options.onWait(waitedMs)
      try {
        return await run()
      } catch (error) {
        this.#session = undefined
        throw error
      } finally {
        this.#ownMs += this.#clock() - began
        // Reads that had to wait may have a share again.
        this.#options.onOpen()
      }
    })
  }

  /**
   * Runs a read between two statements of the transaction. A savepoint keeps the transaction intact if the read fails.
   * @returns undefined if reads are not let in, for now or any more; the read has not run then
   */
  async read<T>(read: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    const { readMs } = this.#options
    return this.#lock.run(async () => {
      const session = this.#session
      if (session === undefined || !this.#acceptsReads) return undefined
      try {
        await session.script('savepoint guest', readMs)
      } catch {
        // The transaction has failed, or the engine has stopped.
        this.#session = undefined
        return undefined
      }
      try {
        const value = await read()
        await session.script('release savepoint guest', readMs)
        return { value }
      } catch (error) {
        await session.script('rollback to savepoint guest; release savepoint guest', readMs).catch(() => {
          this.#session = undefined
        })
        throw error
      }
    })
  }

  get #acceptsReads(): boolean {
    const waitedMs = this.#waitedMs + this.#waitingMs
    return this.#session !== undefined && waitedMs <= WAITED_MS_FREE + this.#ownMs * WAITED_SHARE
  }

  get #waitingMs(): number {
    return this.#waitsSince === undefined ? 0 : this.#clock() - this.#waitsSince
  }
}
