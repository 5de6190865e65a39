/** `sojourn audit refusals`. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { readSpan } from '../../../core/access/keys/expiry.ts'
import { parseAppId, parsePublicKey } from '../../../core/access/keys/token.ts'
import { csvLine } from '../../../core/answer/files/csv.ts'
import { REFUSAL_REASONS } from '../../../core/audit/refusals/record-refusals.ts'
import {
  type ListedRefusal,
  type RefusalsQuestion,
  selectRefusals,
} from '../../../core/audit/refusals/refusals-sql.ts'
import {
  type CommandContext,
  print,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { visible } from '../../../core/errors/visible.ts'
import { isoMoment, parseMoment } from '../../../core/locale/dates.ts'
import { readCenterZone } from '../../../core/records/centers/find-center.ts'

interface Options {
  readonly center?: string
  readonly key?: string
  readonly reason?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
  readonly json?: boolean
  readonly csv?: boolean
}

export function auditRefusalsCommand(context: CommandContext): Command {
  return new Command('refusals')
    .description('list refused requests and invalid credentials, newest first')
    .option('--center <id>', 'only of keys of this center')
    .option('--key <key>', 'only of this key: an appId or a publicKey')
    .addOption(new Option('--reason <name>', 'only for this reason').choices(Object.keys(REFUSAL_REASONS)))
    .option('--since <time>', 'from this time on: a day, a timestamp, or a duration ago (7d, 24h), in UTC')
    .option('--until <time>', 'up to this time')
    .option('--limit <count>', 'at most this many lines', readCount)
    .option('--json', 'print JSON')
    .option('--csv', 'print CSV')
    .addHelpText(
      'after',
      `
Refusals of an hour that are alike are one line, with their number. A line has no center if the key does not exist.

Reasons:
${Object.entries(REFUSAL_REASONS)
  .map(([name, help]) => `  ${name.padEnd(21)} ${help}`)
  .join('\n')}

Examples:
  $ sojourn audit refusals --since 24h
  $ sojourn audit refusals --reason wrongSecret --csv
`,
    )
    .action(async (options: Options) => {
      const question = questionOf(options, context.now())
      await withDatabase(context, async (database) => {
        if (options.center !== undefined) await readCenterZone(database, options.center)
        const rows = await database.query<ListedRefusal>(selectRefusals(question))
        if (options.json) return printJson(context, rows.map(asJson))
        const lines = [HEADER, ...rows.map(asCells)]
        if (options.csv) return print(context, lines.map((cells) => csvLine(cells)).join(''))
        if (rows.length === 0) return printLines(context, ['No refused requests.'])
        await printLines(
          context,
          tableLines(
            lines.map((cells) => cells.map(visible)),
            { right: (column) => column === TIMES },
          ),
        )
      })
    })
}

const HEADER = ['last', 'first', 'times', 'center', 'key', 'publicKey', 'endpoint', 'reason', 'requestId']
const TIMES = HEADER.indexOf('times')

const asCells = (row: ListedRefusal): string[] => [
  isoMoment(row.last_at),
  isoMoment(row.first_at),
  `${row.times}`,
  row.center_id,
  row.name ?? '',
  row.public_key,
  row.endpoint,
  row.reason,
  row.request_id,
]

const asJson = (row: ListedRefusal) => ({
  firstAt: isoMoment(row.first_at),
  lastAt: isoMoment(row.last_at),
  times: row.times,
  center: row.center_id === '' ? null : row.center_id,
  key: row.public_key === '' ? null : { publicKey: row.public_key, appId: row.app_id, name: row.name },
  endpoint: row.endpoint,
  reason: row.reason,
  requestId: row.request_id,
})

function questionOf(options: Options, now: number): RefusalsQuestion {
  const { center, key, reason, since, until, limit } = options
  if (options.json && options.csv) throw new UsageError('Give either --json or --csv.')
  if (key !== undefined && (parseAppId(key) ?? parsePublicKey(key)) === undefined) {
    throw new UsageError(
      '--key takes an appId or a publicKey; "sojourn keys list" shows both. What was given is neither, and is not shown because it may be a secret.',
    )
  }
  return {
    center,
    key,
    reason,
    since: readTime('--since', since, now, '00:00:00.000'),
    until: readTime('--until', until, now, '23:59:59.999'),
    limit,
  }
}

/** @param ofDay the time of a day that is given alone */
function readTime(option: string, text: string | undefined, now: number, ofDay: string): number | undefined {
  if (text === undefined) return undefined
  const span = readSpan(text)
  const moment =
    span === undefined ? parseMoment(text.length === 10 ? `${text}T${ofDay}Z` : text, 'UTC') : now - span
  if (moment !== undefined) return moment
  throw new UsageError(
    `${option} is ${JSON.stringify(text.slice(0, 60))}; expected a day (2026-01-31), a timestamp (2026-01-31T12:00:00Z) or a duration ago (7d, 24h).`,
  )
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of at least 1.')
}
