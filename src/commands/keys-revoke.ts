/** `sojourn keys revoke`. */
import { Command } from 'commander'
import { databaseNow } from '../database/clock.ts'
import { revokeKey } from '../keys/revoke-key.ts'
import { type CommandContext, printJson, printLines, withDatabase } from './context.ts'
import { KEYS_CHANGE } from './key-text.ts'

export function keysRevokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('take a key back: from the next request on nothing is answered with it')
    .argument('<key>', 'a publicKey, or an appId for all keys of the application')
    .option('--json', 'what was taken back as JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn keys revoke sjn_app_h2pMSS0L1KpjLDc4\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(
        context,
        async (database) => {
          const revocation = await revokeKey(database, id, { now: await databaseNow(database) })
          if (options.json) return printJson(context, revocation)
          await printLines(context, [
            revocation.revoked === 0
              ? `Nothing to do: ${id} was taken back already.`
              : `${revocation.revoked === 1 ? 'One key was' : `${revocation.revoked} keys were`} taken back.`,
          ])
        },
        KEYS_CHANGE,
      ),
    )
}
