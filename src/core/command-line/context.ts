/** What a command depends on. No other code of the commands uses globals of the process. */

import type { RandomBytes } from '../access/keys/token.ts'
import { type Config, type Environment, readConfig } from '../config/config.ts'
import type { OpenedDatabase, openDatabase } from '../database/open.ts'
import { systemMessage } from '../database/postgres/system-message.ts'
import { NoSuchCenter } from '../errors/no-such-center.ts'
import { UserError } from '../errors/user-error.ts'
import { visible, visibleJson } from '../errors/visible.ts'
import type { Files } from '../intake/lines/files.ts'
import { Interrupted, unlessInterrupted } from './interruption.ts'
import type { PartsOfCommands } from './parts.ts'
import { watchDatabase } from './watch-database.ts'

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export interface CommandContext {
  /** the command line, without `node` and the name of the script */
  readonly args: readonly string[]
  readonly env: Environment
  /** whether standard input is a terminal; its content is read as one of the files */
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly files: Files
  readonly random: RandomBytes
  /** the name of the user on this machine */
  readonly user: string
  /** the name of the machine on which the user runs it */
  readonly machine: string
  /** epoch ms */
  readonly now: () => number
  /** From the first call on, an interruption aborts the signal and no longer ends the process. */
  readonly interrupts: () => AbortSignal
  readonly openDatabase: typeof openDatabase
  readonly parts: PartsOfCommands
}

/** Everything except the command line, and the parts. */
export type Surroundings = Omit<CommandContext, 'args' | 'parts'>

/** Runs a command line and returns its exit code. */
export type RunCommand = (args: readonly string[], surroundings: Surroundings) => Promise<number>

/** A command cannot do its work. The message is a sentence that says why, and what to do. */
export class CommandError extends UserError {
  override readonly name: string = 'CommandError'
}

/** The command line is invalid, in a way that only the command can detect. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/** A value that is shown only once could not be printed, so it is not retained. */
export class NotShown extends CommandError {
  override readonly name = 'NotShown'
}

/** The command ends with this exit code; everything has been printed. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded'
  readonly code: number
  constructor(code: number) {
    super(`ended with exit code ${code}`)
    this.code = code
  }
}

/** What a command prints when it is interrupted. */
export interface Outcomes {
  /** nothing of it is in the database: `Nothing was imported.` */
  readonly nothing: string
  /** all of it may be in the database, or nothing: what to do then */
  readonly unknown: string
}

export interface DatabaseUse {
  readonly migrate?: boolean
  /** What happens if the folder has no database. By default, the command says so and ends. */
  readonly ifNew?: 'create' | 'try'
  /** Opens the database of a folder without migrating it. */
  readonly asItIs?: boolean
  /** Leaves it to others to complete an interrupted erasure. */
  readonly leavesRewrites?: boolean
  /** present if the command changes something */
  readonly outcomes?: Outcomes
}

/** Runs `work` with the database of the settings. */
export async function withDatabase<T>(
  context: CommandContext,
  work: (database: OpenedDatabase, config: Config) => Promise<T>,
  use: DatabaseUse = {},
): Promise<T> {
  const signal = context.interrupts()
  let mayHaveChanged = false
  let place = ''
  try {
    const config = readConfig(context.env)
    signal.throwIfAborted()
    const database = await context.openDatabase(config, {
      purpose: 'command',
      migrate: use.migrate,
      ifNew: use.ifNew ?? 'refuse',
      asItIs: use.asItIs,
      leavesRewrites: use.leavesRewrites,
      onCreating: tellCreating(context),
      onTrying: tellTrying(context),
      ...(use.migrate ? { onChange: (sentence) => void context.stderr.write(`${sentence}\n`) } : {}),
    })
    place = database.place
    const watched = watchDatabase(database, {
      signal,
      onCommit() {
        mayHaveChanged = use.outcomes !== undefined
      },
      changes: use.outcomes !== undefined,
    })
    try {
      return await work({ ...database, ...watched }, config)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof NotShown)
      throw new CommandError(`${error.message} ${use.outcomes?.nothing ?? ''}`.trimEnd())
    if (error instanceof NoSuchCenter) throw notInDatabase(error, place)
    // Any error that follows an interruption is a consequence of it.
    if (!signal.aborted || error instanceof CommandEnded) throw error
    const { message, code } = interruptionOf(signal)
    const outcome = mayHaveChanged ? use.outcomes?.unknown : use.outcomes?.nothing
    throw new Interrupted(outcome === undefined ? `${message}.` : `${message}. ${outcome}`, code)
  }
}

/** Often the center is right, and the database is the wrong one. */
const notInDatabase = ({ message }: NoSuchCenter, place: string) =>
  new CommandError(`${message} The database is ${place}; DATA_DIR or DATABASE_URL names another.`)

/** Prints on standard error that a new database is created, and that this takes a few seconds. */
export const tellCreating =
  ({ stderr }: Pick<CommandContext, 'stderr'>) =>
  (folder: string, note: string | undefined) =>
    void stderr.write(
      `Creating a new database in ${folder}; this takes a few seconds.${note === undefined ? '' : ` ${note}`}\n`,
    )

const tellTrying =
  ({ stderr }: Pick<CommandContext, 'stderr'>) =>
  (folder: string) =>
    void stderr.write(
      `There is no database in ${folder} (DATA_DIR), so the dry run works on an empty one in a temporary folder.\n`,
    )

function interruptionOf(signal: AbortSignal): Interrupted {
  const reason: unknown = signal.reason
  return reason instanceof Interrupted ? reason : new Interrupted('Interrupted', 130)
}

/** Writes to standard output as fast as it is read. @throws {CommandEnded} with 0 if the reader has gone */
export function print(
  { stdout, interrupts }: Pick<CommandContext, 'stdout' | 'interrupts'>,
  text: string | Uint8Array,
): Promise<void> {
  const written = write(stdout, text, 0)
  written.catch(() => {})
  return unlessInterrupted(interrupts(), written)
}

/**
 * Writes as fast as it is read. @throws {CommandEnded} with `unreadCode` if the reader has gone (`sojourn export | head
 * -1`)
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
 * Prints a value with a secret, which is shown only once, before it is retained. @param lines the value for people
 * @throws {NotShown} if it was not printed, for any reason, also if the reader has gone
 */
export async function showOnce(
  { stdout, interrupts }: Pick<CommandContext, 'stdout' | 'interrupts'>,
  { json }: { readonly json?: boolean },
  value: object,
  lines: readonly (string | Drawn)[],
): Promise<void> {
  const text = json ? jsonText(value) : linesText(lines)
  await unlessInterrupted(interrupts(), show(stdout, text))
}

/** `showOnce` on this output. @throws {NotShown} */
export async function show(output: Output, text: string | Uint8Array): Promise<void> {
  // main.ts ends the process at an error event without a listener.
  const ignoreEvent = () => {}
  output.on('error', ignoreEvent)
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => {
      if (error) reject(new NotShown(`The output cannot be written: ${systemMessage(error)}.`))
      else resolve()
    })
  })
  output.off('error', ignoreEvent)
}

const jsonText = (value: unknown) => `${visibleJson(JSON.stringify(value, null, 2))}\n`

/** A line that sets colours of the terminal. It has nothing that others wrote. */
export interface Drawn {
  readonly drawn: string
}

const linesText = (lines: readonly (string | Drawn)[]) =>
  `${lines.map((line) => (typeof line === 'string' ? visible(line) : line.drawn)).join('\n')}\n`

export const printJson = (context: CommandContext, value: unknown) => print(context, jsonText(value))

export const printLines = (context: CommandContext, lines: readonly (string | Drawn)[]) =>
  print(context, linesText(lines))
