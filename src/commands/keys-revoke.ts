/** `sojourn keys revoke`. */
import { Command } from 'commander'
import { revokeKey } from '../core/access/keys/revoke-key.ts'
import { recordKeyAct } from '../core/audit/record-key-act.ts'
import { type CommandContext, printJson, printLines, withDatabase } from '../core/command-line/context.ts'
import { KEYS_CHANGE } from '../core/command-line/key-text.ts'
import { counted } from '../core/command-line/words.ts'
import { databaseNow } from '../core/database/clock.ts'

export function keysRevokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('revoke a key; it is refused from the next request on')
    .argument('<key>', 'publicKey, or appId for all keys of the application')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn keys revoke sjn_app_h2pMSS0L1KpjLDc4\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(
        context,
        async (database) => {
          const revocation = await revokeKey(database, id, {
            now: await databaseNow(database),
            note: recordKeyAct,
          })
          if (options.json) return printJson(context, revocation)
          await printLines(context, [
            revocation.revoked === 0
              ? `Nothing to do: ${id} is already revoked.`
              : `Revoked ${counted(revocation.revoked, 'key')}.`,
          ])
        },
        KEYS_CHANGE,
      ),
    )
}
