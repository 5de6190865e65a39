/** `POST /actions/remove-source`: a source that has ended. */

import { administer } from '../../../core/acts/administer.ts'
import { defineAction } from '../../../core/request/action.ts'
import { flag, object, text } from '../../../core/request/object-schema.ts'
import { removeSource, SourceError } from '../manage-sources.ts'
import { sourceField } from './set-source.ts'

export const removeSourceAction = defineAction({
  name: 'remove-source',
  summary: 'Remove a source',
  description:
    'Removes a source that has ended, so that nothing is expected of it. Its deliveries stay in the log of imports. If your center has none of this name, nothing is changed and `removed` is false.',
  scope: 'administration',
  body: { source: sourceField('Its name.') },
  response: object({ source: text(), removed: flag() }),
  example: {
    body: { source: 'old-system' },
    answer: { source: 'old-system', removed: true },
  },

  async perform({ body: { source }, ...context }) {
    const { result, facts } = await administer(context, 'source', async ({ database, center }) => {
      try {
        await removeSource(database, center, source)
        return true
      } catch (error) {
        if (error instanceof SourceError) return false
        throw error
      }
    })
    return { answer: { source, removed: result }, facts: result ? facts : { source: 'none' } }
  },
})
