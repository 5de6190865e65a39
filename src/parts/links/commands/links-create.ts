/** `sojourn links create`. */
import { Command, InvalidArgumentError } from 'commander'
import { readExpiry } from '../../../core/access/keys/expiry.ts'
import { type CommandContext, showOnce, withDatabase } from '../../../core/command-line/context.ts'
import { addressAt } from '../../../core/command-line/ports.ts'
import { addToList } from '../../../core/command-line/scope-options.ts'
import type { Config } from '../../../core/config/config.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import { RELATIVE_DAYS } from '../../../core/request/relative-days.ts'
import { LINKS_CHANGE, linkLines } from './link-text.ts'

interface Options {
  key: string
  name: string
  language?: string
  expires: string
  perHour?: number
  perMinute?: number
  allow?: string[]
  allowSensitive?: boolean
  json?: boolean
}

export function linksCreateCommand(context: CommandContext): Command {
  return new Command('create')
    .description('create a link to one saved query, and print its URL once')
    .argument('<query>', 'path and query string of a request, in quotes')
    .requiredOption('--key <id>', 'appId of the key that it is for; the link can read no more than that key')
    .requiredOption('--name <text>', 'who will use it')
    .option('--language <tag>', "language of the answer, as in X-LOCALE (the center's)")
    .option('--expires <end>', 'when it expires: a duration (90d, 12h), a day or a timestamp', '90d')
    .option('--per-hour <n>', 'requests per hour (300)', readWholeNumber)
    .option('--per-minute <n>', 'requests per minute (20)', readWholeNumber)
    .option(
      '--allow <cidr>',
      'address or range from which it may be used; repeatable (any address)',
      addToList,
    )
    .option('--allow-sensitive', 'let it show personal and medical data to anybody who has the URL')
    .option('--json', 'print the link as JSON')
    .addHelpText(
      'after',
      `
Relative days, in place of YYYY-MM-DD:
  ${RELATIVE_DAYS}

Examples:
  $ sojourn links create --key sjn_app_h2pMSS0L1KpjLDc4 --name "Kitchen tablet" '/meals/portions?startDate=today&endDate=today+6'
  $ sojourn links create --key sjn_app_h2pMSS0L1KpjLDc4 --name "Finance" --language ro --expires 365d '/orders?startDate=month-start&endDate=today'
`,
    )
    .action((question: string, options: Options) =>
      withDatabase(
        context,
        async (database, config) => {
          const { createLink } = await import('../create-link.ts')
          const now = await databaseNow(database)
          await createLink(
            database,
            {
              key: options.key,
              name: options.name,
              question,
              language: options.language,
              perHour: options.perHour,
              perMinute: options.perMinute,
              allowedAddresses: options.allow,
              allowSensitive: options.allowSensitive,
              expiresAt: (zone) => readExpiry(options.expires, { now, zone }),
            },
            {
              operations: await context.parts.operations(),
              random: context.random,
              now,
              async show({ link, token, remarks }) {
                const made = { ...link, url: await linkUrl(config, token) }
                const lines = [...linkLines(made), '', URL_ONCE, ...remarks]
                await showOnce(context, options, made, lines)
              },
            },
          )
        },
        LINKS_CHANGE,
      ),
    )
}

const URL_ONCE =
  'The URL is shown only once. Anybody who has it can read what it shows: give it only to its user, over a channel that you would trust with the data itself.'

/** The URL of a link at PUBLIC_URL, or at the address on which the service listens. */
async function linkUrl({ publicUrl, host, port }: Config, token: string): Promise<string> {
  const { LINKS_PATH } = await import('../serve-links.ts')
  return `${publicUrl ?? addressAt(host, port)}${LINKS_PATH}/${token}`
}

function readWholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1')
  return Number(text)
}
