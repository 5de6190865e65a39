/** The committed versions of each row, by a logical clock that advances with each finished commit. */
export class Versions {
  readonly #commits = new Map<string, { moment: number; version: number }[]>()
  readonly #newest = new Map<string, number>()
  /** number of finished commits */
  now = 0

  /** The next version of a row. */
  next(name: string): number {
    const version = (this.#newest.get(name) ?? -1) + 1
    this.#newest.set(name, version)
    return version
  }

  /** The newest version that anyone began to write. A higher one cannot exist. */
  newest(name: string): number {
    return this.#newest.get(name) ?? -1
  }

  /** To be called only after the commit has finished. */
  committed(name: string, version: number): void {
    this.now += 1
    const commits = this.#commits.get(name)
    if (commits === undefined) this.#commits.set(name, [{ moment: this.now, version }])
    else commits.push({ moment: this.now, version })
  }

  /** The lowest version that a row can have had at a moment. */
  at(name: string, moment: number): number {
    return this.#commits.get(name)?.findLast((commit) => commit.moment <= moment)?.version ?? -1
  }
}
