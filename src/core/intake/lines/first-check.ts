/**
 * What a line says about its record before anything stored is read. Records that prove invalid while they are written
 * have to be undone, which takes as long and leaves dead rows. So where a line may be invalid, all of them are judged
 * without being written first.
 */
import type { Kind, KindName } from '../kinds/kind.ts'
import { lacksAll } from '../rejects/problems.ts'
import type { RunOptions } from '../run-options.ts'
import { LINE_SCHEMAS } from './line-schemas.ts'

/**
 * - `whole`: valid as a new record, as far as the line itself says
 * - `doubtful`: invalid, or only valid if the record is stored already
 * - `removal`
 */
export type FirstLook = 'whole' | 'doubtful' | 'removal'

export function lookAt(
  kind: Pick<Kind, 'name' | 'schema' | 'atLeastOne'>,
  value: Record<string, unknown>,
): FirstLook {
  if ('deleted' in value) return 'removal'
  const has = (field: string) => value[field] !== undefined
  const isWhole =
    kind.schema.required.every(has) &&
    lacksAll(kind, has) === undefined &&
    LINE_SCHEMAS[kind.name].record.check(value)
  return isWhole ? 'whole' : 'doubtful'
}

/** Kinds whose records depend on no other record of the same import. */
const ALONE: ReadonlySet<KindName> = new Set(['term', 'session', 'order', 'customer'])

/** Whether the lines of an import should be judged before they are written, and whether they can be. */
export class FirstChecks {
  #isDoubtful = false
  #isAlone: boolean

  constructor({ skipInvalid = false, snapshot }: Pick<RunOptions, 'skipInvalid' | 'snapshot'>) {
    this.#isAlone = !skipInvalid && snapshot === undefined
  }

  /** @param kind undefined for a line without a record, which is refused */
  note(kind: KindName | undefined, look: FirstLook | undefined): void {
    this.#isDoubtful ||= look === undefined || look === 'doubtful'
    if (kind !== undefined && look !== undefined) this.#isAlone &&= ALONE.has(kind) && look !== 'removal'
  }

  /**
   * Whether judging finds every problem and there may be one. Removals, and records that refer to others, are checked when
   * all are written, as what a snapshot lacks is.
   */
  get areToBeJudged(): boolean {
    return this.#isDoubtful && this.#isAlone
  }
}
