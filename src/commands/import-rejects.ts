/** Writes refused records, if the others are imported or if a file was named for them. */
import { resolve } from 'node:path'
import { UsageError } from '../core/command-line/context.ts'
import { type Files, STDIN } from '../core/intake/lines/files.ts'
import type { ImportProblem } from '../core/intake/rejects/problem-report.ts'
import { withValue } from '../core/intake/rejects/problems.ts'
import {
  type RejectsWriter,
  type RejectsWriterOptions,
  rejectsDelimiter,
  rejectsWriter,
} from '../core/intake/rejects/rejects-writer.ts'
import type { CsvForm } from '../core/intake/spreadsheets.ts'
import {
  formOfInput,
  type ImportCommandOptions,
  rejectsFormOf,
  rejectsPath,
  wantsRejects,
} from './import-options.ts'

export class Rejects {
  readonly #writers = new Map<string, RejectsWriter>()
  readonly #options: ImportCommandOptions
  readonly #files: Files
  readonly #inputs: readonly string[]
  #form: CsvForm | undefined

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
  setForm(form: CsvForm): void {
    this.#form = form
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
        delimiter: () => rejectsDelimiter(this.#form),
      }
      writer = rejectsWriter(options, () => this.#files.create(path))
      this.#writers.set(path, writer)
    }
    await writer.add(withValue(problem))
  }

  /** Closes the files, or removes them if nothing was imported. @returns the paths of those that are retained */
  async close(areStored: boolean): Promise<string[]> {
    const writers = [...this.#writers]
    this.#writers.clear()
    for (const [, writer] of writers) await (areStored ? keepWhole(writer) : writer.discard())
    return areStored ? writers.map(([path]) => path) : []
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
