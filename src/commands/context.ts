/** What a command works with: nothing of the process is reached for elsewhere. */
import { type Config, type Environment, readConfig } from '../config/config.ts'
import { type OpenedDatabase, openDatabase } from '../database/open.ts'
import type { RandomBytes } from '../keys/token.ts'

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

export interface CommandContext {
  readonly env: Environment
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly random: RandomBytes
  /** epoch ms */
  readonly now: () => number
}

/** A command cannot do its work; the message is the sentence that says why, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command failed and has said all there is to say. */
export class AlreadyTold extends Error {
  override readonly name = 'AlreadyTold'
}

/** Runs `work` with the database that the settings name: through the running service, where one has it. */
export async function withDatabase<T>(
  context: CommandContext,
  work: (database: OpenedDatabase, config: Config) => Promise<T>,
  options: { migrate?: boolean } = {},
): Promise<T> {
  const config = readConfig(context.env)
  const database = await openDatabase(config, { purpose: 'command', migrate: options.migrate })
  try {
    return await work(database, config)
  } finally {
    await database.close()
  }
}

export function printJson(context: CommandContext, value: unknown): void {
  context.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function printLines(context: CommandContext, lines: readonly string[]): void {
  context.stdout.write(`${lines.join('\n')}\n`)
}
