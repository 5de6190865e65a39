/** `sojourn audit verify`. */
import { Command, InvalidArgumentError } from 'commander'
import { FIRST_MOMENT, LAST_MOMENT } from '../../../core/audit/list-reads.ts'
import {
  type NotedHead,
  type TrailReport,
  trails,
  verifyPeriod,
  verifyTrail,
} from '../../../core/audit/verify/verify-trail.ts'
import {
  type CommandContext,
  CommandEnded,
  CommandError,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { counted, number } from '../../../core/command-line/words.ts'
import { endOfLocalDay, startOfLocalDay } from '../../../core/locale/zones.ts'
import { zonesOf } from '../../../core/records/centers/zones-of.ts'
import { readTime } from './audit-times.ts'

export function auditVerifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('detect entries of the audit trail that were changed, removed, inserted or reordered')
    .option('--center <id>', 'only this center')
    .option(
      '--head <seq:hash>',
      'also compare with a head that you stored earlier; requires --center',
      readHead,
    )
    .option(
      '--since <time>',
      'only entries from this time on: a day, a timestamp, or a duration ago (7d, 24h)',
    )
    .option('--until <time>', 'only entries up to this time: a day, a timestamp, or a duration ago')
    .option('--json', 'print JSON: an array with a report for each center')
    .addHelpText(
      'after',
      `
Exits with 1 if it finds a problem. The head that it prints covers every entry before it. Store it where nobody who
can write to the database can change it, and pass it to --head later: this proves that nothing was rewritten.

With --since or --until, only the entries of that period are verified, with their lists of records and how they are linked to
the entries around them: not what was pruned, the end of the trail, and lists that belong to no entry. Days are local days of
the center.

Examples:
  $ sojourn audit verify
  $ sojourn audit verify --center resort --head 1234:9f2c…
  $ sojourn audit verify --since 2026-01-31 --until 2026-01-31
`,
    )
    .action(async (options: Options) => {
      if (options.head !== undefined && options.center === undefined) {
        throw new UsageError('--head is the head of one center: name the center with --center.')
      }
      const period = readPeriod(options, context.now())
      if (options.head !== undefined && period !== undefined) {
        throw new UsageError('--head concerns the whole trail: leave out --since and --until.')
      }
      await withDatabase(context, async (database, config) => {
        const known = await trails(database)
        // A noted head proves that the center had a trail.
        if (options.center !== undefined && options.head === undefined && !known.includes(options.center)) {
          throw new CommandError(
            `Center ${JSON.stringify(options.center)} has no audit trail${known.length === 0 ? '' : `; these centers do: ${known.slice(0, 10).join(', ')}`}.`,
          )
        }
        const centers = options.center === undefined ? known : [options.center]
        const zones = period === undefined ? new Map<string, string>() : await zonesOf(database, centers)
        const reports: TrailReport[] = []
        for (const center of centers) {
          reports.push(
            period === undefined
              ? await verifyTrail(database, center, { known: options.head, days: config.auditDays })
              : await verifyPeriod(database, center, period(zones.get(center) ?? 'UTC')),
          )
        }
        if (options.json) await printJson(context, reports)
        else
          await printLines(
            context,
            reports.length === 0
              ? ['The audit trail is empty.']
              : [...reports.flatMap(lines), ...(period === undefined ? [] : [ONLY_PERIOD])],
          )
        if (reports.some((report) => report.problems.length > 0)) throw new CommandEnded(1)
      })
    })
}

interface Options {
  readonly center?: string
  readonly head?: NotedHead
  readonly since?: string
  readonly until?: string
  readonly json?: boolean
}

/** @returns the period in a time zone; undefined for the whole trail */
function readPeriod(
  { since, until }: Options,
  now: number,
): ((zone: string) => { readonly since: number; readonly until: number }) | undefined {
  if (since === undefined && until === undefined) return undefined
  const from = readTime('--since', since, now, startOfLocalDay)
  const to = readTime('--until', until, now, endOfLocalDay)
  return (zone) => ({ since: from?.(zone) ?? FIRST_MOMENT, until: to?.(zone) ?? LAST_MOMENT })
}

function periodLines({ center, entries, reads, head, first = 0, problems }: TrailReport): string[] {
  if (entries === 0 && problems.length === 0) return [`${center}: no entries in this period.`]
  const size = `${counted(entries, 'entry', 'entries')} of ${counted(reads, 'read', 'reads')}, numbers ${number(first)} to ${number(head.seq)}`
  const found =
    problems.length === 0 ? 'no problems found.' : `${counted(problems.length, 'problem', 'problems')}:`
  return [`${center}: ${size}; ${found}`, ...problems.map(({ message }) => `  ${message}`)]
}

const ONLY_PERIOD =
  'Only this period was verified: not the rest of the trail, what was pruned, its end, and lists of records that belong to no entry.'

function lines(report: TrailReport): string[] {
  if (report.first !== undefined) return periodLines(report)
  const pruned = report.pruned === 0 ? '' : `, ${number(report.pruned)} older ones pruned`
  const entries = counted(report.entries, 'entry', 'entries')
  const size = `${entries} of ${counted(report.reads, 'read', 'reads')}${pruned}`
  const verdict =
    report.problems.length === 0
      ? `${report.center}: ${size}; no problems found.`
      : `${report.center}: ${size}; ${counted(report.problems.length, 'problem', 'problems')}:`
  const head = report.head.seq === 0 ? [] : [`  head ${headText(report.head)}`]
  return [verdict, ...report.problems.map(({ message }) => `  ${message}`), ...head]
}

/** In the form that `--head` accepts. */
function headText({ seq, hash, at }: NotedHead): string {
  return `${seq}:${hash}${at === undefined ? '' : `@${new Date(at).toISOString()}`}`
}

function readHead(text: string): NotedHead {
  const [, seq, hash, moment] = /^(\d+):([0-9a-f]+)(?:@(\S+))?$/.exec(text) ?? []
  const at = moment === undefined ? undefined : Date.parse(moment)
  if (seq === undefined || seq.length > 15 || hash?.length !== 64 || Number.isNaN(at)) {
    throw new InvalidArgumentError(
      'Expected a head as verify prints it: a number, a colon, 64 hexadecimal digits, and optionally @ and a timestamp.',
    )
  }
  return { seq: Number(seq), hash, at }
}
