/** `sojourn cells`: several PostgreSQL servers, each with its own instances, behind one proxy. */
import { Command } from 'commander'
import type { CommandContext } from '../../../core/command-line/context.ts'
import { cellsMapCommand } from './cells-map.ts'

export function cellsCommand(context: CommandContext): Command {
  return new Command('cells')
    .description('say which of several databases answers for which key')
    .addCommand(cellsMapCommand(context))
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn cells map --cells /etc/sojourn/cells --write /var/lib/sojourn-cells --watch --socket /run/haproxy/admin.sock\n',
    )
}
