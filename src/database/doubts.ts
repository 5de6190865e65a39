import { isHeavy, type Turn } from './fair-queue.ts'

/**
 * Kinds of light reads that have failed. While a table is locked, such reads must not occupy the places that others
 * need. After a failure, a center has one read of the kind at a time until one succeeds. If two centers failed, that
 * bound applies to all centers together: a problem of one center alone does not restrict the others.
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

  /** A success shows that the table is readable again, for all centers. */
  settle(turn: Turn): void {
    if (!isHeavy(turn)) this.#centers.delete(turn.kind)
  }
}
