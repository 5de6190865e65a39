/** `sojourn keys rotate`. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { databaseNow } from '../database/clock.ts'
import { readCenterZone } from '../keys/create-key.ts'
import { readExpiry, readSpan } from '../keys/expiry.ts'
import { rotateKey } from '../keys/rotate-key.ts'
import { showKey } from '../keys/show-key.ts'
import { DAY_MS } from '../locale/civil.ts'
import { type CommandContext, printJson, printLines, withDatabase } from './context.ts'
import { KEYS_CHANGE, keyLines, SECRETS_ONCE } from './key-text.ts'

interface Options {
  overlap: number
  expires?: string
  json?: boolean
}

export function keysRotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('give an application a new key; its old keys keep working for a while')
    .argument('<key>', 'appId, or one of its publicKeys')
    .addOption(
      new Option('--overlap <span>', 'how long the old keys keep working; 0 ends them at once')
        .argParser(readOverlap)
        .default(DAY_MS, '24h'),
    )
    .option(
      '--expires <end>',
      'when the new key expires: a span, a day or a moment (after as long as the old one)',
    )
    .option('--json', 'print the new key as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn keys rotate sjn_app_h2pMSS0L1KpjLDc4
  $ sojourn keys rotate sjn_app_h2pMSS0L1KpjLDc4 --overlap 0 --json
`,
    )
    .action((id: string, options: Options) =>
      withDatabase(
        context,
        async (database) => {
          const now = await databaseNow(database)
          let expiresAt: number | undefined
          if (options.expires !== undefined) {
            const [key] = await showKey(database, id, { now })
            const zone = await readCenterZone(database, key?.centerId ?? '')
            expiresAt = readExpiry(options.expires, { now, zone })
          }
          const rotation = await rotateKey(database, id, {
            random: context.random,
            now,
            overlapMs: options.overlap,
            expiresAt,
          })
          if (options.json) return printJson(context, rotation)
          await printLines(context, [
            ...keyLines(rotation),
            '',
            SECRETS_ONCE,
            ...rotation.replaces.map((old) => `${old.publicKey} works until ${old.expiresAt}.`),
          ])
        },
        KEYS_CHANGE,
      ),
    )
}

function readOverlap(text: string): number {
  const span = readSpan(text)
  if (span === undefined) throw new InvalidArgumentError('Expected a span such as 24h, 7d or 0')
  return span
}
