/** A command that is ended before it is done, by who runs it or by the service that runs it. */

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** The exit code it gives. */
  readonly code: number

  /** @param message a sentence without what became of the data, which the command knows */
  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}

/** What shells give a process that a signal ended: 128 and the signal's number. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * From now on Ctrl-C does not end the process but aborts the signal this gives, so that the command can undo what it
 * has begun and say so. A second one ends the process: what the database has not finished it undoes by itself.
 */
export function interruptOnSignals(): AbortSignal {
  const controller = new AbortController()
  for (const [signal, code] of Object.entries(CODES)) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code)
      controller.abort(new Interrupted('Interrupted', code))
    })
  }
  return controller.signal
}

/** Waits for `work`, but not beyond the moment the signal is aborted. */
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
