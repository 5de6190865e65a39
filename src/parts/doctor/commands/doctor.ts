/** `sojourn doctor`: checks a deployment and says what to do. It changes nothing and applies no migration. */
import { Command, InvalidArgumentError } from 'commander'
import {
  type CommandContext,
  CommandEnded,
  CommandError,
  printJson,
  printLines,
  UsageError,
} from '../../../core/command-line/context.ts'
import { counted } from '../../../core/command-line/words.ts'
import type { Config } from '../../../core/config/config.ts'
import { publicUrl } from '../../../core/config/kinds.ts'
import { CannotOpen, openDatabase } from '../../../core/database/open.ts'
import { folderProblem } from '../check-folder.ts'
import { checkSettings } from '../check-settings.ts'
import {
  type Examination,
  examineOpened,
  examineServer,
  examineSurroundings,
  withoutDatabase,
  withoutSettings,
} from '../examine.ts'
import { inspectOpened } from '../inspect-database.ts'
import { CHECKS, type CheckName, notChecked, notOk, type Result, type State, sorted } from '../result.ts'

interface Options {
  readonly json?: boolean
  readonly url?: string | true
}

interface Report {
  /** whether nothing is wrong; what could not be checked may be */
  readonly ok: boolean
  readonly checks: readonly Result[]
}

export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description(
      'check a deployment: settings, database, rights, clock, disk, trail, proxies; and say what to do',
    )
    .option(
      '--url [url]',
      'also request the public address, by default PUBLIC_URL: its certificate, and what the service sees of a client',
      readUrl,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Each check is ok, not ok, or could not be checked, and says why. Exits with 1 if one is not ok. Run it as the user and with
the settings of the service, also while the service runs. It changes nothing, applies no migration and sends no e-mail.

With --url, requests go to that address only. The service says what it sees of a client only to a sender that has its METRICS_TOKEN.

Examples:
  $ sojourn doctor
  $ sojourn doctor --url https://api.example.org
  $ sojourn doctor --json
`,
    )
    .action(async (options: Options) => {
      const results = await examine(context, options)
      const report: Report = {
        ok: !results.some(({ state }) => state === 'notOk'),
        checks: sorted(results),
      }
      if (options.json) await printJson(context, report)
      else await printLines(context, linesOf(report.checks))
      if (!report.ok) throw new CommandEnded(1)
    })
}

function readUrl(text: string): string {
  const url = publicUrl.read(text)
  if (url === undefined) throw new InvalidArgumentError(`Expected ${publicUrl.allowed}.`)
  return url
}

async function examine(context: CommandContext, options: Options): Promise<readonly Result[]> {
  const { now } = context
  const { results, config } = checkSettings(context.env)
  if (config === undefined) return [...results, ...withoutSettings(Object.keys(CHECKS) as CheckName[])]
  const examination = { config, now, url: urlOf(options, config) }
  if (config.databaseUrl === undefined) {
    return [...results, ...(await examineFolder(examination))]
  }
  const [around, data] = await Promise.all([
    examineSurroundings(examination),
    examineServer(config.databaseUrl, examination),
  ])
  return [...results, ...around, ...data]
}

function urlOf({ url }: Options, config: Config): string | undefined {
  if (url !== true) return url
  if (config.publicUrl !== undefined) return config.publicUrl
  throw new UsageError(
    'PUBLIC_URL is not set: name the address with --url, such as --url https://api.example.org.',
  )
}

async function examineFolder(examination: Examination): Promise<readonly Result[]> {
  const { config } = examination
  const alone = async (why: Result) => [
    ...(await examineSurroundings(examination)),
    ...(await withoutDatabase(why, examination)),
  ]
  if (folderProblem(config) !== undefined) {
    return alone(notChecked('database', 'There is no database that this user can open.'))
  }
  try {
    const database = await openDatabase(config, { purpose: 'command', ifNew: 'refuse', asItIs: true })
    try {
      const data = await examineOpened(inspectOpened(database, database.place), examination)
      return [...(await examineSurroundings(examination)), ...data]
    } finally {
      await database.close()
    }
  } catch (error) {
    // The sentences of these say what to do.
    if (error instanceof CannotOpen || error instanceof CommandError) {
      return alone(notOk('database', 'The database cannot be used.', error.message))
    }
    throw error
  }
}

const WORDS: Readonly<Record<State, string>> = {
  ok: 'ok',
  notOk: 'NOT OK',
  notChecked: 'could not be checked',
}

function linesOf(results: readonly Result[]): string[] {
  const width = Math.max(...results.map(({ check }) => check.length))
  const lines = results.flatMap(({ check, state, found, remedy }) => [
    `${check.padEnd(width)}  ${WORDS[state]}: ${found}`,
    ...(remedy === undefined ? [] : [`${''.padEnd(width)}  → ${remedy}`]),
  ])
  const count = (state: State) => results.filter((result) => result.state === state).length
  return [
    ...lines,
    '',
    `${counted(count('ok'), 'check')} ok, ${count('notOk')} not ok, ${count('notChecked')} could not be checked.`,
  ]
}
