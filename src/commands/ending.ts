/** How a process that serves is told to end: by a signal, or by the end of the shell that npm started it in. */

export interface Ending {
  /** From now on being told to end no longer ends the process at once: the promise resolves instead. */
  awaitSignal(): Promise<void>
  /** What the next signal does then, instead of ending the process at once; the one after it does that again. */
  onSecondSignal(hurry: () => void): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Until the service listens there is nothing to lose: what the database has not finished it undoes at the next
 * start, so a signal ends the process at once. A second signal while it is ending makes it hurry, and a third one ends it
 * at once.
 */
export function endAtOnceOnSignals(): Ending {
  let onSignal: (() => void) | undefined
  let isTold = false
  let isServing = false
  const end = () => {
    isTold = true
    if (onSignal === undefined) {
      if (!isServing) process.stderr.write('Ended before it served anything.\n')
      process.exit(ENDED_EARLY)
    }
    const act = onSignal
    onSignal = undefined
    act()
  }
  for (const signal of SIGNALS) process.on(signal, end)
  whenOrphaned(() => {
    // A signal to the whole process group (systemd's, a terminal's) ends npm as well: that is no second one.
    if (!isTold) end()
  })
  return {
    awaitSignal: () =>
      new Promise((resolve) => {
        isServing = true
        onSignal = resolve
      }),
    onSecondSignal(hurry) {
      onSignal = hurry
    },
  }
}

const ORPHANED_MS = 200

/**
 * npm starts a script through a shell and passes a signal on to that shell, which ends without telling us
 * (tried: `kill` of `npm run demo` left the service running). So under npm the end of the shell is a signal.
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

/** What shells give a process that Ctrl-C ended. */
export const ENDED_EARLY = 130
