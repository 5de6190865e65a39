/** What the engine writes to its log, of which one thing matters here: why it can do nothing more. */

/** `2026-01-15 08:00:00.000 UTC [42] PANIC:  could not write to file …` */
const LAST_WORDS = /\b(?:FATAL|PANIC): /

export class EngineLog {
  /** why the engine has ended; undefined as long as it lives */
  reason: string | undefined
  readonly #onFailure: ((reason: string) => void) | undefined

  constructor(onFailure?: (reason: string) => void) {
    this.#onFailure = onFailure
  }

  /** @returns whether the line is to be printed, which none is: errors of statements may quote data */
  add(line: string): false {
    const found = LAST_WORDS.exec(line)
    if (found !== null && this.reason === undefined) {
      const reason = line.slice(found.index + found[0].length).trim()
      this.reason = reason
      this.#onFailure?.(reason)
    }
    return false
  }
}
