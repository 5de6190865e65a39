/**
 * Whether a cached answer is still current. It is current at its own revision, and remains so until a commit touches
 * what it was made from. So a booking in March does not invalidate the pages of November.
 */
import type { ChangeLog } from '../changes/change-log.ts'
import type { AnswerCache, KeptAnswer } from './answer-cache.ts'
import type { Basis } from './names.ts'

/**
 * Returns the cached answer of this name if it is current at the revision of the basis. Counts a hit or a miss.
 * @throws {DatabaseUnavailable} if the commits in between cannot be read
 */
export type StillNewest = (
  name: string,
  basis: Basis,
) => KeptAnswer | undefined | Promise<KeptAnswer | undefined>

/** @param clock epoch ms */
export function createStillNewest(cache: AnswerCache, log: ChangeLog, clock: () => number): StillNewest {
  // Not a promise if nothing has changed, as for most requests. An answer of another server has another name, so its
  // revision is never compared.
  return (name, basis) => {
    const kept = cache.get(name)
    if (kept === undefined || kept.until <= clock()) {
      cache.count('misses')
      return undefined
    }
    if (kept.revision >= basis.revision) {
      cache.count('hits')
      return kept
    }
    return afterCommits(kept, basis)
  }

  async function afterCommits(
    kept: KeptAnswer,
    { center, generation, revision }: Basis,
  ): Promise<KeptAnswer | undefined> {
    const { madeFrom } = kept
    if (
      madeFrom === undefined ||
      (await log.isTouched({ center, generation }, kept.revision, revision, madeFrom))
    ) {
      cache.count('misses')
      return undefined
    }
    kept.revision = Math.max(kept.revision, revision)
    cache.count('hits')
    return kept
  }
}
