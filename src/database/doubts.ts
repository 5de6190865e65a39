import { isHeavy, type Turn } from './fair-queue.ts'

/**
 * Kinds of cheap reads that have come to nothing: while a table is locked they must not hold what others need. A
 * center has one at a time of such a kind until one succeeds, and so have all centers together once it happened to
 * two of them: what one center does to itself is not held against the others.
 */
export class Doubts {
  readonly #centers = new Map<string, Set<string>>()

  of(kind: string, center: string): boolean {
    return this.#centers.get(kind)?.has(center) ?? false
  }

  ofAll(kind: string): boolean {
    return (this.#centers.get(kind)?.size ?? 0) > 1
  }

  raise(turn: Turn): void {
    if (isHeavy(turn)) return
    const centers = this.#centers.get(turn.kind)
    if (centers === undefined) this.#centers.set(turn.kind, new Set([turn.center]))
    else centers.add(turn.center)
  }

  /** One that succeeds shows that the table is there, for all. */
  settle(turn: Turn): void {
    if (!isHeavy(turn)) this.#centers.delete(turn.kind)
  }
}
