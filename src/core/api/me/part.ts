import type { Part } from '../../part.ts'
import { createGetMe } from './get-me.ts'
import { listFields } from './list-fields.ts'

/** What the key of a request can do. */
export const me: Part = {
  name: 'me',
  operations: ({ scoped }) => [createGetMe(scoped), listFields],
}
