/** The reads that run at the database, and whether another may begin. */
import type { Doubts } from './doubts.ts'
import { isHeavy, type Turn } from './fair-queue.ts'

/** Shares of the places at the database, so that no center and no kind of read can take all of them. */
interface Bounds {
  readonly perCenter: number
  /**
   * A locked table stops all reads of a kind; reads of other kinds must still find a place. Two places are an exception:
   * while a read on the embedded database waits for a delivery of its own center, another center's of its kind passes.
   */
  readonly perKind: number
  /** for all centers together; each center may have one */
  readonly heavy: number
}

const boundsOf = (atATime: number): Bounds => ({
  perCenter: Math.max(1, atATime - 1),
  perKind: Math.max(Math.min(atATime, 2), atATime - 2),
  heavy: Math.max(1, Math.floor(atATime / 3)),
})

/**
 * Places of a center for one statement whose reads can be batched. While both are taken, waiting reads gather into a
 * batch.
 */
const PER_STATEMENT_MAX = 2

/** A read that continues after a pause only needs a place. */
type MaybeAgain = Turn & { readonly goesOn?: boolean }

interface OfCenter {
  places: number
  heavy: number
  readonly kinds: Counts
  readonly statements: Counts
}

/** Counts running reads by center, kind and statement. */
export class Running {
  readonly #atATime: number
  readonly #bounds: Bounds
  readonly #doubts: Doubts
  readonly #centers = new Map<string, OfCenter>()
  readonly #kinds = new Counts()
  #places = 0
  #heavy = 0

  constructor(atATime: number, doubts: Doubts) {
    this.#atATime = atATime
    this.#bounds = boundsOf(atATime)
    this.#doubts = doubts
  }

  /** @param resting centers that may not begin a heavy read now */
  mayBegin(turn: MaybeAgain, resting: ReadonlySet<string>): boolean {
    const { center, kind, statement } = turn
    const bounds = this.#bounds
    const own = this.#centers.get(center)
    if (this.#places >= this.#atATime || (own?.places ?? 0) >= bounds.perCenter) return false
    if (isHeavy(turn)) {
      if (turn.goesOn === true) return true
      return this.#heavy < bounds.heavy && (own?.heavy ?? 0) === 0 && !resting.has(center)
    }
    if (statement !== undefined && (own?.statements.of(statement) ?? 0) >= PER_STATEMENT_MAX) return false
    const ofKind = this.#doubts.ofAll(kind) ? 1 : bounds.perKind
    const ofCenter = this.#doubts.of(kind, center) ? 1 : bounds.perKind
    return this.#kinds.of(kind) < ofKind && (own?.kinds.of(kind) ?? 0) < ofCenter
  }

  countPlace(turn: Turn, by: 1 | -1): void {
    this.#places += by
    const own = this.#of(turn.center)
    own.places += by
    if (!isHeavy(turn)) {
      this.#kinds.add(turn.kind, by)
      own.kinds.add(turn.kind, by)
      if (turn.statement !== undefined) own.statements.add(turn.statement, by)
    }
    this.#forget(turn.center, own)
  }

  countHeavy(turn: Turn, by: 1 | -1): void {
    if (!isHeavy(turn)) return
    this.#heavy += by
    const own = this.#of(turn.center)
    own.heavy += by
    this.#forget(turn.center, own)
  }

  #of(center: string): OfCenter {
    let own = this.#centers.get(center)
    if (own === undefined) {
      own = { places: 0, heavy: 0, kinds: new Counts(), statements: new Counts() }
      this.#centers.set(center, own)
    }
    return own
  }

  #forget(center: string, { places, heavy }: OfCenter): void {
    if (places === 0 && heavy === 0) this.#centers.delete(center)
  }
}

/** A count for each name. A count of zero uses no memory. */
export class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, by: 1 | -1): void {
    const after = this.of(name) + by
    if (after === 0) this.#counts.delete(name)
    else this.#counts.set(name, after)
  }
}
