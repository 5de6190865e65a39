/** What the lines of an import did, by kind and effect: of the whole, and of each center. */
import { KIND_NAMES, type KindName } from './kinds/kind.ts'
import type { Effect } from './merge-lines.ts'

export type KindCounts = Record<Effect, number>
export type Counts = Record<KindName, KindCounts>

export function noCounts(): Counts {
  const none = (): KindCounts => ({ created: 0, changed: 0, unchanged: 0, removed: 0, older: 0 })
  return Object.fromEntries(KIND_NAMES.map((kind) => [kind, none()])) as Counts
}

/** One record that an import has created, changed or removed. */
export interface ChangedRecord {
  readonly effect: 'created' | 'changed' | 'removed'
  readonly kind: KindName
  readonly centerId: string
  /** its identifiers joined: `set/id` for a term */
  readonly id: string
}

/** Whoever wants to know of more asks the changes of the center. */
export const CHANGED_RECORDS_MAX = 1000

/** Of one center: only what was counted takes memory. */
export class CenterCounts {
  readonly #kinds = new Map<KindName, Map<Effect, number>>()

  add(kind: KindName, effect: Effect, count = 1): void {
    const effects = this.#kinds.get(kind) ?? new Map<Effect, number>()
    this.#kinds.set(kind, effects.set(effect, (effects.get(effect) ?? 0) + count))
  }

  /** records that were created, changed or removed */
  get changes(): number {
    const all = [...this.#kinds.values()].flatMap((effects) => [...effects])
    return all.reduce(
      (sum, [effect, count]) => sum + (effect === 'unchanged' || effect === 'older' ? 0 : count),
      0,
    )
  }

  /** `{ booking: { created: 3 } }` */
  withoutZeros(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    return Object.fromEntries([...this.#kinds].map(([kind, effects]) => [kind, Object.fromEntries(effects)]))
  }
}

/** So that a file that names a million centers fits into memory: what comes after these is counted together. */
const CENTERS_MAX = 10_000
const OTHER_CENTERS = ''

export class CountsByCenter {
  readonly #centers = new Map<string, CenterCounts>()

  /** A center is counted from its first line on, whatever came of it. */
  of(center: string): CenterCounts {
    const known = this.#centers.get(center)
    if (known !== undefined) return known
    const name = this.#centers.size < CENTERS_MAX ? center : OTHER_CENTERS
    const counts = this.#centers.get(name) ?? new CenterCounts()
    this.#centers.set(name, counts)
    return counts
  }

  get all(): ReadonlyMap<string, CenterCounts> {
    return this.#centers
  }

  forget(): void {
    this.#centers.clear()
  }
}
