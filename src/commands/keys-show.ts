/** `sojourn keys show`. */
import { Command } from 'commander'
import { showKey } from '../core/access/keys/show-key.ts'
import { type CommandContext, printJson, printLines, withDatabase } from '../core/command-line/context.ts'
import { keyLines } from '../core/command-line/key-text.ts'
import { databaseNow } from '../core/database/clock.ts'

export function keysShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('show a key, or all keys of an application, newest first; never their secrets')
    .argument('<key>', 'appId or publicKey')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn keys show sjn_app_h2pMSS0L1KpjLDc4 --json\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(context, async (database) => {
        const keys = await showKey(database, id, { now: await databaseNow(database) })
        if (options.json) return printJson(context, keys)
        await printLines(
          context,
          keys.flatMap((key, index) => [...(index === 0 ? [] : ['']), ...keyLines(key)]),
        )
      }),
    )
}
