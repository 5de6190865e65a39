/** Refused records as lines of JSON, each with its reasons. */
import type { NewFile } from '../intake/files.ts'
import type { ImportProblem } from '../intake/problem-report.ts'
import { NOTHING_IMPORTED } from '../intake/reject-marks.ts'
import type { RejectsWriter, RejectsWriterOptions } from './import-rejects.ts'

const BUFFER_CHARACTERS = 64 * 1024

export class RejectedLines implements RejectsWriter {
  readonly #options: RejectsWriterOptions
  readonly #open: () => Promise<NewFile>
  #file: NewFile | undefined
  #text = ''
  #last: ImportProblem | undefined
  #reasons: string[] = []

  constructor(options: RejectsWriterOptions, open: () => Promise<NewFile>) {
    this.#options = options
    this.#open = open
  }

  async add(problem: ImportProblem): Promise<void> {
    if (this.#last?.line !== problem.line || this.#last.file !== problem.file) this.#endLine()
    this.#last = problem
    this.#reasons.push(problem.field === undefined ? problem.message : `${problem.field}: ${problem.message}`)
    if (this.#text.length >= BUFFER_CHARACTERS) await this.#write()
  }

  async keep(): Promise<void> {
    this.#endLine()
    await this.#write()
    await this.#file?.keep()
    this.#file = undefined
  }

  async discard(): Promise<void> {
    await this.#file?.discard()
    this.#file = undefined
  }

  #endLine(): void {
    if (this.#last === undefined) return
    const { line, file, record } = this.#last
    const { namesFiles, othersGoIn } = this.#options
    const head = JSON.stringify({
      ...(namesFiles ? { file } : {}),
      line,
      ...(othersGoIn ? {} : { [NOTHING_IMPORTED]: true }),
      reason: this.#reasons,
    })
    // The record stands as it was given; what is no JSON stands as text.
    this.#text += `${head.slice(0, -1)},"record":${isJson(record) ? record : JSON.stringify(record ?? null)}}\n`
    this.#last = undefined
    this.#reasons = []
  }

  async #write(): Promise<void> {
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#file ??= await this.#open()
    await this.#file.write(text)
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
