/**
 * Whether a kept answer is still the newest state. It is at the revision it shows, and stays so for as long as no
 * commit touches what it was made from; so a booking in March leaves the pages of November as they are.
 */
import type { ChangeLog } from '../changes/change-log.ts'
import type { AnswerCache, KeptAnswer } from './answer-cache.ts'
import type { Basis } from './names.ts'

/**
 * The kept answer of this name where it is the newest state at the revision of the basis; counted as a hit or a miss.
 * @throws {DatabaseUnavailable} where the commits in between cannot be read
 */
export type StillNewest = (
  name: string,
  basis: Basis,
) => KeptAnswer | undefined | Promise<KeptAnswer | undefined>

/** @param clock epoch ms */
export function createStillNewest(cache: AnswerCache, log: ChangeLog, clock: () => number): StillNewest {
  // Not a promise where nothing has changed: that is most of all requests.
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
    { center, revision }: Basis,
  ): Promise<KeptAnswer | undefined> {
    const { madeFrom } = kept
    if (madeFrom === undefined || (await log.isTouched(center, kept.revision, revision, madeFrom))) {
      cache.count('misses')
      return undefined
    }
    kept.revision = Math.max(kept.revision, revision)
    cache.count('hits')
    return kept
  }
}
