import type { Part } from '../../core/part.ts'
import { listCenterSources } from './acts/list-center-sources.ts'
import { removeSourceAction } from './acts/remove-source.ts'
import { setSourceAction } from './acts/set-source.ts'
import { listSources } from './list-sources.ts'

/** Sources of data: what delivers to the center, how old its data is, and their administration. */
export const sources: Part = {
  name: 'sources',
  operations: () => [listSources, listCenterSources],
  actions: [setSourceAction, removeSourceAction],
}
