/** `sojourn import`: records from files or standard input. */
import { basename } from 'node:path'
import { type CommandContext, UsageError } from '../core/command-line/context.ts'
import { progressOn } from '../core/command-line/progress.ts'
import type { Database } from '../core/database/database.ts'
import { didYouMean } from '../core/errors/suggest.ts'
import { visible } from '../core/errors/visible.ts'
import { importFiles } from '../core/intake/import-files.ts'
import { ImportConflict, type ImportSummary } from '../core/intake/import-records.ts'
import { InputError } from '../core/intake/input-error.ts'
import { KIND_NAMES, type KindName } from '../core/intake/kinds/kind.ts'
import { isKindName } from '../core/intake/kinds.ts'
import { digested } from '../core/intake/lines/digests.ts'
import { STDIN } from '../core/intake/lines/files.ts'
import type { LeftOut } from '../core/intake/lines/left-out.ts'
import type { InputFormat } from '../core/intake/lines/read-files.ts'
import { NotNow } from '../core/intake/preview/reading-slot.ts'
import { shown } from '../core/intake/rejects/problems.ts'
import { RejectsGiven } from '../core/intake/rejects/rejects-given.ts'
import { type CsvForm, dietsOf, formWords } from '../core/intake/spreadsheets.ts'
import { isIdentifier } from '../core/records/fields/values.ts'
import {
  FILE_REFUSED,
  type ImportCommandOptions,
  inputsOf,
  REJECTS_GIVEN,
  retryCommand,
  wantsRejects,
} from './import-options.ts'
import { ImportProblems } from './import-problems.ts'
import { Rejects } from './import-rejects.ts'
import { importReport } from './import-report.ts'
import { leftOutLines } from './left-out-lines.ts'
import { mappingOf } from './mapping-file.ts'
import { isBeyondBound, snapshotOf } from './snapshot-options.ts'

export interface ImportCommandContext
  extends Pick<CommandContext, 'stdin' | 'stdout' | 'stderr' | 'files' | 'user'> {
  /** Opened for a command, so there is no time limit for the import. */
  readonly database: Database
}

/**
 * Imports the files, or standard input if no file is named. @returns the exit code: 0 if everything was imported that
 * was requested, 1 otherwise
 */
export async function runImport(
  context: ImportCommandContext,
  files: readonly string[],
  options: ImportCommandOptions,
): Promise<number> {
  const { stdout, stderr } = context
  const refused = options.watched ? FILE_REFUSED : 1
  const inputs = inputsOf(files, options)
  try {
    const rejects = new Rejects(inputs, options, context.files)
    const forms = new Map<string, CsvForm>()
    const leftOut = new Map<string, LeftOut>()
    const problems = new ImportProblems()
    const summary = await runWithProgress(context, inputs, options, { rejects, forms, leftOut, problems })
    // A file that was requested by name lists what to correct, also if nothing was imported.
    const closing = rejects.close(summary.applied || options.rejects !== undefined)
    const rejectsFiles = await closing.catch((error: unknown) => {
      if (!summary.applied || !(error instanceof InputError)) throw error
      stderr.write(`${error.message}. ${IMPORTED_WITHOUT_REJECTS}\n`)
    })
    // The file is not the cause, so a watched folder tries it again.
    if (rejectsFiles === undefined) return 1
    stdout.write(
      options.json
        ? `${JSON.stringify({ ...printed(summary), dryRun: options.dryRun ?? false, rejectsFiles, csvFiles: [...forms].map(formJson), leftOut: [...leftOut].map(([file, found]) => ({ file, ...found })), causes: problems.causes() })}\n`
        : importReport(summary, options, rejectsFiles, [
            ...[...forms].map(formLine),
            ...[...leftOut].flatMap((each) => leftOutLines(...each)),
          ]),
    )
    const isDone = summary.rejected === 0 || options.skipInvalid
    return isDone && (options.dryRun || !isBeyondBound(summary.missing)) ? 0 : refused
  } catch (error) {
    if (error instanceof RejectsGiven) {
      const command = visible(retryCommand(inputs.length === 1 ? inputs[0]! : error.file, options))
      stderr.write(
        `${error.file} contains rejected records of an import. Once they are corrected, run: ${command}\n`,
      )
      return options.watched ? REJECTS_GIVEN : 1
    }
    if (!(error instanceof InputError || error instanceof ImportConflict)) throw error
    stderr.write(`${error.message}\n`)
    // A watched folder tries a file again that is not the cause.
    return error instanceof InputError && !(error instanceof NotNow) ? refused : 1
  }
}

const IMPORTED_WITHOUT_REJECTS =
  'The valid records were imported, the rejected ones were not. Import the same file again to get those; that changes nothing else.'

/** What an import collects while it runs. */
interface Noted {
  readonly rejects: Rejects
  readonly forms: Map<string, CsvForm>
  readonly leftOut: Map<string, LeftOut>
  readonly problems: ImportProblems
}

async function runWithProgress(
  { database, stdin, stderr, files, user }: ImportCommandContext,
  inputs: readonly string[],
  options: ImportCommandOptions,
  { rejects, forms, leftOut, problems }: Noted,
): Promise<ImportSummary> {
  const { center, kind, format } = checkOptions(inputs, stdin, options)
  // Before the transaction begins: when the service runs the command, it first receives the files completely.
  const read = digested(files)
  const mapping = await mappingOf(database, files, options)
  if (center === undefined && mapping !== undefined && dietsOf(mapping).length > 0)
    throw new UsageError('The mapping has diets: name the center that gets them with --center.')
  const progress = stderr.isTTY ? progressOn(stderr) : undefined
  try {
    const summary = await importFiles(database, {
      names: inputs,
      files: read,
      reading: {
        ...(kind && { kind }),
        ...(format && { format }),
        ...(mapping && { mapping }),
        isRetry: options.retry !== undefined,
        keepRows: wantsRejects(options),
        onForm(file, form) {
          forms.set(file, form)
          rejects.setForm(form)
        },
        onLeftOut(file, found) {
          leftOut.set(file, found)
        },
      },
      importing: {
        origin: {
          way: options.watched ? 'watch' : 'command',
          by: { user },
          files: read.digests,
          source: options.source,
          fileTime: options.fileTime,
        },
        ...(center !== undefined && { center }),
        ...(progress && { onProgress: progress.show }),
        skipInvalid: options.skipInvalid ?? false,
        snapshot: snapshotOf(options),
        // The user has given the mapping.
        areDietsConfirmed: true,
        keys: options.keys ?? false,
        audit: options.audit ?? false,
        restoreErased: options.restoreErased ?? false,
        refuseErased: options.refuseErased ?? false,
        dryRun: options.dryRun ?? false,
        async onProblem(problem) {
          problems.add(problem)
          await rejects.add(problem)
        },
      },
    })
    progress?.stop()
    return summary
  } catch (error) {
    await rejects.close(false)
    throw error
  } finally {
    progress?.stop()
    stderr.write(problems.text())
  }
}

const formJson = ([file, { encoding, delimiter }]: [string, CsvForm]) => ({
  file,
  encoding: encoding.name,
  encodingIsDetected: encoding.isDetected,
  delimiter,
})

/** Shows what was detected, so that a wrong guess is visible. */
function formLine([file, form]: [string, CsvForm]): string {
  const [encoding, separators] = formWords(form)
  const how = form.encoding.isDetected ? 'detected' : 'as the mapping says'
  return `Read ${file === STDIN ? 'standard input' : visible(basename(file))}: ${encoding} (${how}), ${separators}.`
}

/** @throws {UsageError} */
export function checkOptions(
  inputs: readonly string[],
  stdin: { readonly isTTY?: boolean },
  { center, kind, format, audit, skipInvalid, restoreErased, refuseErased }: ImportCommandOptions,
): { center: string | undefined; kind: KindName | undefined; format: InputFormat | undefined } {
  if (inputs.includes(STDIN) && stdin.isTTY) {
    throw new UsageError('Nothing to import: name a file, or pipe records in.')
  }
  if (center !== undefined && !isIdentifier(center)) {
    throw new UsageError(`--center is "${shown(center)}"; expected an identifier of A-Z a-z 0-9 _ . : -`)
  }
  if (kind !== undefined && !isKindName(kind)) {
    const end = didYouMean(kind, KIND_NAMES) || '.'
    throw new UsageError(`--kind is "${shown(kind)}"; expected one of ${KIND_NAMES.join(', ')}${end}`)
  }
  if (format !== undefined && format !== 'ndjson' && format !== 'csv') {
    throw new UsageError(`--format is "${shown(format)}"; expected ndjson or csv.`)
  }
  if (audit && skipInvalid) {
    throw new UsageError('--audit imports whole trails, so it cannot be combined with --skip-invalid.')
  }
  const against = skipInvalid ? '--skip-invalid' : restoreErased ? '--restore-erased' : undefined
  if (refuseErased && against !== undefined) {
    throw new UsageError(`--refuse-erased imports nothing, so it cannot be combined with ${against}.`)
  }
  return { center, kind, format }
}

/** The summary as JSON: without what an import by a key notes. */
const printed = ({ met: _met, dietWords: _words, ...summary }: ImportSummary) => summary
