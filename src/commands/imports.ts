/** `sojourn imports`: past imports, who made them, and their results. */
import { Command, InvalidArgumentError } from 'commander'
import { type CommandContext, printJson, printLines, withDatabase } from '../core/command-line/context.ts'
import { tableLines } from '../core/command-line/table.ts'
import { counted, number } from '../core/command-line/words.ts'
import { type ImportRow, selectImportsSql } from '../core/intake/import-log-sql.ts'
import { isoMoment } from '../core/locale/dates.ts'
import { readCenterZone } from '../core/records/centers/find-center.ts'

export function importsCommand(context: CommandContext): Command {
  return new Command('imports')
    .description('list imports')
    .addCommand(importsListCommand(context))
    .addHelpText('after', '\nExamples:\n  $ sojourn imports list\n')
}

const DEFAULT_LIMIT = 20

interface Options {
  readonly center?: string
  readonly limit: number
  readonly json?: boolean
}

function importsListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the last imports, newest first, with one line for each center')
    .option('--center <id>', 'only imports into this center')
    .option('--limit <count>', 'at most this many lines', readCount, DEFAULT_LIMIT)
    .option('--json', 'print JSON, with the counts by kind and the full digests')
    .addHelpText(
      'after',
      `
A file is listed by the SHA-256 digest of its bytes, as sha256sum prints it. Its name is not stored.

Examples:
  $ sojourn imports list --center resort
  $ sojourn imports list --limit 100 --json
`,
    )
    .action(({ center, limit, json }: Options) =>
      withDatabase(context, async (database) => {
        const rows = await database.query<ImportRow>(selectImportsSql(center, limit))
        // The lines of a center that was removed are still there.
        if (rows.length === 0 && center !== undefined) await readCenterZone(database, center)
        if (json) return printJson(context, rows.map(asJson))
        if (rows.length === 0) return printLines(context, ['No imports.'])
        const header = [
          'ended (UTC)',
          'center',
          'how',
          'by',
          'files',
          'records',
          'changes',
          'revision',
          'outcome',
        ]
        await printLines(
          context,
          tableLines([header, ...rows.map(asCells)], { right: (column) => column === 5 || column === 6 }),
        )
      }),
    )
}

function asJson(row: ImportRow) {
  return {
    id: row.id,
    endedAt: isoMoment(row.ended_at),
    center: row.center_id === '' ? null : row.center_id,
    how: row.way,
    source: row.source,
    fileTime: row.file_time === null ? null : isoMoment(row.file_time),
    causes: row.causes,
    by: row.by_key === null ? { user: row.by_user } : { publicKey: row.by_key },
    files: row.files,
    durationMs: row.duration_ms,
    outcome: row.outcome,
    lines: row.lines,
    rejected: row.rejected,
    problems: row.problems,
    erased: row.erased,
    counts: row.counts,
    changes: row.changed,
    revisionBefore: row.revision_before,
    revisionAfter: row.revision_after,
  }
}

/** Enough to distinguish files. */
const DIGEST_SHOWN = 12

function asCells(row: ImportRow): string[] {
  const { files, revision_before: before, revision_after: after } = row
  const [first] = files
  const more = files.length > 1 ? ` +${files.length - 1}` : ''
  return [
    isoMoment(row.ended_at),
    row.center_id === '' ? '-' : row.center_id,
    row.way,
    row.by_key ?? row.by_user ?? '',
    first === undefined ? '-' : `${first.sha256.slice(0, DIGEST_SHOWN)}${more}`,
    number(row.lines),
    number(row.changed),
    before === after ? `${after}` : `${before} → ${after}`,
    outcomeOf(row),
  ]
}

function outcomeOf({ outcome, problems, rejected, erased }: ImportRow): string {
  if (outcome === 'refused') return `refused: ${counted(problems, 'problem')} in ${counted(rejected, 'line')}`
  if (outcome === 'failed') return outcome
  return [
    outcome,
    ...(rejected > 0 ? [`${counted(rejected, 'line')} rejected`] : []),
    ...(erased > 0 ? [`${number(erased)} of erased people left out`] : []),
  ].join(', ')
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of at least 1.')
}
