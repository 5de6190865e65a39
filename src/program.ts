/** The `sojourn` command: all commands, and how each failure becomes one sentence and an exit code. */
import { Command, type CommanderError } from 'commander'
import packageFile from '../package.json' with { type: 'json' }
import { ADDED_COMMANDS, COMMANDS, PARTS_OF_COMMANDS } from './commands.ts'
import { asOperator } from './core/audit/operator.ts'
import {
  type CommandContext,
  CommandEnded,
  type Surroundings,
  UsageError,
} from './core/command-line/context.ts'
import { Interrupted } from './core/command-line/interruption.ts'
import { settingsTable } from './core/config/settings-page.ts'
import { DatabaseUnavailable, DiskFull, FolderGone } from './core/database/database.ts'
import { UserError } from './core/errors/user-error.ts'
import { visible, visibleLines } from './core/errors/visible.ts'

/** The command failed. */
const FAILED = 1
/** The command line is invalid. */
const MISUSED = 2

/** @param context with the words that name a command: only that one is loaded, and all if they name none */
export async function createProgram(context: CommandContext): Promise<Command> {
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
  for (const load of called(context.args)) {
    const make = await load()
    program.addCommand(make(context, { run, program }))
  }
  await addCommandsOfParts(program, context)
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

/** What the first word needs: the help, a script of completion, and the answer to a misspelt word need all commands. */
function called([word = '']: readonly string[]) {
  if (word === '-V' || word === '--version') return []
  const one = word === 'completion' || !Object.hasOwn(COMMANDS, word) ? undefined : COMMANDS[word]
  return one === undefined ? Object.values(COMMANDS) : [one]
}

/** Those of a part that come after one of a group, in the group's help. */
async function addCommandsOfParts(program: Command, context: CommandContext): Promise<void> {
  for (const [path, load] of Object.entries(ADDED_COMMANDS)) {
    const [groupName, before] = path.split(' ')
    const group = program.commands.find((command) => command.name() === groupName)
    if (group === undefined) continue
    const make = await load()
    group.addCommand(make(context, { run, program }))
    const commands = group.commands as Command[]
    const added = commands.splice(-1)
    commands.splice(commands.findIndex((command) => command.name() === before) + 1, 0, ...added)
  }
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)]
}

/** Runs one command line, without `node` and the name of the script. @returns the exit code */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const context = { ...surroundings, args, parts: PARTS_OF_COMMANDS }
  const program = await createProgram(context)
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
  if (error instanceof UserError || error instanceof DiskFull || error instanceof FolderGone)
    return error.message
  if (error instanceof DatabaseUnavailable) {
    const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return `The database stopped answering${reason}. What was not committed was rolled back.`
  }
  return `The command failed: ${error.message}`
}
