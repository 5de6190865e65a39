/** `sojourn keys usage`: an application's requests and errors, as GET /usage shows them. */
import { Command } from 'commander'
import { showKey } from '../../../core/access/keys/show-key.ts'
import {
  type CommandContext,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { number } from '../../../core/command-line/words.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import { isLocalDate } from '../../../core/locale/dates.ts'
import { localDateOf } from '../../../core/locale/zones.ts'
import { centerId } from '../../../core/records/centers/center.ts'
import { readCenterZone } from '../../../core/records/centers/find-center.ts'
import { usagePeriod } from '../get-usage.ts'
import { type PresentedUsage, readUsage } from '../read-usage.ts'

interface Options {
  from?: string
  to?: string
  json?: boolean
}

export function keysUsageCommand(context: CommandContext): Command {
  return new Command('usage')
    .description('show what an application requested, by day and endpoint, and its newest errors')
    .argument('<key>', 'appId, or one of its publicKeys')
    .option('--from <day>', 'first day, YYYY-MM-DD (29 days before the last)')
    .option('--to <day>', 'last day, YYYY-MM-DD (today at the center)')
    .option('--json', 'print JSON, as GET /usage answers it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn keys usage sjn_app_h2pMSS0L1KpjLDc4\n  $ sojourn keys usage sjn_app_h2pMSS0L1KpjLDc4 --from 2026-03-01 --to 2026-03-31 --json\n',
    )
    .action((id: string, options: Options) => {
      const given = { startDate: readDay('--from', options.from), endDate: readDay('--to', options.to) }
      return withDatabase(context, async (database) => {
        const now = await databaseNow(database)
        const [key] = await showKey(database, id, { now })
        if (key === undefined) return
        const zone = await readCenterZone(database, key.centerId)
        const { period, problems } = usagePeriod(given, localDateOf(zone, now), zone)
        const [problem] = problems
        if (problem !== undefined)
          throw new UsageError(
            problem.message.replaceAll('startDate', '--from').replaceAll('endDate', '--to'),
          )
        const usage = await readUsage(database, centerId(key.centerId), key.appId, period)
        if (options.json) return printJson(context, usage)
        await printLines(context, usageLines(usage))
      })
    })
}

function readDay(option: string, day: string | undefined): string | undefined {
  if (day === undefined || isLocalDate(day)) return day
  throw new UsageError(`${option} takes a day that exists, as YYYY-MM-DD.`)
}

function usageLines({ startDate, endDate, days, errors }: PresentedUsage): string[] {
  if (days.length === 0) return [`No requests from ${startDate} to ${endDate}.`]
  const table = tableLines(
    [
      ['day', 'endpoint', 'requests', 'unchanged', 'refusals', 'errors', 'bytes'],
      ...days.map(({ date, endpoint, ...counts }) => [date, endpoint, ...Object.values(counts).map(number)]),
    ],
    { right: (column) => column > 1 },
  )
  return [
    ...table,
    ...errors.flatMap(({ lastAt, times, endpoint, status, message, requestId }) => [
      '',
      `${lastAt} ${endpoint} ${status}${times === 1 ? '' : `, ${number(times)} times within the hour`}`,
      `  ${message}`,
      `  request ${requestId}`,
    ]),
  ]
}
