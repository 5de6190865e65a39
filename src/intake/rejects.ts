/** The rejects file: every refused line with its reasons, so that nothing is dropped silently. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { ImportProblem } from './problem-report.ts'

const BUFFER_CHARACTERS = 64 * 1024

/** One rejects file, made with its first line. It holds guests' data: only its owner may read it. */
export class RejectsFile {
  readonly path: string
  /** Lines say which file they are of. */
  readonly #nameFiles: boolean
  #descriptor: number | undefined
  #text = ''
  #last: ImportProblem | undefined
  #reasons: string[] = []

  constructor(path: string, nameFiles: boolean) {
    this.path = path
    this.#nameFiles = nameFiles
  }

  /** Takes problems as an import reports them: those of one line together. */
  add(problem: ImportProblem): void {
    if (this.#last?.line !== problem.line || this.#last.file !== problem.file) this.#endLine()
    this.#last = problem
    this.#reasons.push(problem.field === undefined ? problem.message : `${problem.field}: ${problem.message}`)
  }

  close(): void {
    this.#endLine()
    this.#write()
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  /** Takes it back: the good lines did not go in either. */
  discard(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
    rmSync(this.path, { force: true })
  }

  #endLine(): void {
    if (this.#last === undefined) return
    const { line, file, record } = this.#last
    const head = JSON.stringify({ ...(this.#nameFiles ? { file } : {}), line, reason: this.#reasons })
    // The record stands as it was given; what is no JSON stands as text.
    this.#text += `${head.slice(0, -1)},"record":${isJson(record) ? record : JSON.stringify(record ?? null)}}\n`
    this.#last = undefined
    this.#reasons = []
    if (this.#text.length >= BUFFER_CHARACTERS) this.#write()
  }

  #write(): void {
    if (this.#text === '') return
    if (this.#descriptor === undefined) {
      // Made anew, so that neither another's permissions nor a link there are taken over.
      rmSync(this.path, { force: true })
      this.#descriptor = openSync(this.path, 'wx', 0o600)
    }
    writeSync(this.#descriptor, this.#text)
    this.#text = ''
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
