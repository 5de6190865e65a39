/** Which version of each row was committed when, in moments of our own: one for each commit that finished. */
export class Versions {
  readonly #commits = new Map<string, { moment: number; version: number }[]>()
  readonly #newest = new Map<string, number>()
  /** how many commits have finished */
  now = 0

  /** The version that a row is to have next. */
  next(name: string): number {
    const version = (this.#newest.get(name) ?? -1) + 1
    this.#newest.set(name, version)
    return version
  }

  /** The newest version that was begun to be written: whatever is beyond it is not real. */
  newest(name: string): number {
    return this.#newest.get(name) ?? -1
  }

  /** To be told only once the commit has finished. */
  committed(name: string, version: number): void {
    this.now += 1
    const commits = this.#commits.get(name)
    if (commits === undefined) this.#commits.set(name, [{ moment: this.now, version }])
    else commits.push({ moment: this.now, version })
  }

  /** The version that a row had, at least, at a moment. */
  at(name: string, moment: number): number {
    return this.#commits.get(name)?.findLast((commit) => commit.moment <= moment)?.version ?? -1
  }
}
