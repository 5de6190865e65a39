/** `sojourn audit verify`. */
import { Command, InvalidArgumentError } from 'commander'
import { type NotedHead, type TrailReport, trails, verifyTrail } from '../audit/verify-trail.ts'
import {
  type CommandContext,
  CommandEnded,
  CommandError,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from './context.ts'
import { counted, number } from './words.ts'

export function auditVerifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('detect entries of the audit trail that were changed, removed, inserted or reordered')
    .option('--center <id>', 'only this center')
    .option(
      '--head <seq:hash>',
      'also compare with a head that you stored earlier; requires --center',
      readHead,
    )
    .option('--json', 'print JSON: an array with a report for each center')
    .addHelpText(
      'after',
      `
Exits with 1 if it finds a problem. The head that it prints covers every entry before it. Store it where nobody who
can write to the database can change it, and pass it to --head later: this proves that nothing was rewritten.

Examples:
  $ sojourn audit verify
  $ sojourn audit verify --center resort --head 1234:9f2c…
`,
    )
    .action(async (options: { center?: string; head?: NotedHead; json?: boolean }) => {
      if (options.head !== undefined && options.center === undefined) {
        throw new UsageError('--head is the head of one center: name the center with --center.')
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
        const reports: TrailReport[] = []
        for (const center of centers) {
          const report = await verifyTrail(database, center, { known: options.head, days: config.auditDays })
          reports.push(report)
        }
        if (options.json) await printJson(context, reports)
        else
          await printLines(
            context,
            reports.length === 0 ? ['The audit trail is empty.'] : reports.flatMap(lines),
          )
        if (reports.some((report) => report.problems.length > 0)) throw new CommandEnded(1)
      })
    })
}

function lines(report: TrailReport): string[] {
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
