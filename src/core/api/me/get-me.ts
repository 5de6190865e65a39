/** `GET /me`: what the key of the request may read, and what is left of its limits. */
import { isoMoment } from '../../locale/dates.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import type { AnswerOf } from '../../request/object-schema.ts'
import { defineOperation, type Operation } from '../../request/operation.ts'
import { ME_SCHEMA } from './me-schema.ts'
import { planOfFacts } from './plan-of-facts.ts'
import { type Scoped, seenBy } from './subjects.ts'

/** @param scoped every operation and action; this is one of them itself, so they are known once it is asked */
export const createGetMe = (scoped: () => readonly Scoped[]): Operation =>
  defineOperation({
    name: 'getMe',
    summary: 'Your key',
    description:
      'The center of your key, what the key may read, what its holder sees and does not see, its remaining requests, and when it expires. This request counts towards the limits too.',
    paths: ['/me'],
    scope: 'any',
    dependsOn: ['key', 'limits'],
    parameters: {},
    response: ME_SCHEMA,

    parse({ center, key, limits, query }) {
      const plan = planOfFacts(
        query,
        () =>
          ({
            center: {
              id: center.id,
              name: center.name,
              timezone: center.timezone,
              currency: center.currency,
              language: center.language,
              maximumPageLength: center.maximumPageLength,
              standardTimes: center.mealRules.standardTimes,
            },
            key: {
              appId: key.appId,
              publicKey: key.publicKey,
              name: key.name,
              scopes: key.scopes,
              customFields: key.customFields,
              allowedAddresses: key.allowedAddresses,
              expiresAt: key.expiresAt === null ? null : isoMoment(key.expiresAt),
              ...seenBy(key, scoped(), center),
            },
            limits: { minute: limits.minute, hour: limits.hour },
            languages: LANGUAGES,
          }) satisfies AnswerOf<typeof ME_SCHEMA>,
      )
      // Each request leaves less.
      return { ...plan, cacheMs: 0 }
    },
  })
