/** `sojourn pooler-settings`: what a role needs behind a connection pooler in transaction mode. */
import { Command } from 'commander'
import { type CommandContext, printLines, UsageError } from '../core/command-line/context.ts'
import { readConfig } from '../core/config/config.ts'
import { alterRole } from '../core/database/postgres/postgres-pooler.ts'

export function poolerSettingsCommand(context: CommandContext): Command {
  return new Command('pooler-settings')
    .description('print the SQL that prepares a database role for DATABASE_POOLER')
    .option('--role <name>', 'the role; by default the user of DATABASE_URL')
    .addHelpText(
      'after',
      `
Behind a pooler in transaction mode, the settings of a session belong to the role. The service checks
them when it connects.

Examples:
  $ sojourn pooler-settings --role sojourn | psql postgres://postgres@db/sojourn
  $ DATABASE_URL=postgres://sojourn@pooler:6432/sojourn sojourn pooler-settings
`,
    )
    .action((options: { role?: string }) => {
      const role = options.role ?? userOf(readConfig(context.env).databaseUrl)
      if (role === '') {
        throw new UsageError(
          'No role is given: DATABASE_URL is not set or has no user. Name the role of the service with --role, such as --role sojourn.',
        )
      }
      return printLines(context, alterRole(role))
    })
}

const userOf = (url: string | undefined) =>
  url === undefined ? '' : decodeURIComponent(new URL(url).username)
