/** `GET /administration/webhooks`: the webhooks of the center with their last deliveries. */
import type { Scope } from '../../../core/access/keys/scopes.ts'
import { uncachedPlan } from '../../../core/acts/list-page.ts'
import { defineOperation } from '../../../core/request/operation.ts'
import { readParameters, refusalOf } from '../../../core/request/parameters.ts'
import type { FeedKind } from '../../changes/change-schema.ts'
import { kindsReported } from '../webhook.ts'
import { selectWebhooksWithLog } from './acts-sql.ts'
import { WEBHOOKS_SCHEMA } from './webhook-schema.ts'

const DELIVERIES_SHOWN = 20

interface Listed {
  readonly scopes: Scope[]
  readonly kinds: FeedKind[] | null
}

export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  summary: 'Webhooks of the center',
  description: `The webhooks of the center, never their secrets: where messages are sent, what of, whether they are accepted, and the last ${DELIVERIES_SHOWN} attempts of each.`,
  paths: ['/administration/webhooks'],
  scope: 'administration',
  dependsOn: [],
  parameters: {},
  response: WEBHOOKS_SCHEMA,

  parse({ center, query }) {
    const refusal = refusalOf(readParameters({}, query).problems)
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    return uncachedPlan(
      '[]',
      selectWebhooksWithLog(center.id, DELIVERIES_SHOWN),
      ([webhooks]: readonly [readonly Listed[]]) => ({
        data: webhooks.map((one) => ({ ...one, kinds: kindsReported(one) })),
      }),
    )
  },
})
