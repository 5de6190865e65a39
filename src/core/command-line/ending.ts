/** How a process that serves is ended: by a signal, or by the end of the shell that npm started it in. */
import { SIGNAL_CODES } from './interruption.ts'

export interface Ending {
  /** From this call on, the first signal no longer ends the process: the promise resolves instead. */
  awaitSignal(): Promise<void>
  /**
   * Sets what the next signal does instead of ending the process. The signal after it ends the process.
   * @param hurry called with the exit code for that signal
   */
  onSecondSignal(hurry: (code: number) => void): void
}

/**
 * Until the service listens, a signal ends the process at once: what the database has not finished is undone at the
 * next start. After that, a first signal ends the service, a second one makes it end sooner, and a third one ends the
 * process at once.
 */
export function endAtOnceOnSignals(): Ending {
  let onSignal: ((code: number) => void) | undefined
  let hasAnswered = false
  let isServing = false
  const end = (code: number) => {
    hasAnswered = true
    if (onSignal === undefined) {
      if (!isServing) process.stderr.write('Ended before it served anything.\n')
      process.exit(code)
    }
    const act = onSignal
    onSignal = undefined
    act(code)
  }
  for (const [signal, code] of Object.entries(SIGNAL_CODES)) process.on(signal, () => end(code))
  whenOrphaned(() => {
    // A signal to the whole process group (from systemd, or a terminal) ends npm as well, and is not a second signal.
    if (!hasAnswered) end(SIGNAL_CODES.SIGHUP)
  })
  return {
    awaitSignal: () =>
      new Promise((resolve) => {
        isServing = true
        onSignal = () => resolve()
      }),
    onSecondSignal(hurry) {
      onSignal = hurry
    },
  }
}

const ORPHANED_MS = 200

/**
 * npm starts a script through a shell and passes a signal on to that shell, which ends without informing this process
 * (measured: `kill` of `npm run demo` left the service running). So under npm the end of the shell counts as a signal.
 */
function whenOrphaned(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, ORPHANED_MS).unref()
}
