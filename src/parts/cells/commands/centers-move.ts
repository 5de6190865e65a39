/** `sojourn centers move`: moves a center to the database of another cell. */
import { Command } from 'commander'
import {
  type CommandContext,
  printLines,
  UsageError,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { counted, number } from '../../../core/command-line/words.ts'
import { type Config, readConfig } from '../../../core/config/config.ts'
import { postgresUrl } from '../../../core/config/kinds.ts'
import { type OpenedDatabase, openDatabase } from '../../../core/database/open.ts'
import { moveCenter, removeMoved } from '../move-center.ts'

interface MoveOptions {
  to: string
  remove?: boolean
}

export function centersMoveCommand(context: CommandContext): Command {
  return new Command('move')
    .description(
      'move a center to another PostgreSQL database, with everything that it has, while it is in use',
    )
    .argument('<center>', 'its id')
    .requiredOption('--to <url>', 'the database it moves to, with the same schema')
    .option(
      '--remove',
      'remove a center that has moved from the old database, when the map leads to the new one',
    )
    .addHelpText(
      'after',
      `
Everything is copied while the center is in use. Then it is closed for about a second: its requests get a 503
with Retry-After. If the command ends early, the center is where it was; run it again. Both roles need the right to
leave out triggers: grant set on parameter session_replication_role. The password of the other database is in the password
file (PGPASSFILE, by default ~/.pgpass), or in PGPASSWORD if both have the same one; a URL with a password is refused.

Examples:
  $ DATABASE_URL=postgres://sojourn@north/sojourn sojourn centers move resort --to postgres://sojourn@south/sojourn
  $ DATABASE_URL=postgres://sojourn@north/sojourn sojourn centers move resort --to postgres://sojourn@south/sojourn --remove
`,
    )
    .action((center: string, options: MoveOptions) => move(context, center, options))
}

async function move(context: CommandContext, center: string, { to, remove }: MoveOptions): Promise<void> {
  const config = readConfig(context.env)
  if (config.databaseUrl === undefined) {
    throw new UsageError(
      'A center moves between PostgreSQL databases: set DATABASE_URL to the one that it is in.',
    )
  }
  if (postgresUrl.read(to) === undefined) {
    throw new UsageError('--to must be a PostgreSQL URL with one host, postgres://USER@HOST:PORT/DATABASE.')
  }
  const { password, searchParams } = new URL(to)
  if (password !== '' || searchParams.has('password')) {
    throw new UsageError(
      'The URL of --to may not have a password: other users of the machine see command lines, and shells store them. Write the password into the password file (PGPASSFILE, by default ~/.pgpass; mode 600), or set PGPASSWORD if both databases have the same one, and change a password that was in a command line.',
    )
  }
  await withDatabase(
    context,
    async (source) => {
      const target = await openTarget(config, to)
      try {
        if (remove) {
          const late = await removeMoved({ source, target, center })
          await printLines(context, [
            `Removed the center ${center} from ${source.place}; ${counted(late, 'late entry', 'late entries')} of its trail moved after it.`,
          ])
          return
        }
        const tell = (sentence: string) => void context.stderr.write(`${sentence}\n`)
        const { rows, closedMs } = await moveCenter({ source, target, center, tell })
        await printLines(context, [
          closedMs === undefined
            ? `The center ${center} is in ${target.place}.`
            : `The center ${center} is in ${target.place}: ${number(rows)} rows; it was closed for ${number(closedMs)} ms.`,
          'When the map leads there, remove it from the old database: the same command with --remove.',
        ])
      } finally {
        await target.close()
      }
    },
    {
      outcomes: {
        nothing: 'The center is where it was. Run the command again.',
        unknown: 'Run the command again: it finishes what it has begun.',
      },
    },
  )
}

const openTarget = (config: Config, url: string): Promise<OpenedDatabase> =>
  openDatabase({ ...config, databaseUrl: url }, { purpose: 'command' })
