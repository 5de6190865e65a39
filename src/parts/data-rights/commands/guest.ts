/** `sojourn guest`: a person’s rights. */
import { Command } from 'commander'
import type { CommandContext } from '../../../core/command-line/context.ts'
import { guestEraseCommand } from './guest-erase.ts'
import { guestExportCommand } from './guest-export.ts'
import { guestFindCommand } from './guest-find.ts'

export function guestCommand(context: CommandContext): Command {
  return new Command('guest')
    .description('find a person, and export or erase everything stored about them')
    .addCommand(guestFindCommand(context))
    .addCommand(guestExportCommand(context))
    .addCommand(guestEraseCommand(context))
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn guest find --name "Popescu Ioana"
  $ sojourn guest export --customer customer-0001 --output customer-0001
  $ sojourn guest erase --customer customer-0001 --dry-run
`,
    )
}
