/**
 * An engine that is restarted when it stops: because of a full disk, an endless statement or a fault of its own. Until
 * it is open again, callers get DatabaseUnavailable. No acknowledged commit is lost.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database.ts'
import { DiskSpace, type DiskSpaceOptions } from './disk-space.ts'
import { NO_SPACE, reasonOf } from './engine-error.ts'
import type { StartEngine } from './engine-messages.ts'
import { type EngineThread, startEngineThread } from './engine-thread.ts'
import { Session } from './session.ts'

export interface LivingEngineOptions extends StartEngine {
  /** Called with the reason when the engine has stopped, and again when it is open. */
  readonly onChange?: ((sentence: string) => void) | undefined
  readonly freeBytes?: DiskSpaceOptions['freeBytes']
}

/** The only statement at opening is one setting. */
const OPENING_MS_MAX = 30_000

/** A full disk stays full for a while. */
const RETRY_MS = [0, 1000, 2000, 5000] as const

/** Holds the engine's current thread and session. */
export class LivingEngine {
  readonly #options: LivingEngineOptions
  /** space on the engine's disk; undefined in memory */
  readonly space: DiskSpace | undefined
  #thread: EngineThread | undefined
  #session: Session | undefined
  #reason = ''
  #closing = new AbortController()

  private constructor(options: LivingEngineOptions) {
    this.#options = options
    const { folder } = options
    this.space = folder === undefined ? undefined : new DiskSpace({ ...options, folder })
  }

  /**
   * Opens the engine. @throws the reason if it cannot be opened: the first time there is no earlier engine to return to
   */
  static async open(options: LivingEngineOptions): Promise<LivingEngine> {
    const engine = new LivingEngine(options)
    try {
      await engine.#start()
    } catch (error) {
      engine.space?.stop()
      throw error
    }
    return engine
  }

  /** The session of the current engine. @throws {DatabaseUnavailable} while none is open */
  get session(): Session {
    if (this.#session !== undefined) return this.#session
    throw new DatabaseUnavailable('the embedded database has ended and is opened again', {
      cause: new Error(this.#reason),
    })
  }

  /** Whether checkpoints of the current engine wait. One that is restarted does not wait any more. */
  holdCheckpoints(holds: boolean): void {
    this.#thread?.holdCheckpoints(holds)
  }

  /** Terminates the engine whatever it does, and restarts it. */
  restart(reason: string): void {
    this.#thread?.end(reason)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.space?.stop()
    this.#session = undefined
    this.#reason = 'it was closed'
    await this.#thread?.close()
  }

  async #start(): Promise<void> {
    const { folder, isNew, from } = this.#options
    await this.space?.requireForOpening()
    const thread = await startEngineThread({ folder, isNew, from }, (reason) => void this.#reopen(reason))
    const session = new Session(thread)
    await session.script("set time zone 'UTC'", OPENING_MS_MAX)
    this.#thread = thread
    if (this.#closing.signal.aborted) await thread.close()
    else this.#session = session
  }

  async #reopen(reason: string): Promise<void> {
    this.#thread = undefined
    this.#session = undefined
    this.#reason = reason
    if (this.#closing.signal.aborted) return
    this.#options.onChange?.(`The embedded database has ended and is opened again: ${reason}.`)
    if (reason.includes(NO_SPACE)) this.space?.release()
    for (let attempt = 0; this.#session === undefined && !this.#closing.signal.aborted; attempt++) {
      await wait(RETRY_MS[attempt] ?? RETRY_MS.at(-1), undefined, { signal: this.#closing.signal }).catch(
        () => {},
      )
      if (this.#closing.signal.aborted) return
      try {
        await this.#start()
        this.#options.onChange?.('The embedded database is open again.')
      } catch (error) {
        this.#reason = reasonOf(error)
      }
    }
  }
}
