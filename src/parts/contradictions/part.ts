import type { Part } from '../../core/part.ts'
import { dismissContradiction } from './dismiss-contradiction.ts'
import { listContradictions } from './list-contradictions.ts'
import { startContradictions } from './start-contradictions.ts'

/** What does not fit between records: found with each commit, listed and dismissed. */
export const contradictions: Part = {
  name: 'contradictions',
  needs: ['kitchen'],
  operations: () => [listContradictions],
  actions: [dismissContradiction],
  start({ app, options, database, databaseClock }) {
    if (options.evaluatesContradictions) startContradictions(app, database, databaseClock)
  },
}
