import type { Part } from '../../../part.ts'
import { search as searchAll } from './search.ts'

export const search: Part = {
  name: 'search',
  operations: () => [searchAll],
}
