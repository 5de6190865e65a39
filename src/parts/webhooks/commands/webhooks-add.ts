/** `sojourn webhooks add`. */
import { Command } from 'commander'
import { PRESETS } from '../../../core/access/keys/scopes.ts'
import { type CommandContext, showOnce, withDatabase } from '../../../core/command-line/context.ts'
import { addToList, scopesOf } from '../../../core/command-line/scope-options.ts'
import { addWebhook } from '../manage-webhooks.ts'
import { WEBHOOKS_CHANGE, webhookLines, webhookSurroundings } from './webhook-text.ts'

interface Options {
  center: string
  name: string
  url: string
  scopes?: string[]
  preset?: string
  kinds?: string[]
  json?: boolean
}

export function webhooksAddCommand(context: CommandContext): Command {
  return new Command('add')
    .description('add a webhook for a center, and print its signing secret once')
    .requiredOption('--center <id>', 'center whose changes are sent')
    .requiredOption('--name <text>', 'who receives them')
    .requiredOption('--url <url>', 'where they are sent, by https')
    .option(
      '--scopes <list>',
      'scopes whose changes the receiver is notified of, separated by commas, as for a key',
      addToList,
    )
    .option('--preset <name>', `a common set of scopes: ${Object.keys(PRESETS).join(', ')}`)
    .option(
      '--kinds <list>',
      'what is sent of guests, sessions, orders, meals (all that the scopes open)',
      addToList,
    )
    .option('--json', 'print the webhook as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn webhooks add --center resort --name "Lab" --url https://lab.example.org/hook --preset doctor\n',
    )
    .action((options: Options) => {
      const scopes = scopesOf(options)
      return withDatabase(
        context,
        async (database, config) => {
          const { center: centerId, name, url, kinds } = options
          await addWebhook(
            database,
            { centerId, name, url, scopes, kinds },
            {
              random: context.random,
              ...webhookSurroundings(config),
              show: (webhook) =>
                showOnce(context, options, webhook, [...webhookLines(webhook), '', SECRET_ONCE]),
            },
          )
        },
        WEBHOOKS_CHANGE,
      )
    })
}

const SECRET_ONCE =
  'The secret is shown only once: give it to the receiver, who verifies the signatures with it. Changes are sent from now on.'
