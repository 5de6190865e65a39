/** `POST /actions/revoke-link`: a link that shows nothing from the next request on. */

import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { defineAction } from '../../../core/request/action.ts'
import { count, object, text } from '../../../core/request/object-schema.ts'
import { linksNamed } from '../links-sql.ts'
import { revokeLink } from '../manage-links.ts'

export const revokeLinkAction = defineAction({
  name: 'revoke-link',
  summary: 'Revoke a link',
  description:
    'Revokes a link, or all links of an application. They show nothing from the next request on. If your center has none of this name, or they were revoked before, nothing is changed and `revoked` is 0.',
  scope: 'administration',
  space: 'reserve',
  body: { link: idField('`id` of the link; `appId` for all links of the application.') },
  response: object({
    link: text(),
    revoked: count('how many links were revoked now'),
  }),
  example: {
    body: { link: 'sjn_link_7Yc1nGq0TtVbWz3k' },
    answer: { link: 'sjn_link_7Yc1nGq0TtVbWz3k', revoked: 1 },
  },

  async perform({ body: { link: id }, ...context }) {
    const found = await context.query(linksNamed(id, context.center.id))
    if (found.length === 0) return { answer: { link: id, revoked: 0 }, facts: { link: 'none' } }
    const { result, facts } = await administer(context, 'link', ({ database, now, center }) =>
      revokeLink(database, id, { now, center }),
    )
    return { answer: { link: id, revoked: result.length }, facts: { link: id, ...facts } }
  },
})
