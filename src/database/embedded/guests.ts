/**
 * Reads between the statements of a transaction, which need not wait for its end. A transaction that writes one center's rows
 * changes nothing that other centers read. All others see what was committed before it, once it has taken a while.
 */
import { Mutex } from '../mutex.ts'
import type { Reader } from './earlier-reads.ts'
import type { Session } from './session.ts'

/**
 * How long the transaction may have waited for reads, as a share of the time that its own statements took, and in ms before
 * that share counts. One wait counts for 100 ms at most: a search of a second would otherwise keep the short reads that
 * come after it waiting for as long again.
 */
const WAITED_SHARE = 1
const WAIT_COUNTED_MS_MAX = 100
const WAITED_MS_FREE = 100
/**
 * How long the transaction's own statements must have taken, in ms, before reads of rows that it may change come in. They are
 * planned anew each time, so it is better to wait for the end of a short one.
 */
const OWN_MS_BEFORE_EARLIER = 100

export interface GuestsOptions {
  /** the only center whose rows the transaction writes; undefined if it may write all */
  readonly host: string | undefined
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
  #earlier: Reader | undefined
  #ownMs = 0
  #waitedMs = 0
  /** when the statement of the transaction was sent that waits now */
  #waitsSince: number | undefined

  constructor(options: GuestsOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** @param center the only one that is read; undefined if that is not known. @returns whether the read may run now */
  isWelcome(center: string | undefined): boolean {
    return this.#acceptsReads && (this.#isOther(center) || this.#ownMs >= OWN_MS_BEFORE_EARLIER)
  }

  /**
   * Lets reads in. Called when the transaction has begun.
   * @param earlier reads what was committed before it
   */
  open(session: Session, earlier: Reader): void {
    this.#session = session
    this.#earlier = earlier
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
   * @param center as for `isWelcome`
   * @returns undefined if reads are not let in, for now or any more; the read has not run then
   */
  async read<T>(
    read: (reader: Reader) => Promise<T>,
    center: string | undefined,
  ): Promise<{ readonly value: T } | undefined> {
    const { readMs } = this.#options
    return this.#lock.run(async () => {
      const session = this.#session
      const reader = this.#isOther(center) ? session : this.#earlier
      if (session === undefined || reader === undefined || !this.#acceptsReads) return undefined
      try {
        await session.script('savepoint guest', readMs)
      } catch {
        // The transaction has failed, or the engine has stopped.
        this.#session = undefined
        return undefined
      }
      try {
        const value = await read(reader)
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

  #isOther(center: string | undefined): boolean {
    const { host } = this.#options
    return host !== undefined && center !== undefined && center !== host
  }

  get #acceptsReads(): boolean {
    const waitedMs = this.#waitedMs + this.#waitingMs
    return this.#session !== undefined && waitedMs <= WAITED_MS_FREE + this.#ownMs * WAITED_SHARE
  }

  get #waitingMs(): number {
    return this.#waitsSince === undefined ? 0 : this.#clock() - this.#waitsSince
  }
}
