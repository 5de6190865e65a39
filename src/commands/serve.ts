/** `sojourn serve`: answers requests until it is told to end. */
import { Command } from 'commander'
import { readConfig } from '../config/config.ts'
import type { CommandContext, RunCommand } from './context.ts'

export function serveCommand(context: CommandContext, run: RunCommand): Command {
  return new Command('serve')
    .description('answer requests until Ctrl-C or SIGTERM')
    .option('--migrate', "first bring PostgreSQL to this version's schema; the embedded database always is")
    .addHelpText(
      'after',
      `
Settings come from the environment: see "sojourn --help".

Examples:
  $ sojourn serve
  $ PORT=8081 DATA_DIR=/var/lib/sojourn sojourn serve
  $ DATABASE_URL=postgres://sojourn@db/sojourn sojourn serve --migrate
`,
    )
    .action(async (options: { migrate?: boolean }) => {
      const config = readConfig(context.env)
      // Only here, so that the other commands do not wait for the whole service to be loaded.
      const { openDatabase } = await import('../database/open.ts')
      const { checkPort, endAtOnceOnSignals, runService } = await import('./run-service.ts')
      const ending = endAtOnceOnSignals()
      await checkPort(config)
      const warn = (sentence: string) => void context.stderr.write(`${sentence}\n`)
      const database = await openDatabase(config, {
        purpose: 'serve',
        migrate: options.migrate,
        onChange: warn,
        onIdleError: (error) => warn(`A connection to the database was lost: ${error.message}`),
      })
      await runService({ config, database, ending, context, run }, (address) => {
        context.stdout.write(`Sojourn listens on ${address}\n`)
      })
    })
}
