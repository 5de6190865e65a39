/** `sojourn sources notify`: who is written to when a source has a problem. */
import { Command } from 'commander'
import { createId } from '../../../core/access/keys/token.ts'
import {
  type CommandContext,
  CommandError,
  type DatabaseUse,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { addToList } from '../../../core/command-line/scope-options.ts'
import { counted } from '../../../core/command-line/words.ts'
import { readAddresses, saveAddresses } from '../manage-addresses.ts'

const CHANGES: DatabaseUse = {
  outcomes: {
    nothing: 'No address was changed.',
    unknown: 'The change may have been saved: run the command without --to, which shows the addresses.',
  },
}

interface Options {
  readonly center: string
  readonly to?: string[]
  readonly test?: boolean
  readonly json?: boolean
}

export function sourcesNotifyCommand(context: CommandContext): Command {
  return new Command('notify')
    .description('set who gets an e-mail when a source has a problem, and when that is over')
    .requiredOption('--center <id>', 'the center')
    .option('--to <addresses>', 'e-mail addresses, separated by commas; none for nobody', addToList)
    .option('--test', 'send a test message to these addresses, and to those of NOTIFY_TO, now')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The addresses of NOTIFY_TO get the messages of all centers. SMTP_URL and MAIL_FROM name the mail server and the sender.

Examples:
  $ sojourn sources notify --center resort
  $ sojourn sources notify --center resort --to office@example.org,it@example.org --test
  $ sojourn sources notify --center resort --to none
`,
    )
    .action((options: Options) =>
      withDatabase(
        context,
        async (database, config) => {
          const { center, to, test, json } = options
          const addresses =
            to === undefined
              ? await readAddresses(database, center)
              : await saveAddresses(database, center, to.join() === 'none' ? [] : to)
          const all = [...new Set([...addresses, ...config.notifyTo])]
          if (json)
            await printJson(context, {
              center,
              addresses,
              notifyTo: config.notifyTo,
              smtp: config.smtpUrl !== undefined,
            })
          else await printLines(context, linesOf(addresses, config.notifyTo, config.smtpUrl !== undefined))
          if (test) await sendTest(context, center, all, config)
        },
        CHANGES,
      ),
    )
}

function linesOf(addresses: readonly string[], others: readonly string[], hasServer: boolean): string[] {
  return [
    addresses.length === 0
      ? 'The center has no addresses of its own.'
      : `Problems are sent to ${addresses.join(', ')}.`,
    ...(others.length === 0 ? [] : [`NOTIFY_TO adds ${others.join(', ')}.`]),
    ...(hasServer
      ? []
      : ['No e-mail is sent, because SMTP_URL is not set; "sojourn status" shows open problems.']),
  ]
}

/** @throws {CommandError} if it was not accepted for each address */
async function sendTest(
  context: CommandContext,
  center: string,
  to: readonly string[],
  { smtpUrl: server, mailFrom: from }: Parameters<Parameters<typeof withDatabase>[1]>[1],
): Promise<void> {
  if (server === undefined || from === undefined) {
    throw new CommandError('A test message requires SMTP_URL and MAIL_FROM.')
  }
  if (to.length === 0)
    throw new CommandError('There is no address for a test message: add --to or NOTIFY_TO.')
  const { createSendMail } = await import('../../mail/send-mail.ts')
  const { accepted, reason } = await createSendMail({ server, from })({
    to,
    subject: `${center}: test`,
    text: `This is a test. Messages about sources of data of the center ${center} arrive here.\n`,
    messageId: createId('test.', context.random),
  })
  const missing = to.length - accepted.length
  if (missing > 0) {
    throw new CommandError(
      `The mail server did not accept the test for ${counted(missing, 'address', 'addresses')} (${reason ?? 'unknown'}).`,
    )
  }
  await printLines(context, [
    `The mail server accepted a test for ${counted(to.length, 'address', 'addresses')}.`,
  ])
}
