/** `sojourn keys describe`. */
import { Command } from 'commander'
import { describeKey } from '../core/access/keys/describe-key.ts'
import { recordKeyAct } from '../core/audit/record-key-act.ts'
import {
  type CommandContext,
  printJson,
  printLines,
  UsageError,
  withDatabase,
} from '../core/command-line/context.ts'
import { KEYS_CHANGE, keyLines } from '../core/command-line/key-text.ts'
import { databaseNow } from '../core/database/clock.ts'

interface Options {
  readonly responsible?: string
  readonly review?: string
  readonly json?: boolean
}

/** `none` removes it; undefined leaves it as it is. */
const orNull = (text: string | undefined) => (text === 'none' ? null : text)

export function keysDescribeCommand(context: CommandContext): Command {
  return new Command('describe')
    .description('set who answers for a key, and when somebody checks whether it is still required')
    .argument('<key>', 'appId, or one of its publicKeys')
    .option('--responsible <text>', 'person who answers for it; none for nobody')
    .option('--review <day>', 'day of the review, such as 2026-12-31; none for no review')
    .option('--json', 'print the key as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn keys describe sjn_app_h2pMSS0L1KpjLDc4 --responsible "Doina, kitchen" --review 2026-12-31
`,
    )
    .action((id: string, { responsible, review, json }: Options) => {
      if (responsible === undefined && review === undefined) {
        throw new UsageError('Give --responsible, --review, or both.')
      }
      return withDatabase(
        context,
        async (database) => {
          const now = await databaseNow(database)
          const key = await describeKey(
            database,
            id,
            { responsible: orNull(responsible), reviewOn: orNull(review) },
            { now, note: recordKeyAct },
          )
          if (json) await printJson(context, key)
          else await printLines(context, keyLines(key))
        },
        KEYS_CHANGE,
      )
    })
}
