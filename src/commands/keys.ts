/** `sojourn keys`: the keys of applications. */
import { Command } from 'commander'
import type { CommandContext } from '../core/command-line/context.ts'
import { keysCreateCommand } from './keys-create.ts'
import { keysDescribeCommand } from './keys-describe.ts'
import { keysListCommand } from './keys-list.ts'
import { keysRevokeCommand } from './keys-revoke.ts'
import { keysRotateCommand } from './keys-rotate.ts'
import { keysShowCommand } from './keys-show.ts'

export function keysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('create, list, show, describe, rotate and revoke API keys, and see what they are used for')
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn keys create --center resort --name "Lab" --preset doctor
  $ sojourn keys list --center resort
  $ sojourn keys revoke sjn_app_h2pMSS0L1KpjLDc4
`,
    )
    .addCommand(keysCreateCommand(context))
    .addCommand(keysListCommand(context))
    .addCommand(keysShowCommand(context))
    .addCommand(keysDescribeCommand(context))
    .addCommand(keysRotateCommand(context))
    .addCommand(keysRevokeCommand(context))
}
