/**
 * Divides the memory for waiting reads among centers. While half of it is free, every center has room. After that, a
 * center has room up to an equal share of the other half, so no center's reads are refused because of another center.
 */
export class MemoryShares {
  readonly #half: number
  #total = 0
  readonly #ofCenter = new Map<string, number>()

  constructor(weightMax: number) {
    this.#half = weightMax / 2
  }

  get total(): number {
    return this.#total
  }

  hasRoom(center: string): boolean {
    if (this.#total < this.#half) return true
    // Shares shrink as centers are added, so earlier centers may exceed theirs. This is the absolute limit.
    if (this.#total > 3 * this.#half) return false
    const held = this.#ofCenter.get(center)
    return held === undefined || held < this.#half / this.#ofCenter.size
  }

  add(center: string, weight: number): void {
    this.#total += weight
    this.#ofCenter.set(center, (this.#ofCenter.get(center) ?? 0) + weight)
  }

  remove(center: string, weight: number): void {
    this.#total -= weight
    const left = (this.#ofCenter.get(center) ?? 0) - weight
    if (left > 0) this.#ofCenter.set(center, left)
    else this.#ofCenter.delete(center)
  }
}
