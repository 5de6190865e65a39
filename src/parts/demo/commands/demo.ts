/** `sojourn demo`: a realistic center to try everything on, a key, and example requests. */
import { Command } from 'commander'
import type { CommandContext } from '../../../core/command-line/context.ts'

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('create a demo center in a folder, print a key and example requests, and serve it')
    .option('--reset', 'delete the demo database and its key, and start again')
    .addHelpText(
      'after',
      `
The data is stored in DATA_DIR (./sojourn-data), so the next run continues with it. DATABASE_URL is ignored.

Examples:
  $ sojourn demo
  $ PORT=8081 DATA_DIR=/tmp/demo sojourn demo --reset
`,
    )
    .action(async (options: { reset?: boolean }) => {
      const { runDemo } = await import('./run-demo.ts')
      await runDemo(context, options)
    })
}
