/** A center counts as reading for this long after its last read. */
const PRESENT_MS = 1000

/** The center that asked for a read last, and the last other one before it. */
export class Arrivals {
  #newest = { center: '', at: Number.NEGATIVE_INFINITY }
  #other = this.#newest

  note(center: string, at: number): void {
    if (center !== this.#newest.center) this.#other = this.#newest
    this.#newest = { center, at }
  }

  /** Whether a center other than this one is reading. */
  hasOther(center: string, now: number): boolean {
    const { at } = this.#newest.center === center ? this.#other : this.#newest
    return now - at < PRESENT_MS
  }
}
