/** `sojourn centers`: lists the centers, and moves one to another database. */
import { Command } from 'commander'
import { type CommandContext, printJson, printLines, withDatabase } from '../core/command-line/context.ts'
import { tableLines } from '../core/command-line/table.ts'
import { type CenterRow, selectCenters } from '../core/records/centers/centers-sql.ts'

export function centersCommand(context: CommandContext): Command {
  return new Command('centers')
    .description('list centers, and move one to another database')
    .addHelpText('after', '\nExamples:\n  $ sojourn centers list\n')
    .addCommand(centersListCommand(context))
}

function centersListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list all centers')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn centers list\n  $ sojourn centers list --json\n')
    .action((options: { json?: boolean }) =>
      withDatabase(context, async (database) => {
        const rows = await database.query<CenterRow>(selectCenters())
        const centers = rows.map(({ center_id: id, ...more }) => ({ id, ...more }))
        if (options.json) return printJson(context, centers)
        if (centers.length === 0) {
          return printLines(context, [
            'There are no centers; "sojourn import" adds them, and "sojourn demo" has one to try.',
          ])
        }
        const header = ['center', 'name', 'time zone', 'currency']
        const lines = centers.map(({ id, name, timezone, currency }) => [id, name, timezone, currency])
        await printLines(context, tableLines([header, ...lines]))
      }),
    )
}
