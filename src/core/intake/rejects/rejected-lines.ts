/** Refused records as lines of JSON, each with the reasons. */
import type { ImportProblem } from './problem-report.ts'
import { NOTHING_IMPORTED } from './reject-marks.ts'
import type { RejectsFile } from './rejects-file.ts'
import type { RejectsWriter, RejectsWriterOptions } from './rejects-writer.ts'

export class RejectedLines implements RejectsWriter {
  readonly #options: RejectsWriterOptions
  readonly #file: RejectsFile
  #last: ImportProblem | undefined
  #reasons: string[] = []

  constructor(options: RejectsWriterOptions, file: RejectsFile) {
    this.#options = options
    this.#file = file
  }

  async add(problem: ImportProblem): Promise<void> {
    if (this.#last?.line !== problem.line || this.#last.file !== problem.file) await this.#endLine()
    this.#last = problem
    this.#reasons.push(problem.field === undefined ? problem.message : `${problem.field}: ${problem.message}`)
  }

  async keep(): Promise<void> {
    await this.#endLine()
    await this.#file.keep()
  }

  discard(): Promise<void> {
    return this.#file.discard()
  }

  async #endLine(): Promise<void> {
    if (this.#last === undefined) return
    const { line, file, record } = this.#last
    const { namesFiles, othersGoIn } = this.#options
    const head = JSON.stringify({
      ...(namesFiles ? { file } : {}),
      line,
      ...(othersGoIn ? {} : { [NOTHING_IMPORTED]: true }),
      reason: this.#reasons,
    })
    this.#last = undefined
    this.#reasons = []
    // The record is written as it was read. If it is not JSON, it is written as text.
    const given = isJson(record) ? record : JSON.stringify(record ?? null)
    await this.#file.addText(`${head.slice(0, -1)},"record":${given}}\n`)
  }
}

function isJson(text: string | undefined): text is string {
  try {
    JSON.parse(text ?? '')
    return true
  } catch {
    return false
  }
}
