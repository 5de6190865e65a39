/** `sojourn audit`: who read what. */
import { Command } from 'commander'
import type { CommandContext } from '../../../core/command-line/context.ts'
import { auditListCommand } from './audit-list.ts'
import { auditPruneCommand } from './audit-prune.ts'
import { auditRefusalsCommand } from './audit-refusals.ts'
import { auditVerifyCommand } from './audit-verify.ts'

export function auditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('show who read what and what was refused, and verify the audit trail')
    .addCommand(auditListCommand(context))
    .addCommand(auditPruneCommand(context))
    .addCommand(auditRefusalsCommand(context))
    .addCommand(auditVerifyCommand(context))
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn audit list --guest 25-03-07
  $ sojourn audit verify
`,
    )
}
