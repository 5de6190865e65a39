/** `sojourn import`: records from files or standard input. */
import { basename, resolve } from 'node:path'
import cliProgress from 'cli-progress'
import type { Database } from '../database/database.ts'
import { suggest } from '../errors/suggest.ts'
import { isIdentifier } from '../fields/values.ts'
import {
  ImportConflict,
  type ImportProgress,
  type ImportSummary,
  importRecords,
} from '../intake/import-records.ts'
import { InputError } from '../intake/input-error.ts'
import { KIND_NAMES, type KindName } from '../intake/kinds/kind.ts'
import { isKindName } from '../intake/kinds.ts'
import type { ImportProblem } from '../intake/problem-report.ts'
import { shown } from '../intake/problems.ts'
import { type InputFormat, readFiles, STDIN } from '../intake/read-files.ts'
import { RejectsFile } from '../intake/rejects.ts'

export interface ImportCommandContext {
  /** Opened for a command: an import takes what it takes. */
  readonly database: Database
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean }
  readonly stdout: { write(text: string): unknown }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

export interface ImportCommandOptions {
  readonly center?: string
  readonly kind?: string
  readonly format?: string
  readonly skipInvalid?: boolean
  /** Where refused lines go with `skipInvalid`; `<file>.rejects.ndjson` unless given. */
  readonly rejects?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/**
 * Imports the files, or standard input where there are none.
 * @returns the exit code: 0 when everything went in that was to, 1 otherwise.
 */
export async function runImport(
  context: ImportCommandContext,
  files: readonly string[],
  options: ImportCommandOptions,
): Promise<number> {
  const { stdout, stderr } = context
  try {
    const inputs = files.length > 0 ? files : [STDIN]
    const rejects = new Rejects(inputs, options)
    const summary = await runWithProgress(context, inputs, options, rejects)
    const rejectsFiles = rejects.close(summary.applied)
    stdout.write(
      options.json
        ? `${JSON.stringify({ ...summary, dryRun: options.dryRun ?? false, rejectsFiles })}\n`
        : describe(summary, options, rejectsFiles),
    )
    return summary.rejected === 0 || options.skipInvalid ? 0 : 1
  } catch (error) {
    if (!(error instanceof InputError || error instanceof ImportConflict)) throw error
    stderr.write(`${error.message}\n`)
    return 1
  }
}

async function runWithProgress(
  { database, stdin, stderr }: ImportCommandContext,
  files: readonly string[],
  options: ImportCommandOptions,
  rejects: Rejects,
): Promise<ImportSummary> {
  const { center, kind, format } = checkOptions(files, stdin, options)
  const progress = stderr.isTTY ? startProgress(stderr) : undefined
  try {
    return await importRecords(
      database,
      readFiles(files, stdin, { ...(kind && { kind }), ...(format && { format }) }),
      {
        ...(center !== undefined && { center }),
        ...(progress && { onProgress: progress.show }),
        skipInvalid: options.skipInvalid ?? false,
        dryRun: options.dryRun ?? false,
        onProblem(problem) {
          progress?.stop()
          stderr.write(`${sentence(problem)}\n`)
          rejects.add(problem)
        },
      },
    )
  } catch (error) {
    rejects.close(false)
    throw error
  } finally {
    progress?.stop()
  }
}

function checkOptions(
  files: readonly string[],
  stdin: { readonly isTTY?: boolean },
  { center, kind, format }: ImportCommandOptions,
): { center: string | undefined; kind: KindName | undefined; format: InputFormat | undefined } {
  if (files.includes(STDIN) && stdin.isTTY) {
    throw new InputError('there is nothing to import: name a file, or pipe records in')
  }
  if (center !== undefined && !isIdentifier(center)) {
    throw new InputError(`--center is "${shown(center)}"; expected an identifier of A-Z a-z 0-9 _ . : -`)
  }
  if (kind !== undefined && !isKindName(kind)) {
    const close = suggest(kind, KIND_NAMES)
    const hint = close === undefined ? '' : `; did you mean ${close}?`
    throw new InputError(`--kind is "${shown(kind)}"; expected one of ${KIND_NAMES.join(', ')}${hint}`)
  }
  if (format !== undefined && format !== 'ndjson' && format !== 'csv') {
    throw new InputError(`--format is "${shown(format)}"; expected ndjson or csv`)
  }
  return { center, kind, format }
}

/** Where refused lines go: nowhere unless the good ones go in. */
class Rejects {
  readonly #files = new Map<string, RejectsFile>()
  readonly #isWanted: boolean
  readonly #path: string | undefined
  readonly #inputs: readonly string[]

  constructor(inputs: readonly string[], { skipInvalid, dryRun, rejects }: ImportCommandOptions) {
    this.#isWanted = skipInvalid === true && dryRun !== true
    this.#path = rejects
    this.#inputs = inputs
    const input = inputs.find(
      (file) => file !== STDIN && rejects !== undefined && resolve(file) === resolve(rejects),
    )
    if (input !== undefined) throw new InputError(`--rejects names ${input}, which is to be imported`)
  }

  add(problem: ImportProblem): void {
    if (!this.#isWanted) return
    const file = problem.file ?? STDIN
    const path = this.#path ?? (file === STDIN ? 'stdin.rejects.ndjson' : `${file}.rejects.ndjson`)
    let rejects = this.#files.get(path)
    if (rejects === undefined) {
      rejects = new RejectsFile(path, this.#path !== undefined && this.#inputs.length > 1)
      this.#files.set(path, rejects)
    }
    rejects.add(problem)
  }

  /** Ends the files, or takes them back where nothing went in; the paths of those that stand. */
  close(areKept: boolean): string[] {
    const files = [...this.#files.values()]
    this.#files.clear()
    for (const file of files) {
      if (areKept) file.close()
      else file.discard()
    }
    return areKept ? files.map(({ path }) => path) : []
  }
}

/** `guests.ndjson:12: startDate: is "2025-02-30"; …` */
function sentence({ file, line, field, message }: ImportProblem): string {
  const name = file === undefined || file === STDIN ? 'stdin' : file
  return `${name}:${line}: ${field === undefined ? '' : `${field}: `}${message}`
}

function startProgress(stream: NodeJS.WritableStream) {
  const bar = new cliProgress.SingleBar({
    stream,
    // How many lines there are is only known once they are read.
    format: (options, { progress, value, total }, { phase }) =>
      phase === 'reading'
        ? `Reading: ${value} records`
        : `Writing [${cliProgress.Format.BarFormat(progress, options)}] ${value}/${total} records`,
    clearOnComplete: true,
    hideCursor: true,
    fps: 5,
  })
  let isShown = false
  return {
    show({ phase, done, total }: ImportProgress) {
      if (!isShown) bar.start(total ?? done, done, { phase })
      isShown = true
      bar.setTotal(total ?? done)
      bar.update(done, { phase })
    },
    stop() {
      if (isShown) bar.stop()
      isShown = false
    },
  }
}

const EFFECTS = ['created', 'changed', 'unchanged', 'removed'] as const

function describe(summary: ImportSummary, options: ImportCommandOptions, rejectsFiles: string[]): string {
  const rows = KIND_NAMES.map(
    (kind) => [kind, ...EFFECTS.map((effect) => summary.kinds[kind][effect])] as const,
  )
  const table = [
    ['', ...EFFECTS],
    ...rows.filter(([, ...counts]) => counts.some((count) => count > 0)).map((row) => row.map(String)),
  ]
  const widths = ['', ...EFFECTS].map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  '),
  )
  return `${[...(table.length > 1 ? lines : []), ...outcome(summary, options, rejectsFiles)].join('\n')}\n`
}

function outcome(summary: ImportSummary, options: ImportCommandOptions, rejectsFiles: string[]): string[] {
  const { lines, rejected, applied } = summary
  const seconds = `${summary.seconds.toFixed(1)} s`
  const rejectedLines = `${count(rejected, 'line')} ${rejected === 1 ? 'was' : 'were'} rejected`
  if (applied) {
    const went = `${count(lines - rejected, 'record')} went in in ${seconds}.`
    if (rejected === 0) return [went]
    return [went, `${rejectedLines}: see ${rejectsFiles.map((path) => basename(path)).join(', ')}.`]
  }
  if (rejected > 0 && !options.skipInvalid) {
    const problems = count(summary.problems, 'problem')
    return [`Nothing went in: ${rejected} of ${count(lines, 'line')} cannot be taken (${problems}).`]
  }
  const would = `A dry run: ${count(lines - rejected, 'record')} would go in. Nothing was changed (${seconds}).`
  return rejected === 0 ? [would] : [would, `${count(rejected, 'line')} would be rejected.`]
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
