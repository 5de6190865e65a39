/** Writes refused records, if the others are imported or if a file was named for them. */
import { resolve } from 'node:path'
import type { CsvDialect } from '../answer/files/csv.ts'
import { type Files, STDIN } from '../intake/files.ts'
import type { ImportProblem } from '../intake/problem-report.ts'
import { withValue } from '../intake/problems.ts'
import type { CsvForm } from '../intake/spreadsheets.ts'
import { UsageError } from './context.ts'
import {
  formOfInput,
  type ImportCommandOptions,
  type RejectsForm,
  rejectsFormOf,
  rejectsPath,
  wantsRejects,
} from './import-options.ts'
import { RejectedLines } from './rejected-lines.ts'
import { RejectedRows } from './rejected-rows.ts'
import { RejectsFile } from './rejects-file.ts'

/** A file of refused records, created with the first one. */
export interface RejectsWriter {
  /** Accepts problems in the order of the import, which keeps those of one line together. */
  add(problem: ImportProblem): Promise<void>
  keep(): Promise<void>
  /** Removes the file, because the valid records were not imported either. */
  discard(): Promise<void>
}

export interface RejectsWriterOptions {
  readonly form: RejectsForm
  /** whether each line names its file */
  readonly namesFiles: boolean
  /** whether the other records are imported */
  readonly othersGoIn: boolean
  /** the delimiter of the input, if it is known */
  delimiter(): CsvDialect['delimiter']
}

export class Rejects {
  readonly #writers = new Map<string, RejectsWriter>()
  readonly #options: ImportCommandOptions
  readonly #files: Files
  readonly #inputs: readonly string[]
  #delimiter: CsvDialect['delimiter'] = ';'

  /** @throws {UsageError} */
  constructor(inputs: readonly string[], options: ImportCommandOptions, files: Files) {
    this.#options = options
    this.#files = files
    this.#inputs = inputs
    const { rejects } = options
    if (rejects === undefined) return
    const input = inputs.find((file) => file !== STDIN && resolve(file) === resolve(rejects))
    if (input !== undefined)
      throw new UsageError(`--rejects names ${input}, which is one of the files to import.`)
    const lines = inputs.find((file) => formOfInput(file, options) === 'ndjson')
    if (lines !== undefined && rejectsFormOf(rejects) !== 'ndjson')
      throw new UsageError(
        `--rejects names a table, and ${lines} is none; expected a name that ends with .ndjson.`,
      )
  }

  /** Sets the form of a CSV input; its rejects are written in the same form. */
  setForm({ delimiter }: CsvForm): void {
    if (delimiter === ',' || delimiter === '\t') this.#delimiter = delimiter
  }

  async add(problem: ImportProblem): Promise<void> {
    if (!wantsRejects(this.#options)) return
    const path = rejectsPath(problem.file ?? STDIN, this.#options)
    let writer = this.#writers.get(path)
    if (writer === undefined) {
      const options: RejectsWriterOptions = {
        form: rejectsFormOf(path),
        namesFiles: this.#options.rejects !== undefined && this.#inputs.length > 1,
        othersGoIn: this.#options.skipInvalid === true,
        delimiter: () => this.#delimiter,
      }
      const file = new RejectsFile(() => this.#files.create(path))
      writer = options.form === 'ndjson' ? new RejectedLines(options, file) : new RejectedRows(options, file)
      this.#writers.set(path, writer)
    }
    await writer.add(withValue(problem))
  }

  /** Closes the files, or removes them if nothing was imported. @returns the paths of those that are kept */
  async close(areKept: boolean): Promise<string[]> {
    const writers = [...this.#writers]
    this.#writers.clear()
    for (const [, writer] of writers) await (areKept ? keepWhole(writer) : writer.discard())
    return areKept ? writers.map(([path]) => path) : []
  }
}

/** A file that cannot be written completely is removed: an incomplete file of guests' data helps nobody. */
async function keepWhole(writer: RejectsWriter): Promise<void> {
  try {
    await writer.keep()
  } catch (error) {
    await writer.discard().catch(() => {})
    throw error
  }
}
