import { pruneChanges } from '../../core/changes/prune-changes.ts'
import { onceADay } from '../../core/monitoring/once-a-day.ts'
import type { Part } from '../../core/part.ts'
import { listChanges } from './list-changes.ts'
import { streamChanges } from './stream-changes.ts'

/** What changed since a cursor: operation, stream, entries, groups of fields. */
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
