/** `sojourn links`: secret URLs that each answer one saved query. */
import { Command } from 'commander'
import {
  type CommandContext,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { counted } from '../../../core/command-line/words.ts'
import { databaseNow } from '../../../core/database/clock.ts'
import type { Link } from '../link.ts'
import { listLinks, revokeLink, showLinks } from '../manage-links.ts'
import { LINKS_CHANGE, linkLines } from './link-text.ts'
import { linksCreateCommand } from './links-create.ts'

export function linksCommand(context: CommandContext): Command {
  return new Command('links')
    .description('create secret URLs for spreadsheets, calendars or tablets that each answer one saved query')
    .addCommand(linksCreateCommand(context))
    .addCommand(linksListCommand(context))
    .addCommand(linksShowCommand(context))
    .addCommand(linksRevokeCommand(context))
    .addHelpText(
      'after',
      `
Examples:
  $ sojourn links create --key sjn_app_h2pMSS0L1KpjLDc4 --name "Kitchen tablet" '/meals/portions?startDate=today&endDate=today+6'
  $ sojourn links list --center resort
  $ sojourn links revoke sjn_link_7Yc1nGq0TtVbWz3k
`,
    )
}

function linksListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the links of a center, or of all centers; never their URLs')
    .option('--center <id>', 'only this center')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn links list --center resort --json\n')
    .action((options: { center?: string; json?: boolean }) =>
      withDatabase(context, async (database) => {
        const now = await databaseNow(database)
        const links = await listLinks(database, { centerId: options.center, now })
        if (options.json) return printJson(context, links)
        if (links.length > 0) return printLines(context, linkTable(links))
        await printLines(context, ['There are no links; create one with "sojourn links create".'])
      }),
    )
}

function linksShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('show a link, or all links of an application; never a URL')
    .argument('<link>', 'its id, or the appId of an application')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn links show sjn_link_7Yc1nGq0TtVbWz3k\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(context, async (database) => {
        const links = await showLinks(database, id, { now: await databaseNow(database) })
        if (options.json) return printJson(context, links)
        await printLines(
          context,
          links.flatMap((link, at) => [...(at === 0 ? [] : ['']), ...linkLines(link)]),
        )
      }),
    )
}

function linksRevokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('revoke a link; it shows nothing from the next request on')
    .argument('<link>', 'its id, or an appId for all links of the application')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  $ sojourn links revoke sjn_link_7Yc1nGq0TtVbWz3k\n')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(
        context,
        async (database) => {
          const revoked = await revokeLink(database, id, { now: await databaseNow(database) })
          if (options.json) return printJson(context, { revoked })
          await printLines(context, [
            revoked.length === 0
              ? `Nothing to do: ${id} is already revoked.`
              : `Revoked ${counted(revoked.length, 'link')}.`,
          ])
        },
        LINKS_CHANGE,
      ),
    )
}

const linkTable = (links: readonly Link[]): string[] =>
  tableLines([
    ['id', 'name', 'center', 'appId', 'status', 'expires', 'requests', 'last used', 'query'],
    ...links.map((link) => [
      link.id,
      link.name,
      link.centerId,
      link.appId,
      link.status,
      link.expiresAt.slice(0, 10),
      String(link.requests),
      link.lastUsed ?? 'never',
      link.question,
    ]),
  ])
