/** What the lines of an import did, by kind and effect, in total and for each center. */

import { customerInTrail } from '../audit/named-records.ts'
import type { Act } from '../audit/record-act.ts'
import { KIND_NAMES, type KindName } from './kinds/kind.ts'
import type { ChangedField } from './merge/changed-fields.ts'
import type { Effect } from './merge/merge-lines.ts'

export type KindCounts = Record<Effect, number>
export type Counts = Record<KindName, KindCounts>

/** Counts of zero for every kind. */
export function noCounts(): Counts {
  const none = (): KindCounts => ({ created: 0, changed: 0, unchanged: 0, removed: 0, older: 0 })
  return Object.fromEntries(KIND_NAMES.map((kind) => [kind, none()])) as Counts
}

/** A record that an import has created, changed or removed. */
export interface ChangedRecord {
  readonly effect: 'created' | 'changed' | 'removed'
  readonly kind: KindName
  readonly centerId: string
  /** its identifiers joined: `set/id` for a term */
  readonly id: string
  /** what changes, if it was asked for */
  readonly fields?: readonly ChangedField[]
}

/** As many as a list of guests has. */
const MET_NAMED_MAX = 100_000

/** The stored records that an import was compared with. */
export class RecordsMet {
  #count = 0
  #ids: string[] = []

  /** Sessions, rooms and settings belong to no guest. */
  add(kind: KindName, id: string): void {
    if (kind !== 'customer' && kind !== 'booking' && kind !== 'order') return
    this.#count += 1
    if (this.#count > MET_NAMED_MAX) this.#ids = []
    else this.#ids.push(kind === 'customer' ? customerInTrail(id) : id)
  }

  /** As the audit trail has them: too many to name are counted. */
  get inTrail(): Pick<Act, 'records' | 'shown'> {
    return { records: this.#count, shown: this.#ids }
  }
}

/** The list of changes has the others. */
export const CHANGED_RECORDS_MAX = 1000

/** Counts of one center. Only non-zero counts use memory. */
export class CenterCounts {
  readonly #kinds = new Map<KindName, Map<Effect, number>>()

  add(kind: KindName, effect: Effect, count = 1): void {
    const effects = this.#kinds.get(kind) ?? new Map<Effect, number>()
    this.#kinds.set(kind, effects.set(effect, (effects.get(effect) ?? 0) + count))
  }

  /** number of records created, changed or removed */
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

/** Bounds the memory for a file with a million centers: all further centers are counted together. */
const CENTERS_MAX = 10_000
const OTHER_CENTERS = ''

/** Counts for each center. */
export class CountsByCenter {
  readonly #centers = new Map<string, CenterCounts>()

  /** The counts of a center, which begin with its first line, whatever its effect. */
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
