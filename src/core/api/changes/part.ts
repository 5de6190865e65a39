import type { Part } from '../../../part.ts'
import { pruneChanges } from '../../changes/prune-changes.ts'
import { onceADay } from '../../monitoring/once-a-day.ts'
import { listChanges } from './list-changes.ts'
import { streamChanges } from './stream-changes.ts'

export const changes: Part = {
  name: 'changes',
  operations: () => [listChanges],
  streams: [streamChanges],
  start({ app, options, database }) {
    const { changesDays } = options
    if (changesDays !== undefined)
      onceADay(app, 'recorded changes', () => pruneChanges(database, changesDays))
  },
}
