/** `sojourn bookings`: what is done to bookings on request. */
import { Command } from 'commander'
import { findCenterOfSession, NumberingError, numberBookings } from '../bookings/number-bookings.ts'
import { centerId } from '../centers/center.ts'
import type { Database } from '../database/database.ts'
import { type CommandContext, CommandError, printJson, printLines, withDatabase } from './context.ts'

export function bookingsCommand(context: CommandContext): Command {
  return new Command('bookings')
    .description('booking identifiers')
    .addCommand(bookingsNumberCommand(context))
    .addHelpText('after', '\nExamples:\n  $ sojourn bookings number --session session-08 --dry-run\n')
}

function bookingsNumberCommand(context: CommandContext): Command {
  return new Command('number')
    .description('number the arrived bookings of a session anew, without gaps; a number set by hand stays')
    .requiredOption('--session <id>', 'the session')
    .option('--center <id>', 'whose session it is; needed only where several centers have one of this name')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--json', 'what was changed as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn bookings number --session session-08 --dry-run\n  $ sojourn bookings number --center demo --session session-08\n',
    )
    .action((options: { session: string; center?: string; dryRun?: boolean; json?: boolean }) =>
      withDatabase(
        context,
        async (database) => {
          const dryRun = options.dryRun ?? false
          const result = await number(database, options, dryRun).catch((error: unknown) => {
            throw error instanceof NumberingError ? new CommandError(error.message) : error
          })
          if (options.json) return printJson(context, { ...result, dryRun })
          const count = result.changes.length
          await printLines(context, [
            ...result.changes.map(({ id, from, to }) => `${id}: ${from ?? 'none'} → ${to}`),
            `${count} ${count === 1 ? 'booking' : 'bookings'} ${dryRun ? 'would be' : 'were'} numbered anew, ${result.unchanged} stay as they are.`,
          ])
        },
        {
          outcomes: {
            nothing: 'No booking was changed.',
            unknown: 'The bookings may have been numbered; run it again: it changes nothing the second time.',
          },
        },
      ),
    )
}

async function number(database: Database, options: { session: string; center?: string }, dryRun: boolean) {
  const center =
    options.center === undefined
      ? await findCenterOfSession(database, options.session)
      : centerId(options.center)
  return numberBookings(database, center, options.session, { dryRun })
}
