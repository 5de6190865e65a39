/** Reads the engine's log for one thing: why the engine cannot continue. */

/** `2026-01-15 08:00:00.000 UTC [42] PANIC:  could not write to file …` */
const LAST_WORDS = /\b(?:FATAL|PANIC): /

/** Finds the first FATAL or PANIC line. */
export class EngineLog {
  /** why the engine has stopped; undefined while it runs */
  reason: string | undefined
  readonly #onFailure: ((reason: string) => void) | undefined

  constructor(onFailure?: (reason: string) => void) {
    this.#onFailure = onFailure
  }

  /** @returns false, so that no line is printed: errors of statements may quote data */
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
