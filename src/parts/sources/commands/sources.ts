/** `sojourn sources`: what delivers data to a center, when it is expected, and what is wrong. */
import { Command, InvalidArgumentError, Option } from 'commander'
import {
  type CommandContext,
  type DatabaseUse,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { addToList } from '../../../core/command-line/scope-options.ts'
import { readSourceName } from '../../../core/command-line/source-name.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { centerId } from '../../../core/records/centers/center.ts'
import { type CenterRow, selectCenters } from '../../../core/records/centers/centers-sql.ts'
import { readCenterZone } from '../../../core/records/centers/find-center.ts'
import type { FolderReport } from '../../../core/records/sources/delivery.ts'
import type { SourceState } from '../../../core/records/sources/evaluate-source.ts'
import { readSourceStates } from '../../../core/records/sources/read-sources.ts'
import { localMinute, problemWords } from '../../../core/records/sources/source-words.ts'
import { reportFolder } from '../../../core/records/sources/sources-sql.ts'
import { removeSource, saveSource } from '../manage-sources.ts'
import { presentSource } from '../present-sources.ts'

export function sourcesCommand(context: CommandContext): Command {
  return new Command('sources')
    .description('say when data is expected, and see how old it is')
    .addHelpText(
      'after',
      `
A source is whatever delivers data: files that are imported ("watch" or "command", or the name given with
import --source), or an application that sends records ("intake").

Examples:
  $ sojourn sources list --center resort
  $ sojourn sources set --center resort watch --kinds bookings,customers --schedule "every night by 04:00"
  $ sojourn sources set --center resort intake --kinds bookings --schedule "hourly 06:00–22:00"
`,
    )
    .addCommand(listCommand(context))
    .addCommand(setCommand(context))
    .addCommand(removeCommand(context))
    .addCommand(reportCommand(context))
}

const CHANGES: DatabaseUse = {
  outcomes: {
    nothing: 'No source was changed.',
    unknown: 'The change may have been saved: check with "sojourn sources list" before you run it again.',
  },
}

function setCommand(context: CommandContext): Command {
  return new Command('set')
    .description('set when a source delivers, and what; only what is given changes')
    .argument('<source>', 'its name', readSourceName)
    .requiredOption('--center <id>', 'the center')
    .option(
      '--kinds <kinds>',
      'kinds that it delivers, separated by commas: bookings, customers, sessions, orders, terms',
      addToList,
    )
    .option(
      '--schedule <schedule>',
      'when a delivery is expected, in local time of the center; none for not at all',
    )
    .option('--app <appId>', 'application whose intake keys deliver for it; none for no application')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Schedules: hourly, every 15 minutes, every 2 hours, each at all hours or in some (hourly 06:00–22:00);
every night by 04:00. Days may follow (on mon–fri), and dates without a delivery (except 2026-12-25, 2026-12-26).
A delivery may come four minutes late.

Examples:
  $ sojourn sources set --center resort watch --kinds bookings,customers --schedule "every night by 04:00"
  $ sojourn sources set --center resort orders --kinds orders --schedule "every day by 18:30 on mon–fri"
  $ sojourn sources set --center resort watch --schedule none
`,
    )
    .action(
      (
        name: string,
        options: { center: string; kinds?: string[]; schedule?: string; app?: string; json?: boolean },
      ) =>
        withDatabase(
          context,
          async (database) => {
            const { center, kinds, schedule, app: appId } = options
            const row = await saveSource(database, { centerId: center, name, kinds, schedule, appId })
            if (options.json) {
              const { kinds, schedule, app_id: appId } = row
              return printJson(context, { center, name, kinds, schedule, appId })
            }
            await printLines(context, [
              `${name}: ${row.kinds?.join(', ') ?? 'the kinds of its deliveries'}; ${row.schedule === null ? 'no delivery is expected' : `expected ${row.schedule}`}.`,
            ])
          },
          CHANGES,
        ),
    )
}

function removeCommand(context: CommandContext): Command {
  return new Command('remove')
    .description('remove a source that has ended; its deliveries stay in the list of imports')
    .argument('<source>', 'its name')
    .requiredOption('--center <id>', 'the center')
    .addHelpText('after', '\nExamples:\n  $ sojourn sources remove --center resort old-system\n')
    .action((name: string, { center }: { center: string }) =>
      withDatabase(
        context,
        async (database) => {
          await removeSource(database, center, name)
          await printLines(context, [`Removed ${name}.`])
        },
        CHANGES,
      ),
    )
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the sources, when they last delivered, and what is wrong')
    .option('--center <id>', 'only sources of this center')
    .option('--json', 'print JSON, with the newest deliveries')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn sources list\n  $ sojourn sources list --center resort --json\n',
    )
    .action((options: { center?: string; json?: boolean }) =>
      withDatabase(context, async (database) => {
        const centers =
          options.center === undefined
            ? await database.query<CenterRow>(selectCenters())
            : [{ center_id: options.center, timezone: await readCenterZone(database, options.center) }]
        const found = []
        for (const { center_id, timezone } of centers) {
          const states = await readSourceStates(database, centerId(center_id), timezone)
          for (const state of states) found.push({ center: center_id, zone: timezone, state })
        }
        if (options.json) {
          return printJson(
            context,
            found.map(({ center, state }) => ({ center, ...presentSource(state) })),
          )
        }
        if (found.length === 0) return printLines(context, ['Nothing has delivered data yet.'])
        const header = ['center', 'source', 'kinds', 'expected', 'last received', 'state']
        const lines = found.map(({ center, zone, state }) => [
          center,
          state.source.name,
          state.kinds.join(', ') || '-',
          state.source.schedule ?? '-',
          lastReceived(state, zone),
          stateWord(state),
        ])
        const problems = found.flatMap(({ center, state }) =>
          state.problems.map((problem) => `${center} ${state.source.name}: ${problemWords(problem, state)}`),
        )
        await printLines(context, [...tableLines([header, ...lines]), ...problems])
      }),
    )
}

/** The oldest of its kinds. */
function lastReceived({ kinds, expected, receivedAt }: SourceState, zone: string): string {
  const times = (expected.length > 0 ? expected : kinds).map((kind) => receivedAt.get(kind))
  if (times.length === 0 || times.some((at) => at === undefined)) return 'never'
  return localMinute(zone, Math.min(...times.map((at) => at ?? 0)))
}

/** `late` says more than a problem that has led to it. */
const stateWord = ({ late, problems, every }: SourceState): string =>
  late ? 'late' : problems.length > 0 ? 'problem' : every === undefined ? 'no schedule' : 'in time'

interface Report {
  readonly center: string
  readonly state: FolderReport['state']
  readonly unfinished?: number
  readonly empty?: number
  readonly waiting?: number
  readonly diskFull?: boolean
}

/** @throws {InvalidArgumentError} */
function readMs(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number.')
}

/** What a watched folder reports, through the command line because the service may have the database. */
function reportCommand(context: CommandContext): Command {
  const duration = (name: string, what: string) => new Option(`--${name} <ms>`, what).argParser(readMs)
  return new Command('report')
    .description('report how a watched folder is, as import --watch does each minute')
    .argument('<source>', 'its name', readSourceName)
    .requiredOption('--center <id>', 'the center')
    .addOption(
      new Option('--state <state>', 'whether it is watched')
        .choices(['watching', 'ended', 'missing', 'unusable'])
        .makeOptionMandatory(),
    )
    .addOption(duration('unfinished', 'how long a file has not been finished, in milliseconds'))
    .addOption(duration('empty', 'how long a file has been empty'))
    .addOption(duration('waiting', 'how long a file has been tried in vain'))
    .option('--disk-full', 'because the disk is full')
    .addHelpText('after', '\nExamples:\n  $ sojourn sources report --center resort --state watching watch\n')
    .action((name: string, report: Report) =>
      withDatabase(
        context,
        async (database) => {
          const { center, state, unfinished, empty, waiting, diskFull = false } = report
          const reported = {
            state,
            unfinishedMs: unfinished ?? null,
            emptyMs: empty ?? null,
            waitingMs: waiting ?? null,
            isDiskFull: diskFull,
          }
          await database.transaction((tx) => tx.query(reportFolder(center, name, reported)))
        },
        CHANGES,
      ),
    )
}
