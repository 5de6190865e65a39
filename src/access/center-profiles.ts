import type { Center } from '../centers/center.ts'
import { readCenter } from '../centers/center.ts'
import type { Database } from '../database/database.ts'
import type { KeyState } from './key-states.ts'

export interface CenterProfiles {
  /** The profile of the key's center, as it stood at the key state's profile revision or later. */
  get(state: KeyState): Promise<Center | undefined>
}

/** Thousands of centers at a few kilobytes each. */
const PROFILES_MAX = 20_000

/** Keeps center profiles in memory; each is read again when its profile revision has moved. */
export function createCenterProfiles(database: Database): CenterProfiles {
  const profiles = new Map<string, { revision: number; center: Promise<Center | undefined> }>()
  return {
    get(state) {
      const known = profiles.get(state.center)
      if (known !== undefined && known.revision >= state.profileRevision) return known.center
      if (profiles.size >= PROFILES_MAX) profiles.clear()
      const center = readCenter(database, state.center)
      const entry = { revision: state.profileRevision, center }
      profiles.set(state.center, entry)
      // A read that failed is not remembered.
      center.catch(() => {
        if (profiles.get(state.center) === entry) profiles.delete(state.center)
      })
      return center
    },
  }
}
