/** `sojourn webhooks rotate`. */
import { Command } from 'commander'
import { type CommandContext, showOnce, withDatabase } from '../../../core/command-line/context.ts'
import { overlapOption } from '../../../core/command-line/overlap-option.ts'
import { rotateWebhook } from '../manage-webhooks.ts'
import { WEBHOOKS_CHANGE, webhookLines, webhookSurroundings } from './webhook-text.ts'

export function webhooksRotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('give a webhook a new signing secret; for a while, messages are signed with the old one too')
    .argument('<webhook>', 'its id')
    .addOption(overlapOption('how long messages carry a signature of the old secret too; 0 ends it at once'))
    .option('--json', 'print the webhook as JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn webhooks rotate sjn_hook_7Yc1nGq0TtVbWz3k --overlap 7d\n')
    .action((id: string, options: { overlap: number; json?: boolean }) =>
      withDatabase(
        context,
        async (database, config) => {
          await rotateWebhook(database, id, {
            random: context.random,
            overlapMs: options.overlap,
            ...webhookSurroundings(config),
            show: (webhook) =>
              showOnce(context, options, webhook, [...webhookLines(webhook), '', SECRET_ONCE]),
          })
        },
        WEBHOOKS_CHANGE,
      ),
    )
}

const SECRET_ONCE =
  'The new secret is shown only once: give it to the receiver while messages are still signed with the old one too.'
