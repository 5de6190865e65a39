/** `sojourn migrate`: updates the database to this version's schema. */
import { Command } from 'commander'
import { type CommandContext, printJson, printLines, withDatabase } from '../core/command-line/context.ts'
import { NEW_HISTORY } from '../core/database/origin.ts'

export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description("migrate the database to this version's schema; safe to repeat and to run concurrently")
    .option('--json', 'print the applied migrations as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ DATABASE_URL=postgres://sojourn@db/sojourn sojourn migrate
  $ sojourn migrate --json
`,
    )
    .action((options: { json?: boolean }) =>
      withDatabase(
        context,
        async ({ place, migrationsApplied }) => {
          if (options.json) return printJson(context, { place, applied: migrationsApplied })
          await printLines(context, [
            ...migrationsApplied.map((name) =>
              name === NEW_HISTORY
                ? 'The database came from another server: a new history of changes begins, and older cursors are refused.'
                : `applied ${name}`,
            ),
            migrationsApplied.length === 0
              ? `Nothing to do: ${place} is already at this version's schema.`
              : `${place} is now at this version's schema.`,
          ])
        },
        {
          migrate: true,
          ifNew: 'create',
          outcomes: {
            nothing: 'Run it again: migrations are not applied twice.',
            unknown: 'Run it again: migrations are not applied twice.',
          },
        },
      ),
    )
}
