import { listSources } from '../../core/api/sources/list-sources.ts'
import type { Part } from '../../part.ts'
import { listCenterSources } from './acts/list-center-sources.ts'
import { removeSourceAction } from './acts/remove-source.ts'
import { setSourceAction } from './acts/set-source.ts'

/** What delivers data to the centers. */
export const sources: Part = {
  name: 'sources',
  operations: () => [listSources, listCenterSources],
  actions: [setSourceAction, removeSourceAction],
}
