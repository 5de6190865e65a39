/** The reads that run at the database, and whether another may begin. */
import { isHeavy, type QueuedRead } from './fair-queue.ts'

/** Shares of the slots at the database, so that no center and no kind of read can take all of them. */
interface Bounds {
  readonly perCenter: number
  /**
   * A locked table stops all reads of a kind; reads of other kinds must still find a slot. Two slots are an exception.
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
 * Slots of a center for one statement whose reads can be batched. While both are taken, waiting reads gather into a
 * batch.
 */
const PER_STATEMENT_MAX = 2

/** A read that continues after a pause only needs a slot. */
type MaybeAgain = QueuedRead & { readonly goesOn?: boolean }

interface OfCenter {
  slots: number
  heavy: number
  readonly kinds: Counts
  readonly statements: Counts
}

/** Counts running reads by center, kind and statement. */
export class RunningReads {
  readonly #atATime: number
  readonly #bounds: Bounds
  readonly #failed: FailedKinds
  readonly #centers = new Map<string, OfCenter>()
  readonly #kinds = new Counts()
  #slots = 0
  #heavy = 0

  constructor(atATime: number, failed: FailedKinds) {
    this.#atATime = atATime
    this.#bounds = boundsOf(atATime)
    this.#failed = failed
  }

  /** @param resting centers that may not begin a heavy read now */
  mayBegin(read: MaybeAgain, resting: ReadonlySet<string>): boolean {
    const { center, kind, statement } = read
    const bounds = this.#bounds
    const own = this.#centers.get(center)
    if (this.#slots >= this.#atATime || (own?.slots ?? 0) >= bounds.perCenter) return false
    if (isHeavy(read)) {
      if (read.goesOn === true) return true
      return this.#heavy < bounds.heavy && (own?.heavy ?? 0) === 0 && !resting.has(center)
    }
    if (statement !== undefined && (own?.statements.of(statement) ?? 0) >= PER_STATEMENT_MAX) return false
    const ofKind = this.#failed.hasFailedWidely(kind) ? 1 : bounds.perKind
    const ofCenter = this.#failed.hasFailed(kind, center) ? 1 : bounds.perKind
    return this.#kinds.of(kind) < ofKind && (own?.kinds.of(kind) ?? 0) < ofCenter
  }

  countSlot(read: QueuedRead, by: 1 | -1): void {
    this.#slots += by
    const own = this.#of(read.center)
    own.slots += by
    if (!isHeavy(read)) {
      this.#kinds.add(read.kind, by)
      own.kinds.add(read.kind, by)
      if (read.statement !== undefined) own.statements.add(read.statement, by)
    }
    this.#forget(read.center, own)
  }

  countHeavy(read: QueuedRead, by: 1 | -1): void {
    if (!isHeavy(read)) return
    this.#heavy += by
    const own = this.#of(read.center)
    own.heavy += by
    this.#forget(read.center, own)
  }

  #of(center: string): OfCenter {
    let own = this.#centers.get(center)
    if (own === undefined) {
      own = { slots: 0, heavy: 0, kinds: new Counts(), statements: new Counts() }
      this.#centers.set(center, own)
    }
    return own
  }

  #forget(center: string, { slots, heavy }: OfCenter): void {
    if (slots === 0 && heavy === 0) this.#centers.delete(center)
  }
}

/**
 * Kinds of light reads that have failed. While a table is locked, such reads must not occupy the slots that others
 * need. After a failure, a center has one read of the kind at a time until one succeeds. If two centers failed, that
 * bound applies to all centers together: a problem of one center alone does not restrict the others.
 */
export class FailedKinds {
  readonly #centers = new Map<string, Set<string>>()

  hasFailed(kind: string, center: string): boolean {
    return this.#centers.get(kind)?.has(center) ?? false
  }

  hasFailedWidely(kind: string): boolean {
    return (this.#centers.get(kind)?.size ?? 0) > 1
  }

  add(read: QueuedRead): void {
    if (isHeavy(read)) return
    const centers = this.#centers.get(read.kind)
    if (centers === undefined) this.#centers.set(read.kind, new Set([read.center]))
    else centers.add(read.center)
  }

  /** A success shows that the table is readable again, for all centers. */
  remove(read: QueuedRead): void {
    if (!isHeavy(read)) this.#centers.delete(read.kind)
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
