/** `GET /administration/sources`: what delivers data, who is notified of its problems, and the log of imports. */

import { uncachedPlan } from '../../../core/acts/list-page.ts'
import { evaluateSource } from '../../../core/records/sources/evaluate-source.ts'
import { toDelivery, toSource } from '../../../core/records/sources/read-sources.ts'
import type { DeliveryValues, SourceValues } from '../../../core/records/sources/sources-sql.ts'
import { defineOperation } from '../../../core/request/operation.ts'
import { readParameters, refusalOf } from '../../../core/request/parameters.ts'
import { presentDelivery, presentSource } from '../present-sources.ts'
import { selectSourcesAndImports } from './acts-sql.ts'
import { CENTER_SOURCES_SCHEMA, IMPORTS_SHOWN } from './source-schema.ts'

type ImportValues = readonly [source: string, key: string | null, ...delivery: DeliveryValues]

export const listCenterSources = defineOperation({
  name: 'listCenterSources',
  summary: 'Sources and imports of the center',
  description: `The sources of the center as in \`GET /sources\`, with the application whose deliveries each is; the addresses that get an e-mail when a source has a problem; and the last ${IMPORTS_SHOWN} imports. No value of a record and no name of a file is shown.`,
  paths: ['/administration/sources'],
  scope: 'administration',
  dependsOn: [],
  parameters: {},
  response: CENTER_SOURCES_SCHEMA,

  parse({ center, query }) {
    const refusal = refusalOf(readParameters({}, query).problems)
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    return uncachedPlan(
      '[]',
      selectSourcesAndImports(center.id, IMPORTS_SHOWN),
      ([sources, now, addresses, imports]: readonly [SourceValues[], number, string[], ImportValues[]]) => ({
        data: sources.map((values) => {
          const source = toSource(values)
          return { ...presentSource(evaluateSource(source, center.timezone, now)), appId: source.appId }
        }),
        addresses,
        imports: imports.map(([source, publicKey, ...delivery]) => ({
          source,
          publicKey,
          ...presentDelivery(toDelivery(delivery)),
        })),
      }),
    )
  },
})
