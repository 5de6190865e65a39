import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'
import { type Generation, ofGeneration } from '../database/generation.ts'
import type { Center } from '../records/centers/center.ts'
import { readCenter } from '../records/centers/center.ts'
import type { KeyState } from './key-states.ts'

export interface CenterProfiles {
  /**
   * Returns the profile of the key's center at the key state's profile revision or a later one. It is a promise only if
   * the profile must be read from the database.
   * @throws {DatabaseUnavailable} also if another server answers now than the one that the state was read from
   */
  get(state: KeyState): Center | undefined | Promise<Center | undefined>
}

/** A few kilobytes each, for thousands of centers. If there are more, those that were not read for the longest time go. */
const PROFILES_MAX = 20_000

interface Profile {
  readonly generation: Generation
  readonly revision: number
  /** a promise until the read completes */
  center: Center | undefined | Promise<Center | undefined>
}

/** Keeps center profiles in memory. A profile is read again when its revision has increased. */
export function createCenterProfiles(
  database: Pick<Database, 'query' | 'generation'>,
  profilesMax = PROFILES_MAX,
): CenterProfiles {
  const profiles = new LRUCache<string, Profile>({ max: profilesMax })
  return {
    get(state) {
      const { generation } = state
      const known = profiles.get(state.center)
      if (known?.generation === generation && known.revision >= state.profileRevision) return known.center
      const reading = ofGeneration(database, generation, () => readCenter(database, state.center))
      const entry: Profile = { generation, revision: state.profileRevision, center: reading }
      profiles.set(state.center, entry)
      reading.then(
        (center) => {
          entry.center = center
        },
        // A failed read is not cached.
        () => {
          if (profiles.peek(state.center) === entry) profiles.delete(state.center)
        },
      )
      return reading
    },
  }
}
