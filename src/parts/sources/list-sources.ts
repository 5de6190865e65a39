/** `GET /sources`: what delivers data to the center, and how old the data is. */
import { evaluateSource } from '../../core/records/sources/evaluate-source.ts'
import { toSource } from '../../core/records/sources/read-sources.ts'
import { type SourceValues, selectSources } from '../../core/records/sources/sources-sql.ts'
import type { AnswerOf } from '../../core/request/object-schema.ts'
import { defineOperation } from '../../core/request/operation.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import { presentSource } from './present-sources.ts'
import { SOURCES_SCHEMA } from './sources-schema.ts'

export const listSources = defineOperation({
  name: 'listSources',
  summary: 'Sources of the data',
  description:
    'Whatever delivers data to the center: watched folders, applications that send records, and imports by command, with the schedule that the center expects, what is wrong, and the newest deliveries. A delivery that is not in order does not make the data newer. Every answer has the times in short in its header `Data-Received`.',
  paths: ['/sources'],
  scope: 'sources',
  dependsOn: [],
  parameters: {},
  response: SOURCES_SCHEMA,

  parse({ center, query }) {
    const refusal = refusalOf(readParameters({}, query).problems)
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    return {
      requiredScopes: [],
      normalForm: '[]',
      statement: selectSources(center.id),
      dependencies: undefined,
      // A source becomes late without a commit.
      cacheMs: 0,

      present(rows) {
        // The statement returns one row.
        const [sources, now] = rows[0] as readonly [SourceValues[], number]
        const states = sources.map((values) => evaluateSource(toSource(values), center.timezone, now))
        return {
          body: JSON.stringify({ data: states.map(presentSource) } satisfies AnswerOf<typeof SOURCES_SCHEMA>),
          revision: undefined,
          records: { count: 0, ids: [] },
        }
      },
    }
  },
})
