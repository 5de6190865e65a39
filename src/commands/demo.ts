/** `sojourn demo`: a believable center to try everything on, a key, and requests to paste. */
import { Command } from 'commander'
import type { CommandContext, RunCommand } from './context.ts'

export function demoCommand(context: CommandContext, run: RunCommand): Command {
  return new Command('demo')
    .description(
      'make a believable center in an embedded database, print a key and requests to paste, and serve',
    )
    .option('--reset', 'start over: forget what was changed, and the key')
    .addHelpText(
      'after',
      `
The data is kept in DATA_DIR (./sojourn-data); run again, the demo is where it was. DATABASE_URL is not used.

Examples:
  $ sojourn demo
  $ PORT=8081 DATA_DIR=/tmp/demo sojourn demo --reset
`,
    )
    .action(async (options: { reset?: boolean }) => {
      const { runDemo } = await import('./run-demo.ts')
      await runDemo(context, run, options)
    })
}
