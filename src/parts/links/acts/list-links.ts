/** `GET /administration/links`: the links of the center. */

import { listParameters, readList, uncachedPlan } from '../../../core/acts/list-page.ts'
import { defineOperation, type Operation } from '../../../core/request/operation.ts'
import { recordedQuestion } from '../question.ts'
import { selectLinks } from './acts-sql.ts'
import { LINKS_SCHEMA } from './link-schema.ts'

const parameters = listParameters('links', 'Whether links are listed too that were revoked or have expired.')

/** @param operations that a link can show; it is one of them itself, so they are known once it is asked */
export const createListLinks = (operations: () => readonly Operation[]): Operation =>
  defineOperation({
    name: 'listLinks',
    summary: 'Links of the center',
    description:
      'The links of the center, never their URLs: what each answers, of which application, until when, and how often it was used. Valid links come first, then the newest. What names a person in a query is hidden.',
    paths: ['/administration/links'],
    scope: 'administration',
    dependsOn: [],
    parameters,
    response: LINKS_SCHEMA,

    parse({ center, query }) {
      const list = readList(parameters, query, center.maximumPageLength)
      if ('refusal' in list) return { requiredScopes: [], refusal: list.refusal }
      const { page, part, normalForm } = list
      return uncachedPlan(
        normalForm,
        selectLinks(center.id, part),
        ([total, links]: readonly [number, readonly { readonly query: string }[]]) => ({
          data: links.map((link) => ({ ...link, query: recordedQuestion(link.query, operations()) })),
          total,
        }),
        ({ total }) => ({ ...page, total }),
      )
    },
  })
