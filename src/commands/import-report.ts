/** What an import did, for people. */
import type { ImportSummary } from '../intake/import-records.ts'
import { KIND_NAMES } from '../intake/kinds/kind.ts'
import type { ImportCommandOptions } from './import-options.ts'
import { isBeyondBound, missingLines } from './snapshot-options.ts'
import { tableLines } from './table.ts'
import { counted, number } from './words.ts'

const ALWAYS = ['created', 'changed', 'unchanged', 'removed'] as const

export function importReport(
  summary: ImportSummary,
  options: ImportCommandOptions,
  rejectsFiles: readonly string[],
  forms: readonly string[],
): string {
  // Most records carry no version.
  const hasOlder = KIND_NAMES.some((kind) => summary.kinds[kind].older > 0)
  const effects = hasOlder ? ([...ALWAYS, 'older'] as const) : ALWAYS
  const rows = KIND_NAMES.filter((kind) => effects.some((effect) => summary.kinds[kind][effect] > 0)).map(
    (kind) => [kind, ...effects.map((effect) => number(summary.kinds[kind][effect]))],
  )
  const table = rows.length === 0 ? [] : tableLines([['', ...effects], ...rows], { right: (at) => at > 0 })
  return `${[...table, ...forms, ...outcome(summary, options, rejectsFiles)].join('\n')}\n`
}

function outcome(
  { lines, rejected, applied, problems, seconds, missing }: ImportSummary,
  options: ImportCommandOptions,
  rejectsFiles: readonly string[],
): string[] {
  const good = counted(lines - rejected, 'record')
  const bad = counted(rejected, 'record')
  const time = `${seconds.toFixed(1)} s`
  if (applied) {
    const imported = `Imported ${good} in ${time}.`
    if (rejected === 0) return [imported, ...missingLines(missing, true)]
    const them = rejected === 1 ? 'it' : 'them'
    return [
      imported,
      `Rejected ${bad}: mend ${them} in ${rejectsFiles.join(', ')}, and import ${them} with --retry.`,
    ]
  }
  if (rejected > 0 && !options.skipInvalid) {
    const isOne = rejected === 1
    return [
      `Nothing was imported: ${number(rejected)} of ${counted(lines, 'record')} ${isOne ? 'is' : 'are'} invalid (${counted(problems, 'problem')}).`,
      ...(rejectsFiles.length === 0 ? [] : [`All of them are in ${rejectsFiles.join(', ')}.`]),
    ]
  }
  if (isBeyondBound(missing) && !options.dryRun)
    return ['Nothing was imported.', ...missingLines(missing, false)]
  const dryRun = `Dry run: ${good} would be imported. Nothing was changed (${time}).`
  if (rejected === 0) return [dryRun, ...missingLines(missing, false)]
  return [dryRun, `${bad} would be rejected.`]
}
