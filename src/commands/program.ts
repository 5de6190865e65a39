/** The `sojourn` command: all commands, and how each failure becomes one sentence and an exit code. */
import { Command, CommanderError } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { ConfigError } from '../config/config.ts'
import { settingsTable } from '../config/settings-page.ts'
import { DatabaseUnavailable, DiskFull } from '../database/database.ts'
import { CannotOpen } from '../database/open.ts'
import { KeyError } from '../keys/key.ts'
import { auditCommand } from './audit.ts'
import { bookingsCommand } from './bookings.ts'
import { type CommandContext, CommandEnded, CommandError, type Surroundings } from './context.ts'
import { demoCommand } from './demo.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import-command.ts'
import { Interrupted } from './interruption.ts'
import { keysCommand } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'

/** Something could not be done. */
const FAILED = 1
/** The command line itself is wrong. */
const MISUSED = 2

export function createProgram(context: CommandContext): Command {
  const { stdout, stderr } = context
  const program = new Command('sojourn')
    .description('The read side of a residential wellness or treatment center.')
    .version(packageFile.version, '-V, --version', 'print the version')
    .addHelpText(
      'after',
      `
Settings, from the environment (defaults in parentheses):
${settingsTable()}

Begin with:
  $ sojourn demo                       a believable center to try everything on
  $ sojourn import center.ndjson       your own records
  $ sojourn keys create --center ID --name "Lab" --preset medical
  $ sojourn serve`,
    )
    .addCommand(migrateCommand(context))
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(bookingsCommand(context))
    .addCommand(auditCommand(context))
  // A service runs commands for others, and no second service.
  if (context.service === undefined) {
    program.addCommand(serveCommand(context, run)).addCommand(demoCommand(context, run))
  }
  for (const command of allOf(program)) {
    command
      .configureHelp({ showGlobalOptions: false })
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        writeErr: (text) => stderr.write(text),
        // What is wrong with the command line is told once, in `run`.
        outputError: () => {},
      })
      .helpOption('-h, --help', 'print this help')
      .helpCommand(false)
      .exitOverride()
  }
  return program
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)]
}

/**
 * Runs one command line, without `node` and the script's name.
 * @returns the exit code
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const context = { ...surroundings, args }
  try {
    await createProgram(context).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return misused(error, context)
    if (error instanceof CommandEnded) return error.code
    context.stderr.write(`${sentenceOf(error)}\n`)
    return error instanceof Interrupted ? error.code : FAILED
  }
}

function misused(error: CommanderError, context: CommandContext): number {
  // Help and version were asked for, or, without a command, are the answer.
  if (error.code.startsWith('commander.help') || error.code === 'commander.version') return error.exitCode
  // "error: unknown option '--prot'\n(Did you mean --port?)"
  const [what = '', ...hints] = error.message.replace(/^error: /, '').split('\n')
  const hint = hints.length === 0 ? '' : ` ${hints.join(' ').replace('(Did', '(did')}`
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}${hint}.`
  context.stderr.write(`${sentence} See "sojourn --help".\n`)
  return MISUSED
}

/** Messages only: a stack tells a user nothing, and one from the embedded database is its whole source. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `Something went wrong: ${String(error)}`
  if (TOLD_AS_THEY_ARE.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseUnavailable) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return `The database stopped answering${reason}; nothing that was not finished is kept.`
  }
  return `This could not be done: ${error.message}`
}

const TOLD_AS_THEY_ARE = [DiskFull, CommandError, ConfigError, CannotOpen, KeyError, Interrupted]
