/** `sojourn serve`: answers requests until a signal ends it. */
import { Command } from 'commander'
import { type CommandContext, tellCreating } from '../core/command-line/context.ts'
import { endAtOnceOnSignals } from '../core/command-line/ending.ts'
import { checkPort } from '../core/command-line/ports.ts'
import { counted } from '../core/command-line/words.ts'
import { readConfig } from '../core/config/config.ts'
import { type CenterRow, selectCenters } from '../core/records/centers/centers-sql.ts'

export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('serve the API until Ctrl-C or SIGTERM')
    .option(
      '--migrate',
      "first migrate the server's database to this version's schema, as is always done for the database of a folder",
    )
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
      // Imported only here, so that other commands do not load the whole service.
      const { openDatabase } = await import('../core/database/open.ts')
      const ending = endAtOnceOnSignals()
      await checkPort(config)
      const warn = (sentence: string) => void context.stderr.write(`${sentence}\n`)
      const database = await openDatabase(config, {
        purpose: 'serve',
        migrate: options.migrate,
        onChange: warn,
        onCreating(folder, note) {
          tellCreating(context)(folder, note)
          // It is loaded already when another process has made the files, which takes as long.
          import('./run-service.ts').catch(() => {})
        },
        onIdleError: (error) => warn(`A connection to the database was lost: ${error.message}`),
      })
      await context.parts.keepErasureLog?.(context, database, config.dataDir)
      const centers = (await database.query<CenterRow>(selectCenters())).length
      await context.parts.runService(
        { config, database, ending, context },
        (address, operationsAddress, intakeAddress) => {
          const data = `${counted(centers, 'center')} in ${database.place}`
          const hint = centers === 0 ? '; add one with "sojourn import", or try "sojourn demo"' : ''
          const operations =
            operationsAddress === undefined ? '' : `Metrics and health are on ${operationsAddress}\n`
          const intake =
            intakeAddress === undefined ? '' : `Records are accepted at ${intakeAddress}/intake\n`
          context.stdout.write(
            `Sojourn listens on ${address}\n${operations}${intake}Serving ${data}${hint}\n`,
          )
        },
      )
    })
}
