/** `sojourn audit verify`. */
import { Command, InvalidArgumentError } from 'commander'
import { type NotedHead, type TrailReport, trails, verifyTrail } from '../audit/verify-trail.ts'
import {
  type CommandContext,
  CommandEnded,
  CommandError,
  printJson,
  printLines,
  withDatabase,
} from './context.ts'

export function auditVerifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('find entries of the trail that were changed, taken out, put in or moved')
    .option('--center <id>', 'of this center only')
    .option('--head <seq:hash>', 'also check against a head that was noted earlier; with --center', readHead)
    .option('--json', 'a report for each center as a JSON array')
    .addHelpText(
      'after',
      `
Ends with 1 where something was found. The head it prints stands for everything before it: noted where nobody
who can write the database can, it later proves with --head that nothing was written anew.

Examples:
  $ sojourn audit verify
  $ sojourn audit verify --center resort --head 1234:9f2c…
`,
    )
    .action(async (options: { center?: string; head?: NotedHead; json?: boolean }) => {
      if (options.head !== undefined && options.center === undefined) {
        throw new CommandError('--head is the head of one center: name it with --center.')
      }
      await withDatabase(context, async (database, config) => {
        const known = await trails(database)
        // A noted head is evidence that there was a trail.
        if (options.center !== undefined && options.head === undefined && !known.includes(options.center)) {
          throw new CommandError(
            `Nothing is in the trail of a center ${JSON.stringify(options.center)}${known.length === 0 ? '' : `; there is one of ${known.slice(0, 10).join(', ')}`}.`,
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
          await printLines(context, reports.length === 0 ? ['The trail is empty.'] : reports.flatMap(lines))
        if (reports.some((report) => report.problems.length > 0)) throw new CommandEnded(1)
      })
    })
}

const number = new Intl.NumberFormat('en')

const counted = (count: number, one: string, many: string) =>
  `${number.format(count)} ${count === 1 ? one : many}`

function lines(report: TrailReport): string[] {
  const pruned = report.pruned === 0 ? '' : `, ${number.format(report.pruned)} older pruned`
  const entries = counted(report.entries, 'entry', 'entries')
  const size = `${entries} of ${counted(report.reads, 'read', 'reads')}${pruned}`
  const verdict =
    report.problems.length === 0
      ? `${report.center}: ${size}; the trail is as it was written.`
      : `${report.center}: ${size}; ${counted(report.problems.length, 'problem', 'problems')}:`
  const head = report.head.seq === 0 ? [] : [`  head ${headText(report.head)}`]
  return [verdict, ...report.problems.map(({ message }) => `  ${message}`), ...head]
}

/** As `--head` takes it. */
function headText({ seq, hash, at }: NotedHead): string {
  return `${seq}:${hash}${at === undefined ? '' : `@${new Date(at).toISOString()}`}`
}

function readHead(text: string): NotedHead {
  const [, seq, hash, moment] = /^(\d{1,15}):([0-9a-f]{64})(?:@(\S+))?$/.exec(text) ?? []
  const at = moment === undefined ? undefined : Date.parse(moment)
  if (seq === undefined || hash === undefined || Number.isNaN(at)) {
    throw new InvalidArgumentError(
      'Give it as verify prints it: a number, a colon, 64 hexadecimal digits, and the moment after an @.',
    )
  }
  return { seq: Number(seq), hash, at }
}
