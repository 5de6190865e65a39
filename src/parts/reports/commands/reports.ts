/** `sojourn reports`: kitchen sheets and lists that are sent by themselves. */
import { Command } from 'commander'
import {
  type CommandContext,
  type DatabaseUse,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { addToList } from '../../../core/command-line/scope-options.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { printersOf } from '../../../core/config/printers.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import { isoMoment } from '../../../core/locale/dates.ts'
import { FORMATS } from '../documents/document.ts'
import {
  addReport,
  listReports,
  type Report,
  type ReportWithRuns,
  removeReport,
  runReportNow,
  showReport,
} from '../manage-reports.ts'
import { REPORT_KINDS } from '../report.ts'

type ShownRunRow = ReportWithRuns['runs'][number]

const CHANGES: DatabaseUse = {
  outcomes: {
    nothing: 'Nothing was changed.',
    unknown: 'The change may have been saved: check with "sojourn reports list" before you run it again.',
  },
}

export function reportsCommand(context: CommandContext): Command {
  return new Command('reports')
    .description('send kitchen sheets and lists by themselves')
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(
      changing(context, 'run', 'send a report once more, now', async (database, id) => {
        await runReportNow(database, id)
        return `The service sends ${id} within a minute; "sojourn reports show ${id}" shows what became of it.`
      }),
    )
    .addCommand(
      changing(context, 'remove', 'remove a report, and what became of it', async (database, id) => {
        await removeReport(database, id)
        return `Removed ${id}.`
      }),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn reports add --key sjn_app_5Dq0 --name "Kitchen" --kind day --at 06:00 --to folder:kitchen,printer:kitchen
  $ sojourn reports list --center resort
  $ sojourn reports run sjn_report_7Yc1nGq0TtVbWz3k
`,
    )
}

interface AddOptions {
  key: string
  name: string
  kind: string
  format: string
  at: string[]
  days: string
  to: string[]
  language?: string
  query?: string
  json?: boolean
}

function addCommand(context: CommandContext): Command {
  return new Command('add')
    .description('add a report that is sent at local times of the center')
    .requiredOption('--key <id>', 'appId (or publicKey) of the application whose rights the report has')
    .requiredOption('--name <text>', 'what it is called, also in the names of its files')
    .requiredOption('--kind <kind>', `one of ${REPORT_KINDS.join(', ')}`)
    .requiredOption('--at <times>', 'local times such as 06:00, separated by commas; at most four', addToList)
    .requiredOption(
      '--to <destinations>',
      'mail:ADDRESS, folder:NAME, printer:NAME or webhook:ID, separated by commas',
      addToList,
    )
    .option(
      '--days <days>',
      'daily, days of the week (mon-fri or mon,thu) or of the month (1 or 1,15 or last)',
      'daily',
    )
    .option('--format <format>', `one of ${FORMATS.join(', ')}`, 'pdf')
    .option('--language <tag>', 'language; that of the center by default')
    .option('--query <query>', 'of the kind query: path and query, whose days may be relative, as for a link')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn reports add --key sjn_app_5Dq0 --name "Kitchen" --kind day --at 06:00,17:00 --to mail:kitchen@example.org
  $ sojourn reports add --key sjn_app_5Dq0 --name "Orders" --kind orders --format xlsx --at 07:00 --days 1 --to folder:office
  $ sojourn reports add --key sjn_app_5Dq0 --name "New" --kind query --query "/guests?startDate=today&endDate=today+6&active=true" --at 08:00 --days mon --format csv --to mail:desk@example.org
`,
    )
    .action((options: AddOptions) =>
      withDatabase(
        context,
        async (database, config) => {
          const { at: times, query: question, json, ...input } = options
          const report = await addReport(
            database,
            { ...input, times, question },
            {
              operations: await context.parts.operations(),
              random: context.random,
              now: await databaseNow(database),
              printers: printersOf(config.reportsPrinters),
            },
          )
          if (json) return printJson(context, report)
          await printLines(context, [
            ...reportLines(report),
            '',
            'The first one is sent at the next of these times.',
          ])
        },
        CHANGES,
      ),
    )
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the reports, when each is sent next, and what was missed')
    .option('--center <id>', 'only reports of this center')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn reports list\n  $ sojourn reports list --center resort --json\n',
    )
    .action(({ center, json }: { center?: string; json?: boolean }) =>
      withDatabase(context, async (database) => {
        const reports = await listReports(database, center)
        if (json) return printJson(context, reports.map(shown))
        if (reports.length === 0) {
          return printLines(context, ['There are no reports; add one with "sojourn reports add".'])
        }
        const header = ['id', 'center', 'name', 'kind', 'format', 'sent', 'next', 'last']
        const rows = reports.map((report) => [
          report.id,
          report.centerId,
          report.name,
          report.kind,
          report.format,
          `${report.times.join(',')} ${report.days}`,
          report.hasKey ? report.nextAt : 'never: no active key',
          lastOf(report),
        ])
        const problems = reports.flatMap((report) =>
          report.runs.flatMap((run) => problemsOf(run).map((problem) => `${report.id} ${problem}`)),
        )
        await printLines(context, [...tableLines([header, ...rows]), ...problems])
      }),
    )
}

const lastOf = ({ runs: [last] }: ReportWithRuns): string =>
  last === undefined ? '-' : `${stateOf(last)} ${isoMoment(last.scheduled_at)}`

const stateOf = ({ state, is_copy, attempts }: ShownRunRow): string =>
  state === 'due' ? (attempts > 0 ? 'late' : 'due') : `${state}${is_copy ? ' (copy)' : ''}`

/** What is wrong with a run, in sentences. */
function problemsOf(run: ShownRunRow): string[] {
  const { scheduled_at, state, problem, missing, deliveries } = run
  const at = isoMoment(scheduled_at)
  return [
    ...(problem === null || state === 'sent' ? [] : [`${at} ${stateOf(run)}: ${problem}`]),
    ...deliveries.flatMap((one) =>
      one.problem === null || one.state === 'sent'
        ? []
        : [`${at} ${one.destination} ${one.state}: ${one.problem}`],
    ),
    ...(missing === null ? [] : [`${at} characters that no font has: ${missing}`]),
  ]
}

const shown = ({ runs, ...report }: ReportWithRuns) => ({
  ...report,
  runs: runs.map((run) => ({
    scheduledAt: isoMoment(run.scheduled_at),
    state: run.state,
    attempts: run.attempts,
    dataAsOf: run.as_of === null ? null : isoMoment(run.as_of),
    copy: run.is_copy,
    missingCharacters: run.missing,
    problem: run.problem,
    destinations: run.deliveries,
  })),
})

function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('show a report and what became of its last times')
    .argument('<report>', 'its id')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn reports show sjn_report_7Yc1nGq0TtVbWz3k\n')
    .action((id: string, { json }: { json?: boolean }) =>
      withDatabase(context, async (database) => {
        const report = await showReport(database, id)
        if (json) return printJson(context, shown(report))
        const rows = report.runs.map((run) => [
          isoMoment(run.scheduled_at),
          stateOf(run),
          run.as_of === null ? '-' : isoMoment(run.as_of),
          run.deliveries.map(({ destination, state }) => `${destination} ${state}`).join(', '),
        ])
        const log =
          rows.length === 0
            ? ['Nothing was due yet.']
            : tableLines([['scheduled', 'state', 'data of', 'destinations'], ...rows])
        await printLines(context, [...reportLines(report), '', ...log, ...report.runs.flatMap(problemsOf)])
      }),
    )
}

function reportLines(report: Report): string[] {
  return tableLines([
    ['id', report.id],
    ['center', report.centerId],
    ['name', report.name],
    ['kind', report.question === null ? report.kind : `${report.kind} ${report.question}`],
    ['format', report.format],
    ['rights of', report.appId],
    ['sent', `${report.times.join(', ')} ${report.days}`],
    ['to', report.destinations.join(', ')],
    ['next', report.nextAt],
  ])
}

function changing(
  context: CommandContext,
  name: string,
  description: string,
  act: (database: Parameters<typeof showReport>[0], id: string) => Promise<string>,
): Command {
  return new Command(name)
    .description(description)
    .argument('<report>', 'its id')
    .addHelpText('after', `\nExamples:\n  $ sojourn reports ${name} sjn_report_7Yc1nGq0TtVbWz3k\n`)
    .action((id: string) =>
      withDatabase(
        context,
        async (database) => {
          await printLines(context, [await act(database, id)])
        },
        CHANGES,
      ),
    )
}
