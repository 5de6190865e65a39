/** `sojourn keys list`. */
import { Command } from 'commander'
import { listKeys } from '../core/access/keys/list-keys.ts'
import { type CommandContext, printJson, printLines, withDatabase } from '../core/command-line/context.ts'
import { keyTable } from '../core/command-line/key-text.ts'
import { databaseNow } from '../core/database/clock.ts'

export function keysListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the keys of a center, or of all centers; never their secrets')
    .option('--center <id>', 'only this center')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn keys list\n  $ sojourn keys list --center resort --json\n',
    )
    .action((options: { center?: string; json?: boolean }) =>
      withDatabase(context, async (database) => {
        const keys = await listKeys(database, { centerId: options.center, now: await databaseNow(database) })
        if (options.json) await printJson(context, keys)
        else if (keys.length === 0)
          await printLines(context, ['There are no keys; create one with "sojourn keys create".'])
        else await printLines(context, keyTable(keys))
      }),
    )
}
