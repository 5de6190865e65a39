/** `sojourn bookings`: operations on bookings that run only on request. */
import { Command } from 'commander'
import {
  type CommandContext,
  CommandError,
  printJson,
  printLines,
  withDatabase,
} from '../core/command-line/context.ts'
import { counted, number } from '../core/command-line/words.ts'
import type { Database } from '../core/database/database.ts'
import {
  findCenterOfSession,
  NumberingError,
  numberBookings,
} from '../core/intake/numbering/number-bookings.ts'
import { centerId } from '../core/records/centers/center.ts'

export function bookingsCommand(context: CommandContext): Command {
  return new Command('bookings')
    .description('manage booking identifiers')
    .addCommand(bookingsNumberCommand(context))
    .addHelpText('after', '\nExamples:\n  $ sojourn bookings number --session session-08 --dry-run\n')
}

function bookingsNumberCommand(context: CommandContext): Command {
  return new Command('number')
    .description(
      'number the arrived bookings of a session in the pattern of the center; no number is given twice, and identifiers set by hand stay',
    )
    .requiredOption('--session <id>', 'session to renumber')
    .option(
      '--center <id>',
      'center of the session; needed only if several centers have a session with this id',
    )
    .option('--dry-run', 'report what would change, and change nothing')
    .option('--json', 'print the changes as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn bookings number --session session-08 --dry-run\n  $ sojourn bookings number --center demo --session session-08\n',
    )
    .action((options: { session: string; center?: string; dryRun?: boolean; json?: boolean }) =>
      withDatabase(
        context,
        async (database) => {
          const dryRun = options.dryRun ?? false
          const result = await renumber(database, options, dryRun).catch((error: unknown) => {
            throw error instanceof NumberingError ? new CommandError(error.message) : error
          })
          if (options.json) return printJson(context, { ...result, dryRun })
          const count = result.changes.length
          await printLines(context, [
            ...result.changes.map(({ id, from, to }) => `${id}: ${from ?? 'none'} → ${to}`),
            `${dryRun ? 'Would renumber' : 'Renumbered'} ${counted(count, 'booking')}; ${number(result.unchanged)} unchanged.`,
          ])
        },
        {
          outcomes: {
            nothing: 'No booking was changed.',
            unknown: 'They may have been renumbered; running it again is safe.',
          },
        },
      ),
    )
}

async function renumber(database: Database, options: { session: string; center?: string }, dryRun: boolean) {
  const center =
    options.center === undefined
      ? await findCenterOfSession(database, options.session)
      : centerId(options.center)
  return numberBookings(database, center, options.session, { dryRun })
}
