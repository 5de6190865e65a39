/** The `sojourn` command: all commands, and how each failure becomes one sentence and an exit code. */
import { Command, type CommanderError } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { KeyError } from '../core/access/keys/key.ts'
import { asOperator } from '../core/audit/operator.ts'
import { ConfigError } from '../core/config/config.ts'
import { settingsTable } from '../core/config/settings-page.ts'
import { DatabaseUnavailable, DiskFull, FolderGone } from '../core/database/database.ts'
import { CannotOpen } from '../core/database/open.ts'
import { visible, visibleLines } from '../core/errors/visible.ts'
import { InputError } from '../core/intake/input-error.ts'
import { CellsError } from '../parts/cells/cells-file.ts'
import { AddressError } from '../parts/notices/manage-addresses.ts'
import { ReportError } from '../parts/reports/report.ts'
import { SourceError } from '../parts/sources/manage-sources.ts'
import { WebhookError } from '../parts/webhooks/webhook.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { bookingsCommand } from './bookings.ts'
import { cellsCommand } from './cells.ts'
import { centersCommand } from './centers.ts'
import { completionCommand } from './completion.ts'
import { type CommandContext, CommandEnded, CommandError, type Surroundings, UsageError } from './context.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { guestCommand } from './guest.ts'
import { importCommand } from './import-command.ts'
import { importsCommand } from './imports.ts'
import { Interrupted } from './interruption.ts'
import { keysCommand } from './keys.ts'
import { linksCommand } from './links.ts'
import { mappingsCommand } from './mappings.ts'
import { mcpCommand } from './mcp.ts'
import { migrateCommand } from './migrate.ts'
import { poolerSettingsCommand } from './pooler-settings.ts'
import { reportsCommand } from './reports.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { sourcesCommand } from './sources.ts'
import { statusCommand } from './status.ts'
import { webhooksCommand } from './webhooks.ts'

/** The command failed. */
const FAILED = 1
/** The command line is invalid. */
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

To begin:
  $ sojourn demo                       a demo center to try everything with
  $ sojourn import center.ndjson       your own records
  $ sojourn keys create --center ID --name "Lab" --preset doctor
  $ sojourn serve`,
    )
  const commands = [
    serveCommand(context),
    demoCommand(context),
    mcpCommand(context),
    restoreCommand(context),
    importCommand(context, run),
    importsCommand(context),
    sourcesCommand(context),
    reportsCommand(context),
    mappingsCommand(context),
    exportCommand(context),
    backupCommand(context),
    keysCommand(context),
    linksCommand(context),
    webhooksCommand(context),
    centersCommand(context),
    cellsCommand(context),
    bookingsCommand(context),
    guestCommand(context),
    auditCommand(context),
    statusCommand(context),
    doctorCommand(context),
    migrateCommand(context),
    poolerSettingsCommand(context),
    completionCommand(context, program),
  ]
  for (const command of commands) program.addCommand(command)
  for (const command of allOf(program)) {
    command
      .configureHelp({ showGlobalOptions: false })
      .configureOutput({
        writeOut: (text) => stdout.write(text),
        writeErr: (text) => stderr.write(text),
        // `run` reports errors in the command line, once.
        outputError: () => {},
      })
      .helpOption('-h, --help', 'print this help')
      .helpCommand(false)
      .exitOverride((error) => {
        throw new Misuse(command, error)
      })
  }
  return program
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)]
}

/** Runs one command line, without `node` and the name of the script. @returns the exit code */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const context = { ...surroundings, args }
  const program = createProgram(context)
  const printError = (sentence: string, code: number) => {
    context.stderr.write(`${visibleLines(sentence)}\n`)
    return code
  }
  try {
    await asOperator(context, () => program.parseAsync(args, { from: 'user' }))
    return 0
  } catch (error) {
    if (error instanceof Misuse) return misused(error, context)
    if (error instanceof UsageError)
      return printError(`${error.message} ${helpFor(commandOf(program, args))}`, MISUSED)
    if (error instanceof CommandEnded) return error.code
    return printError(sentenceOf(error), error instanceof Interrupted ? error.code : FAILED)
  }
}

/** What commander reports for an invalid command line, or for one that asks for help. */
class Misuse extends Error {
  readonly command: Command
  readonly reason: CommanderError

  constructor(command: Command, reason: CommanderError) {
    super(reason.message)
    this.command = command
    this.reason = reason
  }
}

function misused({ command, reason }: Misuse, context: CommandContext): number {
  if (reason.code === 'commander.version' || reason.code === 'commander.helpDisplayed') return 0
  // Without a command, the help has been printed as the answer.
  if (reason.code === 'commander.help') return MISUSED
  // "error: unknown option '--prot'\n(Did you mean --port?)"
  const [what = '', ...hints] = reason.message
    .replace(/^error: /, '')
    .split('\n')
    .map(visible)
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`
  const hint = hints.map((line) => ` ${line.replace(/^\((.*)\)$/, '$1')}`).join('')
  context.stderr.write(`${sentence}${hint} ${helpFor(command)}\n`)
  return MISUSED
}

const helpFor = (command: Command) => `See "${nameOf(command)} --help".`

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

/** The command that the first words name. */
function commandOf(program: Command, [word, ...rest]: readonly string[]): Command {
  const child = program.commands.find((command) => command.name() === word)
  return child === undefined ? program : commandOf(child, rest)
}

/** Messages only: a stack does not help a user. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `The command failed: ${String(error)}`
  if (SHOWN_AS_THEY_ARE.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseUnavailable) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return `The database stopped answering${reason}. What was not committed was rolled back.`
  }
  return `The command failed: ${error.message}`
}

const SHOWN_AS_THEY_ARE = [
  DiskFull,
  FolderGone,
  CommandError,
  ConfigError,
  CannotOpen,
  KeyError,
  ReportError,
  WebhookError,
  SourceError,
  AddressError,
  CellsError,
  InputError,
  Interrupted,
]
