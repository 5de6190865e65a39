import type { Center } from '../centers/center.ts'
import { readCenter } from '../centers/center.ts'
import type { Database } from '../database/database.ts'
import type { KeyState } from './key-states.ts'

export interface CenterProfiles {
  /** The profile of the key's center, as it stood at the key state's profile revision or later; a promise only where it is read. */
  get(state: KeyState): Center | undefined | Promise<Center | undefined>
}

/** Thousands of centers at a few kilobytes each. */
const PROFILES_MAX = 20_000

interface Profile {
  readonly revision: number
  /** a promise while it is read */
  center: Center | undefined | Promise<Center | undefined>
}

/** Keeps center profiles in memory; each is read again when its profile revision has moved. */
export function createCenterProfiles(database: Database): CenterProfiles {
  const profiles = new Map<string, Profile>()
  return {
    get(state) {
      const known = profiles.get(state.center)
      if (known !== undefined && known.revision >= state.profileRevision) return known.center
      if (profiles.size >= PROFILES_MAX) profiles.clear()
      const reading = readCenter(database, state.center)
      const entry: Profile = { revision: state.profileRevision, center: reading }
      profiles.set(state.center, entry)
      reading.then(
        (center) => {
          entry.center = center
        },
        // A read that failed is not remembered.
        () => {
          if (profiles.get(state.center) === entry) profiles.delete(state.center)
        },
      )
      return reading
    },
  }
}
