/** `sojourn audit prune`: for a deployment whose service may not delete entries of the trail. */
import { Command } from 'commander'
import { pruneTrail } from '../../../core/audit/prune-trail.ts'
import { compactMonths, ownsPartitions } from '../../../core/audit/trail-months.ts'
import {
  type CommandContext,
  CommandError,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { counted } from '../../../core/command-line/words.ts'

export function auditPruneCommand(context: CommandContext): Command {
  return new Command('prune')
    .description('delete entries older than AUDIT_DAYS, and record that in the trail')
    .addHelpText(
      'after',
      `
A service whose role may change the trail does this every day by itself. Run it with the role that owns the tables if the role
of the service may not.

Examples:
  $ DATABASE_URL=postgres://sojourn_owner:…@db/sojourn sojourn audit prune
`,
    )
    .action(() =>
      withDatabase(context, async (database, { auditDays }) => {
        if (await ownsPartitions(database)) await compactMonths(database)
        const { entries, left, daysAhead } = await pruneTrail(database, { days: auditDays })
        if (daysAhead > 0) {
          throw new CommandError(
            `Nothing was deleted: the clock of the database is ${counted(daysAhead, 'day')} ahead of the newest entries. Check it.`,
          )
        }
        await printLines(context, [
          `Deleted ${counted(entries, 'entry', 'entries')} older than ${counted(auditDays, 'day')}.`,
          ...(left
            ? [
                'More of them remain. The next runs remove them, or their month as a whole once all of it is old.',
              ]
            : []),
        ])
      }),
    )
}
