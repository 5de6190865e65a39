/** What runs at the database, and whether one more may. */
import type { Doubts } from './doubts.ts'
import { isHeavy, type Turn } from './fair-queue.ts'

/** What runs at a time of everything there is room for, so that no one of them can take it all. */
interface Bounds {
  readonly perCenter: number
  /** A locked table stops all reads of a kind; those of other kinds must find room beside them. */
  readonly perKind: number
  /** of all centers; one center has one */
  readonly heavy: number
}

const boundsOf = (atATime: number): Bounds => ({
  perCenter: Math.max(1, atATime - 1),
  perKind: Math.max(Math.min(atATime, 2), atATime - 2),
  heavy: Math.max(1, Math.floor(atATime / 3)),
})

/**
 * Places that a center has for one statement where reads of it may go together: while both are taken, those that wait
 * become company for each other.
 */
const PER_STATEMENT_MAX = 2

/** Whether it has begun before: then it needs a place and nothing else. */
type MaybeAgain = Turn & { readonly goesOn?: boolean }

interface OfCenter {
  places: number
  heavy: number
  readonly kinds: Counts
  readonly statements: Counts
}

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

  /** @param resting centers that may not begin a heavy read */
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

/** How many there are of what has a name; a name without any takes no room. */
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
