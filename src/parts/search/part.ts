import type { Part } from '../../core/part.ts'
import { search as searchAll } from './search.ts'

/** One search for guests and orders of all dates. */
export const search: Part = {
  name: 'search',
  operations: () => [searchAll],
}
