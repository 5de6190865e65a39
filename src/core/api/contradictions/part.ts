import type { Part } from '../../../part.ts'
import { dismissContradiction } from './dismiss-contradiction.ts'
import { listContradictions } from './list-contradictions.ts'
import { startContradictions } from './start-contradictions.ts'

export const contradictions: Part = {
  name: 'contradictions',
  operations: () => [listContradictions],
  actions: [dismissContradiction],
  start({ app, options, database, databaseClock }) {
    if (options.evaluatesContradictions) startContradictions(app, database, databaseClock)
  },
}
