/** What an import did, for people. */
import { basename } from 'node:path'
import { visible } from '../errors/visible.ts'
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
  // Of what did not go in nothing was created.
  const table =
    rows.length === 0 || !(summary.applied || options.dryRun)
      ? []
      : tableLines([['', ...effects], ...rows], { right: (at) => at > 0 })
  return `${[...table, ...forms, ...outcome(summary, options, rejectsFiles)].join('\n')}\n`
}

/** As it can be pasted. */
function retryCommand(path: string, { center, map, kind }: ImportCommandOptions): string {
  const given = Object.entries({ center, map, kind })
  const words = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  return ['sojourn', 'import', ...words, '--retry', path]
    .map(visible)
    .map((word) => (/^[\w./:=-]+$/.test(word) ? word : `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`))
    .join(' ')
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
    return [
      imported,
      `Rejected ${bad}. Mend ${rejected === 1 ? 'it' : 'them'} in ${rejectsFiles.map((path) => visible(basename(path))).join(', ')}, then run:`,
      ...rejectsFiles.map((path) => `  ${retryCommand(path, options)}`),
    ]
  }
  if (rejected > 0 && !options.skipInvalid) {
    const isOne = rejected === 1
    return [
      `Nothing was imported: ${number(rejected)} of ${counted(lines, 'record')} ${isOne ? 'is' : 'are'} invalid (${counted(problems, 'problem')}).`,
      ...(rejectsFiles.length === 0
        ? []
        : [
            `All of them are in ${rejectsFiles.map((path) => visible(basename(path))).join(', ')}. Mend the file itself, and import it again.`,
          ]),
    ]
  }
  if (isBeyondBound(missing) && !options.dryRun)
    return ['Nothing was imported.', ...missingLines(missing, false)]
  const dryRun = `Dry run: ${good} would be imported. Nothing was changed (${time}).`
  if (rejected === 0) return [dryRun, ...missingLines(missing, false)]
  return [dryRun, `${bad} would be rejected.`]
}
