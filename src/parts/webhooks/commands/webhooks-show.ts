/** `sojourn webhooks list`, `show` and `test`: lists webhooks, shows the state of one, and sends a test message. */
import { Command } from 'commander'
import {
  type CommandContext,
  CommandEnded,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import { listWebhooks, showWebhook, testWebhook } from '../manage-webhooks.ts'
import { deliveryTable, webhookLines, webhookSurroundings, webhookTable } from './webhook-text.ts'

export function webhooksListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the webhooks of a center, or of all centers; never their secrets')
    .option('--center <id>', 'only this center')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn webhooks list --center resort\n')
    .action((options: { center?: string; json?: boolean }) =>
      withDatabase(context, async (database) => {
        const webhooks = await listWebhooks(database, options.center)
        if (options.json) return printJson(context, webhooks)
        if (webhooks.length > 0) return printLines(context, webhookTable(webhooks))
        await printLines(context, ['There are no webhooks; add one with "sojourn webhooks add".'])
      }),
    )
}

export function webhooksShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('show a webhook and its last attempts; never its secret')
    .argument('<webhook>', 'its id')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn webhooks show sjn_hook_7Yc1nGq0TtVbWz3k\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(context, async (database) => {
        const webhook = await showWebhook(database, id)
        if (options.json) return printJson(context, webhook)
        const { deliveries } = webhook
        const log = deliveries.length === 0 ? ['No attempts yet.'] : deliveryTable(deliveries)
        await printLines(context, [...webhookLines(webhook), '', ...log])
      }),
    )
}

export function webhooksTestCommand(context: CommandContext): Command {
  return new Command('test')
    .description('send a signed message of the type "test" now, and show how the receiver answered')
    .argument('<webhook>', 'its id')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn webhooks test sjn_hook_7Yc1nGq0TtVbWz3k\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(context, async (database, config) => {
        const now = await databaseNow(database)
        const attempt = await testWebhook(database, id, {
          ...webhookSurroundings(config),
          now,
          random: context.random,
        })
        const { outcome, status } = attempt
        if (options.json) await printJson(context, { outcome, status: status ?? null })
        else
          await printLines(context, [status === undefined ? `${outcome}.` : `${outcome}, status ${status}.`])
        if (outcome !== 'delivered') throw new CommandEnded(1)
      }),
    )
}
