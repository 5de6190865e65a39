/** Runs the `sojourn` command; `bin/sojourn.js` starts it. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { interruptOnSignals } from './core/command-line/interruption.ts'
import { FolderGone } from './core/database/database.ts'
import { systemMessage, systemUserName } from './core/database/postgres/system-message.ts'
import { localFiles } from './core/intake/lines/files.ts'
import { run } from './program.ts'

// A reader that has seen enough (`sojourn keys list | head -1`) is no failure. A command whose messages nobody takes may
// be one, and is ended before it is done.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A process that waits for this output undoes its work first, and says so.
    if (stream.listenerCount('error') > 1) return
    if (error.code === 'EPIPE') process.exit(stream === process.stdout ? 0 : 1)
    if (stream === process.stdout) {
      process.stderr.write(`The output cannot be written: ${systemMessage(error)}.\n`)
    }
    process.exit(1)
  })
}

/** A service manager must not start the service again: there would be an empty database (deploy/sojourn.service). */
const FOLDER_GONE = 66

// Without this the source line of the throw is printed.
process.on('uncaughtException', (error) => {
  if (error instanceof FolderGone) {
    process.stderr.write(`${error.message}\n`)
    process.exit(FOLDER_GONE)
  }
  process.stderr.write(`Sojourn stopped because of an internal error: ${error.message}\n`)
  process.exit(70)
})

/** The user, and who became that user with sudo: often everybody runs commands as the user of the service. */
function userName(): string {
  const user = systemUserName() ?? `user ${process.getuid?.() ?? ''}`.trim()
  const before = process.env.SUDO_USER ?? ''
  return /^[\w.-]{1,64}$/.test(before) && before !== user ? `${before} as ${user}` : user
}

let interruption: AbortSignal | undefined

/** A command that waits for its standard input ends with the interruption. */
function endReadingToo(signal: AbortSignal): AbortSignal {
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  return signal
}

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  files: localFiles(process.stdin, process.stdin.fd),
  random: randomBytes,
  user: userName(),
  machine: hostname(),
  openDatabase: async (...given) => (await import('./core/database/open.ts')).openDatabase(...given),
  now: Date.now,
  interrupts: () => (interruption ??= endReadingToo(interruptOnSignals())),
})

// A pipe that goes on although the command has ended would keep the process.
process.stdin.destroy()
