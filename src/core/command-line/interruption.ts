/** An interruption of a command, by its user or by the service that runs it. */
import { UserError } from '../errors/user-error.ts'

export class Interrupted extends UserError {
  override readonly name = 'Interrupted'
  /** the exit code of the command */
  readonly code: number

  /** @param message a sentence without the state of the data, which the command adds */
  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}

/** The exit codes that shells report for a process that a signal ended: 128 plus the signal's number. */
export const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * From now on, Ctrl-C does not end the process: it aborts the returned signal, so that the command can undo its open
 * changes and report that. A second Ctrl-C ends the process; the database then undoes what is not committed.
 */
export function interruptOnSignals(): AbortSignal {
  const controller = new AbortController()
  for (const [signal, code] of Object.entries(SIGNAL_CODES)) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code)
      controller.abort(new Interrupted('Interrupted', code))
    })
  }
  return controller.signal
}

/** Waits for `work`, but no longer than until the signal is aborted. */
export async function unlessInterrupted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const interrupt = () => reject(signal.reason)
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', interrupt)
    promise.catch(() => {})
  }
}
