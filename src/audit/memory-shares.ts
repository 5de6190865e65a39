/**
 * Memory for reads that wait, shared among centers: while half of it is free everybody has room; then a center has
 * room up to its even share of the other half. So no center's reads are refused for what another one holds.
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
    // Shares shrink as centers come, so those who came early may hold more than theirs is now: an end to it.
    if (this.#total > 3 * this.#half) return false
    const held = this.#ofCenter.get(center)
    const centers = this.#ofCenter.size + (held === undefined ? 1 : 0)
    return (held ?? 0) < this.#half / centers
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
