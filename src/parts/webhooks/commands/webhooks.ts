/** `sojourn webhooks`: which receivers are notified of a center's changes. */
import { Command } from 'commander'
import {
  type CommandContext,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import type { Database } from '../../../core/database/database.ts'
import { changeState, removeWebhook, replayWebhook } from '../manage-webhooks.ts'
import { WEBHOOKS_CHANGE } from './webhook-text.ts'
import { webhooksAddCommand } from './webhooks-add.ts'
import { webhooksRotateCommand } from './webhooks-rotate.ts'
import { webhooksListCommand, webhooksShowCommand, webhooksTestCommand } from './webhooks-show.ts'

export function webhooksCommand(context: CommandContext): Command {
  return new Command('webhooks')
    .description('notify other systems when something changes')
    .addCommand(webhooksAddCommand(context))
    .addCommand(webhooksListCommand(context))
    .addCommand(webhooksShowCommand(context))
    .addCommand(webhooksTestCommand(context))
    .addCommand(
      changing(context, 'pause', 'stop sending until resume; no change is lost', {
        act: (database, id) => changeState(database, id, 'paused'),
        done: (id) => `Paused ${id}.`,
      }),
    )
    .addCommand(
      changing(context, 'resume', 'continue sending from where it stopped', {
        act: (database, id) => changeState(database, id, 'active'),
        done: (id) => `Resumed ${id}.`,
      }),
    )
    .addCommand(webhooksRotateCommand(context))
    .addCommand(
      changing(context, 'remove', 'remove a webhook and its log', {
        act: (database, id) => removeWebhook(database, id),
        done: (id) => `Removed ${id}.`,
      }),
    )
    .addCommand(
      changing<{ from: string }>(context, 'replay', 'send again what changed after a cursor', {
        act: (database, id, { from }) => replayWebhook(database, id, from),
        done: (id) => `${id} continues from there.`,
        example: ' --from AZ7bVQ2t…',
      }).requiredOption('--from <cursor>', 'a cursor from an earlier message or from GET /changes'),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn webhooks add --center resort --name "Lab" --url https://lab.example.org/hook --preset doctor
  $ sojourn webhooks test sjn_hook_7Yc1nGq0TtVbWz3k
  $ sojourn webhooks show sjn_hook_7Yc1nGq0TtVbWz3k
`,
    )
}

interface Change<Options> {
  readonly act: (database: Database, id: string, options: Options) => Promise<unknown>
  readonly done: (id: string) => string
  /** the arguments in the example, after the webhook */
  readonly example?: string
}

/** A command that changes one webhook. */
function changing<Options extends object>(
  context: CommandContext,
  name: string,
  description: string,
  { act, done, example = '' }: Change<Options>,
): Command {
  return new Command(name)
    .description(description)
    .argument('<webhook>', 'its id')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\nExamples:\n  $ sojourn webhooks ${name} sjn_hook_7Yc1nGq0TtVbWz3k${example}\n`)
    .action((id: string, options: Options & { json?: boolean }) =>
      withDatabase(
        context,
        async (database) => {
          const result = await act(database, id, options)
          if (options.json) return printJson(context, result ?? { removed: id })
          await printLines(context, [done(id)])
        },
        WEBHOOKS_CHANGE,
      ),
    )
}
