/** `sojourn status`: which database is used, and which process serves it. */
import { resolve } from 'node:path'
import { Command } from 'commander'
import packageFile from '../../../../package.json' with { type: 'json' }
import { listKeys } from '../../../core/access/keys/list-keys.ts'
import {
  type CommandContext,
  printJson,
  printLines,
  withDatabase,
} from '../../../core/command-line/context.ts'
import { tableLines } from '../../../core/command-line/table.ts'
import { counted } from '../../../core/command-line/words.ts'
import { type Config, readConfig } from '../../../core/config/config.ts'
import type { Queryable } from '../../../core/database/database.ts'
import type { OpenedDatabase } from '../../../core/database/open.ts'
import { isNewFolder } from '../../../core/database/private/cluster.ts'
import { countOtherProcesses } from '../../../core/database/private/presence.ts'
import { rewriteDueSince } from '../../../core/database/schema/rewrite-files.ts'
import { isoMoment } from '../../../core/locale/dates.ts'
import { centerId } from '../../../core/records/centers/center.ts'
import { type CenterRow, selectCenters } from '../../../core/records/centers/centers-sql.ts'
import { readSourceStates } from '../../../core/records/sources/read-sources.ts'
import { problemWords } from '../../../core/records/sources/source-words.ts'
import { selectScheduledCenters } from '../../../core/records/sources/sources-sql.ts'
import { selectWaitingMails, type WaitingMailsRow } from '../../notices/notices-sql.ts'
import { readReportTroubles } from '../../reports/manage-reports.ts'

interface Status {
  readonly version: string
  readonly database: 'folder' | 'server'
  /** where the data is: a folder, or a server without its password */
  readonly place: string
  /** whether the database exists; that of a folder is created when it is first used */
  readonly exists: boolean
  /** other processes that use the database of a folder, such as the service; null if it is on a server */
  readonly otherProcesses: number | null
  readonly centers: number | null
  readonly activeKeys: number | null
  /** when somebody was erased whose data is still in the database's files, ISO 8601; null if nobody was */
  readonly incompleteErasure: string | null
  /** sources whose data is late, or of which something is wrong */
  readonly sources: readonly SourceTrouble[]
  readonly notices: NoticeStatus
  /** runs of scheduled reports that are late, and those of the last day that were missed or refused */
  readonly reports: { readonly late: number; readonly missed: number }
}

interface NoticeStatus {
  /** whether e-mail can be sent, as far as the settings of this command say */
  readonly smtp: boolean
  /** messages that the mail server has not accepted yet */
  readonly waiting: number
  /** ISO 8601; null if none waits */
  readonly waitingSince: string | null
  /** why the last attempt failed */
  readonly reason: string | null
}

interface SourceTrouble {
  readonly center: string
  readonly source: string
  readonly late: boolean
  /** what is wrong, in sentences */
  readonly problems: readonly string[]
}

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description('show which database is used, how many processes use it, and what it holds')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sojourn status\n  $ DATA_DIR=/var/lib/sojourn sojourn status --json\n',
    )
    .action(async (options: { json?: boolean }) => {
      const none = noDatabase(context)
      if (none !== undefined) return show(context, none, options)
      const showFound = async (database: OpenedDatabase, { smtpUrl }: Config) => {
        const centers = await database.query<CenterRow>(selectCenters())
        const keys = await listKeys(database, { centerId: undefined, now: context.now() })
        const due = await rewriteDueSince(database)
        await show(
          context,
          {
            version: packageFile.version,
            database: isFolder(database) ? 'folder' : 'server',
            place: database.place,
            exists: true,
            otherProcesses: isFolder(database) ? await countOtherProcesses(database) : null,
            centers: centers.length,
            activeKeys: keys.filter((key) => key.status === 'active').length,
            incompleteErasure: due === undefined ? null : isoMoment(due),
            sources: await sourceTroubles(database),
            notices: await noticeStatus(database, smtpUrl !== undefined),
            reports: await readReportTroubles(database),
          },
          options,
        )
      }
      // It reports an interrupted erasure, and leaves completing it to others.
      await withDatabase(context, showFound, { leavesRewrites: true })
    })
}

const isFolder = (database: OpenedDatabase) => database.asSuperuser !== undefined

async function sourceTroubles(database: Queryable): Promise<SourceTrouble[]> {
  const centers = await database.query<{ center_id: string; timezone: string }>(
    selectScheduledCenters(undefined),
  )
  const found: SourceTrouble[] = []
  for (const { center_id: center, timezone } of centers) {
    for (const state of await readSourceStates(database, centerId(center), timezone)) {
      if (state.problems.length === 0) continue
      const problems = state.problems.map((problem) => problemWords(problem, state))
      found.push({ center, source: state.source.name, late: state.late, problems })
    }
  }
  return found
}

async function noticeStatus(database: Queryable, smtp: boolean): Promise<NoticeStatus> {
  const [row] = await database.query<WaitingMailsRow>(selectWaitingMails)
  const { count = 0, since = null, reason = null } = row ?? {}
  return { smtp, waiting: count, waitingSince: since === null ? null : isoMoment(since), reason }
}

/** Asking for the status must not create a database. */
function noDatabase({ env }: CommandContext): Status | undefined {
  const { databaseUrl, dataDir, smtpUrl } = readConfig(env)
  const place = resolve(dataDir)
  if (databaseUrl !== undefined || !isNewFolder(place)) return undefined
  return {
    version: packageFile.version,
    database: 'folder',
    place,
    exists: false,
    otherProcesses: null,
    centers: null,
    activeKeys: null,
    incompleteErasure: null,
    sources: [],
    notices: { smtp: smtpUrl !== undefined, waiting: 0, waitingSince: null, reason: null },
    reports: { late: 0, missed: 0 },
  }
}

function show(context: CommandContext, status: Status, { json }: { json?: boolean }): Promise<void> {
  if (json) return printJson(context, status)
  const {
    version,
    place,
    exists,
    otherProcesses,
    centers,
    activeKeys,
    incompleteErasure,
    sources,
    notices,
    reports,
  } = status
  return printLines(
    context,
    tableLines([
      ['version', version],
      ['database', exists ? place : `${place}: does not exist yet`],
      ...(otherProcesses === null ? [] : [['other processes', String(otherProcesses)]]),
      ...(exists
        ? [
            ['centers', String(centers)],
            ['active keys', String(activeKeys)],
          ]
        : []),
      ...(incompleteErasure === null ? [] : [['incomplete erasure', incompleteText(status)]]),
      ...sources.map(({ center, source, late, problems }) => [
        `${center} ${source}`,
        `${late ? 'late' : 'problem'}: ${problems.join(' ')}`,
      ]),
      ...noticeRows(notices, sources.length),
      ...(reports.late + reports.missed === 0
        ? []
        : [['reports', `${reports.late} late, ${reports.missed} missed; "sojourn reports list" shows them`]]),
    ]),
  )
}

function noticeRows({ smtp, waiting, waitingSince, reason }: NoticeStatus, troubles: number): string[][] {
  if (waiting > 0) {
    const why = reason === null ? '' : ` (${reason})`
    return [
      [
        'e-mail',
        `${counted(waiting, 'message')} not accepted by the mail server since ${waitingSince}${why}`,
      ],
    ]
  }
  return smtp || troubles === 0 ? [] : [['e-mail', 'nobody is notified, because SMTP_URL is not set']]
}

function incompleteText({ incompleteErasure }: Status): string {
  return `since ${incompleteErasure}: the person may still be in the files of the database; repeat "sojourn guest erase", or restart the service, to rewrite them`
}
