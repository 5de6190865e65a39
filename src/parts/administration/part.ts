import type { Part } from '../../core/part.ts'
import { createKeyAction } from './create-key.ts'
import { describeKeyAction } from './describe-key.ts'
import { getSettings } from './get-settings.ts'
import { createListKeys } from './list-keys.ts'
import { listReads } from './list-reads.ts'
import { revokeKeyAction } from './revoke-key.ts'
import { rotateKeyAction } from './rotate-key.ts'
import { setCenterAction } from './set-center.ts'
import { setDietAction } from './set-diet.ts'

/** The administration by a key: keys, settings, who read what; the actions do what commands do. */
export const administration: Part = {
  name: 'administration',
  operations: ({ scoped }) => [createListKeys(scoped), getSettings, listReads],
  actions: [
    createKeyAction,
    describeKeyAction,
    rotateKeyAction,
    revokeKeyAction,
    setCenterAction,
    setDietAction,
  ],
}
