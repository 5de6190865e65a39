/** `sojourn keys rotate`. */
import { Command } from 'commander'
import { readExpiry } from '../core/access/keys/expiry.ts'
import { type Rotation, rotateKey } from '../core/access/keys/rotate-key.ts'
import { showKey } from '../core/access/keys/show-key.ts'
import { recordKeyAct } from '../core/audit/record-key-act.ts'
import { type CommandContext, showOnce, withDatabase } from '../core/command-line/context.ts'
import { KEYS_CHANGE, keyLines, SECRETS_ONCE } from '../core/command-line/key-text.ts'
import { overlapOption } from '../core/command-line/overlap-option.ts'
import { databaseNow } from '../core/database/clock.ts'
import { readCenterZone } from '../core/records/centers/find-center.ts'

interface Options {
  overlap: number
  expires?: string
  json?: boolean
}

export function keysRotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('give an application a new key; its old keys keep working for a while')
    .argument('<key>', 'appId, or one of its publicKeys')
    .addOption(overlapOption('how long the old keys keep working; 0 ends them at once'))
    .option(
      '--expires <end>',
      'when the new key expires: a duration, a day or a timestamp (after as long as the old one)',
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
        async (database, { keyDaysMax }) => {
          const now = await databaseNow(database)
          let expiresAt: number | undefined
          if (options.expires !== undefined) {
            const [key] = await showKey(database, id, { now })
            const zone = await readCenterZone(database, key?.centerId ?? '')
            expiresAt = readExpiry(options.expires, { now, zone })
          }
          await rotateKey(database, id, {
            random: context.random,
            now,
            daysMax: keyDaysMax,
            note: recordKeyAct,
            overlapMs: options.overlap,
            expiresAt,
            show: (rotation) => showOnce(context, options, rotation, rotationLines(rotation)),
          })
        },
        KEYS_CHANGE,
      ),
    )
}

const rotationLines = (rotation: Rotation) => [
  ...keyLines(rotation),
  '',
  SECRETS_ONCE,
  ...rotation.replaces.map((old) => `${old.publicKey} works until ${old.expiresAt}.`),
]
