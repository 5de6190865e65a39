/** What an import did, for people. */
import type { ImportSummary } from '../intake/import-records.ts'
import { KIND_NAMES } from '../intake/kinds/kind.ts'
import type { ImportCommandOptions } from './import-options.ts'
import { tableLines } from './table.ts'
import { counted, number } from './words.ts'

const EFFECTS = ['created', 'changed', 'unchanged', 'removed'] as const

export function importReport(
  summary: ImportSummary,
  options: ImportCommandOptions,
  rejectsFiles: readonly string[],
): string {
  const rows = KIND_NAMES.filter((kind) => EFFECTS.some((effect) => summary.kinds[kind][effect] > 0)).map(
    (kind) => [kind, ...EFFECTS.map((effect) => number(summary.kinds[kind][effect]))],
  )
  const table = rows.length === 0 ? [] : tableLines([['', ...EFFECTS], ...rows], { right: (at) => at > 0 })
  return `${[...table, ...outcome(summary, options, rejectsFiles)].join('\n')}\n`
}

function outcome(
  { lines, rejected, applied, problems, seconds }: ImportSummary,
  options: ImportCommandOptions,
  rejectsFiles: readonly string[],
): string[] {
  const good = counted(lines - rejected, 'record')
  const bad = counted(rejected, 'line')
  const time = `${seconds.toFixed(1)} s`
  if (applied) {
    const imported = `Imported ${good} in ${time}.`
    return rejected === 0 ? [imported] : [imported, `Rejected ${bad}: see ${rejectsFiles.join(', ')}.`]
  }
  if (rejected > 0 && !options.skipInvalid) {
    const isOne = rejected === 1
    return [
      `Nothing was imported: ${number(rejected)} of ${counted(lines, 'line')} ${isOne ? 'is' : 'are'} invalid (${counted(problems, 'problem')}).`,
      ...(rejectsFiles.length === 0 ? [] : [`All of them are in ${rejectsFiles.join(', ')}.`]),
    ]
  }
  const dryRun = `Dry run: ${good} would be imported. Nothing was changed (${time}).`
  return rejected === 0 ? [dryRun] : [dryRun, `${bad} would be rejected.`]
}
