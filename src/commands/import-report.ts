/** The report of an import, in words. */
import { basename } from 'node:path'
import { tableLines } from '../core/command-line/table.ts'
import { counted, number, shellWord } from '../core/command-line/words.ts'
import { inWords } from '../core/errors/in-words.ts'
import { visible } from '../core/errors/visible.ts'
import type { ImportSummary } from '../core/intake/import-records.ts'
import { KIND_NAMES } from '../core/intake/kinds/kind.ts'
import { kitchenKeyCommand } from '../core/intake/merge/diets.ts'
import { type ImportCommandOptions, retryCommand } from './import-options.ts'
import { isBeyondBound, missingLines } from './snapshot-options.ts'

const ALWAYS = ['created', 'changed', 'unchanged', 'removed'] as const

export function importReport(
  summary: ImportSummary,
  options: ImportCommandOptions,
  rejectsFiles: readonly string[],
  forms: readonly string[],
): string {
  // Most records have no version.
  const hasOlder = KIND_NAMES.some((kind) => summary.kinds[kind].older > 0)
  const effects = hasOlder ? ([...ALWAYS, 'older'] as const) : ALWAYS
  const rows = KIND_NAMES.filter((kind) => effects.some((effect) => summary.kinds[kind][effect] > 0)).map(
    (kind) => [kind, ...effects.map((effect) => number(summary.kinds[kind][effect]))],
  )
  // Counts of single records mean nothing if the import was undone.
  const isRefused = !summary.applied && summary.rejected > 0 && !options.skipInvalid
  const table =
    rows.length === 0 || isRefused ? [] : tableLines([['', ...effects], ...rows], { right: (at) => at > 0 })
  const changed = isRefused ? [] : changedLines(summary)
  return `${[...table, ...changed, ...forms, ...outcome(summary, options, rejectsFiles)].join('\n')}\n`
}

/** Nobody reads more of them on a screen. */
const NAMED_MAX = 20

/** Names the records that changed, if these are a few of many. */
function changedLines(summary: ImportSummary): string[] {
  const { records } = summary
  if (unchangedOf(summary) === 0 || records.length > NAMED_MAX) return []
  return [...Map.groupBy(records, ({ effect }) => effect)].map(
    ([effect, those]) => `${effect}: ${those.map(({ kind, id }) => `${kind} ${id}`).join(', ')}`,
  )
}

const unchangedOf = ({ kinds }: ImportSummary) =>
  KIND_NAMES.reduce((sum, kind) => sum + kinds[kind].unchanged + kinds[kind].older, 0)

function outcome(
  summary: ImportSummary,
  options: ImportCommandOptions,
  rejectsFiles: readonly string[],
): string[] {
  const { lines, rejected, applied, problems, seconds, missing, erased } = summary
  const same = unchangedOf(summary)
  const good = counted(lines - rejected - erased - same, 'record')
  const leftOut =
    erased === 0
      ? []
      : [`${applied ? 'Left' : 'It would leave'} out ${counted(erased, 'record')} of people who were erased.`]
  const inOrder = [
    ...repeatedLines(summary.repeated, applied),
    ...unservedLines(summary.withoutBooking),
    ...dietLines(summary, options),
  ]
  const time = `${seconds.toFixed(1)} s`
  const others = same === 0 ? '' : `; ${number(same)} ${same === 1 ? 'was' : 'were'} unchanged`
  if (applied) {
    return [
      `Imported ${good} in ${time}${others}.`,
      ...leftOut,
      ...inOrder,
      ...(rejected === 0 ? missingLines(missing, true) : rejectedLines(rejected, options, rejectsFiles)),
    ]
  }
  if (rejected > 0 && !options.skipInvalid) {
    const isOne = rejected === 1
    return [
      `Nothing was imported: ${number(rejected)} of ${counted(lines, 'record')} ${isOne ? 'is' : 'are'} invalid (${counted(problems, 'problem')}).`,
      ...(rejectsFiles.length === 0
        ? []
        : [`All of them are in ${namesOf(rejectsFiles)}. Correct the file itself, and import it again.`]),
    ]
  }
  if (isBeyondBound(missing) && !options.dryRun)
    return ['Nothing was imported.', ...missingLines(missing, false)]
  const dryRun = `Dry run: ${good} would be imported${others}. Nothing was changed (${time}).`
  if (rejected === 0) return [dryRun, ...leftOut, ...inOrder, ...missingLines(missing, false)]
  return [dryRun, ...leftOut, ...inOrder, `${counted(rejected, 'record')} would be rejected.`]
}

function repeatedLines(repeated: number, applied: boolean): string[] {
  if (repeated === 0) return []
  const [was, their] = repeated === 1 ? ['was', 'its'] : ['were', 'their']
  return [
    `${counted(repeated, 'record')} ${was} given more than once; ${their} lines ${applied ? 'were' : 'would be'} applied in order.`,
  ]
}

function unservedLines(people: number): string[] {
  if (people === 0) return []
  const [has, them] = people === 1 ? ['person has', 'this person'] : ['people have', 'them']
  return [`${number(people)} ${has} no booking, so no list of guests shows ${them}.`]
}

/** What the kitchen now reads, and the command for a key that may read it. */
function dietLines({ diets, applied }: ImportSummary, { center = '' }: ImportCommandOptions): string[] {
  if (diets === undefined || diets.added.length === 0) return []
  const fields = inWords(diets.added.map((key) => `meta.${key}`))
  const [is, those] = diets.added.length === 1 ? ['is a diet', 'it'] : ['are diets', 'them']
  return [
    `${fields} ${is} of the center's meal rules${applied ? ' now' : ', once imported'}. Existing keys do not read ${those}. For a key of the kitchen that does, run:`,
    `  ${kitchenKeyCommand(shellWord(center))}`,
  ]
}

function rejectedLines(rejected: number, options: ImportCommandOptions, files: readonly string[]): string[] {
  const advice = `Rejected ${counted(rejected, 'record')}. Correct ${rejected === 1 ? 'it' : 'them'} in ${namesOf(files)}`
  if (options.watched) return [`${advice}, and put that file into the folder.`]
  return [`${advice}, then run:`, ...files.map((file) => `  ${visible(retryCommand(file, options))}`)]
}

const namesOf = (files: readonly string[]) => files.map((path) => visible(basename(path))).join(', ')
