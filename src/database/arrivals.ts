/** How long a center that has read something is taken to be reading. */
const PRESENT_MS = 1000

/** Who has asked for something last, and who before that. */
export class Arrivals {
  #newest = { center: '', at: Number.NEGATIVE_INFINITY }
  #other = this.#newest

  note(center: string, at: number): void {
    if (center !== this.#newest.center) this.#other = this.#newest
    this.#newest = { center, at }
  }

  /** Whether another center than this one is about. */
  hasOther(center: string, now: number): boolean {
    const { at } = this.#newest.center === center ? this.#other : this.#newest
    return now - at < PRESENT_MS
  }
}
