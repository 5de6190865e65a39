/** The rejects file: every refused line with its reasons, so that nothing is dropped silently. */
import type { Files, NewFile } from './files.ts'
import type { ImportProblem } from './problem-report.ts'

const BUFFER_CHARACTERS = 64 * 1024

/** One rejects file, made with its first lines. */
export class RejectsFile {
  readonly path: string
  readonly #files: Files
  /** Lines say which file they are of. */
  readonly #nameFiles: boolean
  #file: NewFile | undefined
  #text = ''
  #last: ImportProblem | undefined
  #reasons: string[] = []

  constructor(path: string, files: Files, nameFiles: boolean) {
    this.path = path
    this.#files = files
    this.#nameFiles = nameFiles
  }

  /** Takes problems as an import reports them: those of one line together. */
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

  /** Takes it back: the good lines did not go in either. */
  async discard(): Promise<void> {
    await this.#file?.discard()
    this.#file = undefined
  }

  #endLine(): void {
    if (this.#last === undefined) return
    const { line, file, record } = this.#last
    const head = JSON.stringify({ ...(this.#nameFiles ? { file } : {}), line, reason: this.#reasons })
    // The record stands as it was given; what is no JSON stands as text.
    this.#text += `${head.slice(0, -1)},"record":${isJson(record) ? record : JSON.stringify(record ?? null)}}\n`
    this.#last = undefined
    this.#reasons = []
  }

  async #write(): Promise<void> {
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#file ??= await this.#files.create(this.path)
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
