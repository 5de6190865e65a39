/** What a command works with: nothing of the process is reached for elsewhere. */
import { type Config, type Environment, readConfig } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import type { OpenedDatabase } from '../database/open.ts'
import { systemMessage } from '../database/system-message.ts'
import { NoSuchCenter } from '../errors/no-such-center.ts'
import type { Files } from '../intake/files.ts'
import type { RandomBytes } from '../keys/token.ts'
import { Interrupted, unlessInterrupted } from './interruption.ts'
import { reachDatabase } from './reach-database.ts'
import { watchDatabase } from './watch-database.ts'

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export interface CommandContext {
  /** The command line, without `node` and the script's name. */
  readonly args: readonly string[]
  readonly env: Environment
  /** Whether somebody types; what it holds is one of the files. */
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly files: Files
  readonly random: RandomBytes
  /** Who runs the command: their name on this machine. */
  readonly user: string
  /** epoch ms */
  readonly now: () => number
  /** From when this is called on, an interruption aborts the signal and no longer ends the process. */
  readonly interrupts: () => AbortSignal
  /** Present where the service runs the command for another process. */
  readonly service?: ServiceSide | undefined
}

/** All of it but the command line. */
export type Surroundings = Omit<CommandContext, 'args'>

/** Runs a command line and gives its exit code. */
export type RunCommand = (args: readonly string[], surroundings: Surroundings) => Promise<number>

/** What a command that the service runs has in place of a database of its own. */
export interface ServiceSide {
  readonly database: Database
  readonly config: Config
  /** Where the data is, for people. */
  readonly place: string
  readonly onHold: (holds: boolean) => void
  readonly beforeCommit: () => Promise<void>
  /** As `showOnce`, on the user's standard output. */
  readonly show: (text: string) => Promise<void>
}

/** A command cannot do its work; the message is the sentence that says why, and what to do. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The command line itself is wrong, in a way that only the command can see. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/** What nobody can see again could not be written, so it is not kept. */
export class NotShown extends CommandError {
  override readonly name = 'NotShown'
}

/** The command ends with this exit code and has said all there is to say. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded'
  readonly code: number
  constructor(code: number) {
    super(`ended with exit code ${code}`)
    this.code = code
  }
}

/** What a command tells when it was cut off. */
export interface Outcomes {
  /** Nothing of it is in the database: `Nothing was imported.` */
  readonly nothing: string
  /** All of it may be, or nothing: what to do then. */
  readonly unknown: string
}

export interface DatabaseUse {
  readonly migrate?: boolean
  /** What it does where the embedded folder has no database; unless this says otherwise, it says so and ends. */
  readonly ifNew?: 'create' | 'try'
  /** Of a command that changes something; left out where it only reads. */
  readonly outcomes?: Outcomes
  /** The files it reads and makes, as they were typed. */
  readonly files?: { readonly read?: readonly string[]; readonly write?: readonly string[] }
}

/**
 * Runs `work` with the database that the settings name. Where a service has the embedded folder, the service runs
 * the whole command, and this one ends with its exit code.
 */
export async function withDatabase<T>(
  context: CommandContext,
  work: (database: OpenedDatabase, config: Config) => Promise<T>,
  use: DatabaseUse = {},
): Promise<T> {
  const { service } = context
  const signal = context.interrupts()
  let mayHaveChanged = false
  let place = ''
  const on = (opened: OpenedDatabase, config: Config) => {
    place = opened.place
    return work(opened, config)
  }
  const watched = (database: Database, hooks: Partial<ServiceSide> = {}) =>
    watchDatabase(database, {
      signal,
      onHold: hooks.onHold,
      async beforeCommit() {
        mayHaveChanged = use.outcomes !== undefined
        if (mayHaveChanged) await hooks.beforeCommit?.()
      },
      changes: use.outcomes !== undefined,
    })
  try {
    if (service !== undefined) {
      const opened = { ...watched(service.database, service), migrationsApplied: [], place: service.place }
      return await on(opened, service.config)
    }
    const config = readConfig(context.env)
    const reached = await reachDatabase(
      config,
      {
        migrate: use.migrate,
        ifNew: use.ifNew ?? 'refuse',
        onCreating: tellCreating(context),
        onTrying: tellTrying(context),
      },
      signal,
    )
    if ('owner' in reached) {
      // Only here: most commands find the database free.
      const { runInService } = await import('./channel/run-in-service.ts')
      throw new CommandEnded(await runInService(reached, context, signal, use))
    }
    const { database } = reached
    try {
      return await on({ ...database, ...watched(database) }, config)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof NotShown)
      throw new CommandError(`${error.message} ${use.outcomes?.nothing ?? ''}`.trimEnd())
    if (error instanceof NoSuchCenter) throw notInDatabase(error, place)
    // Whatever an interruption broke on its way, it is what ended the command.
    if (!signal.aborted || error instanceof CommandEnded) throw error
    const { message, code } = interruptionOf(signal)
    const outcome = mayHaveChanged ? use.outcomes?.unknown : use.outcomes?.nothing
    throw new Interrupted(outcome === undefined ? `${message}.` : `${message}. ${outcome}`, code)
  }
}

/** Often the center is right, and the database is another one. */
const notInDatabase = ({ message }: NoSuchCenter, place: string) =>
  new CommandError(`${message} The database is ${place}; DATA_DIR or DATABASE_URL names another.`)

/** Says on standard error that a new embedded database is made, and that this takes its time. */
export const tellCreating =
  ({ stderr }: Pick<CommandContext, 'stderr'>) =>
  (folder: string) =>
    void stderr.write(`Creating a new database in ${folder}; this takes a few seconds.\n`)

const tellTrying =
  ({ stderr }: Pick<CommandContext, 'stderr'>) =>
  (folder: string) =>
    void stderr.write(
      `There is no database in ${folder} (DATA_DIR), so the dry run works on an empty one in memory.\n`,
    )

function interruptionOf(signal: AbortSignal): Interrupted {
  const reason: unknown = signal.reason
  return reason instanceof Interrupted ? reason : new Interrupted('Interrupted', 130)
}

/**
 * Writes to standard output, as fast as it is read there.
 * @throws {CommandEnded} with 0 where nobody reads it any more
 */
export function print(
  { stdout, interrupts }: Pick<CommandContext, 'stdout' | 'interrupts'>,
  text: string | Uint8Array,
): Promise<void> {
  const written = write(stdout, text, 0)
  written.catch(() => {})
  return unlessInterrupted(interrupts(), written)
}

/**
 * Writes as fast as it is read.
 * @throws {CommandEnded} with `unreadCode` where nobody reads it any more (`sojourn export | head -1`)
 */
export function write(output: Output, text: string | Uint8Array, unreadCode: number): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (!error) resolve()
      else reject(error.code === 'EPIPE' ? new CommandEnded(unreadCode) : error)
    })
  })
}

/**
 * Writes what nobody can see again to standard output, before it is kept.
 * @throws {NotShown} where it is not out, whatever the reason, a reader that has gone included
 */
export async function showOnce(
  { stdout, interrupts, service }: Pick<CommandContext, 'stdout' | 'interrupts' | 'service'>,
  text: string,
): Promise<void> {
  await unlessInterrupted(interrupts(), service === undefined ? show(stdout, text) : service.show(text))
}

/** `showOnce` on this output. @throws {NotShown} */
export async function show(output: Output, text: string | Uint8Array): Promise<void> {
  // main.ts ends the process at an error that nobody else waits for.
  const toldHere = () => {}
  output.on('error', toldHere)
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => {
      if (error) reject(new NotShown(`The output cannot be written: ${systemMessage(error)}.`))
      else resolve()
    })
  })
  output.off('error', toldHere)
}

export const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

export const linesText = (lines: readonly string[]) => `${lines.join('\n')}\n`

export const printJson = (context: CommandContext, value: unknown) => print(context, jsonText(value))

export const printLines = (context: CommandContext, lines: readonly string[]) =>
  print(context, linesText(lines))
