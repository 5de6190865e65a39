/** The OpenAPI 3.1 document, made from the operations themselves: what validates a request describes it. */

import { SCOPE_HELP, SCOPES } from '../keys/scopes.ts'
import type { Operation } from '../request/operation.ts'
import { errorResponses } from './errors.ts'
import { ANSWER_HEADERS, HEADER_PARAMETERS, headerReferences, LIMIT_HEADERS } from './headers.ts'
import type { JsonObject } from './json.ts'
import { operationObject, tagOf } from './operation-object.ts'
import { componentSchemas } from './schemas.ts'

const TAGS: Readonly<Record<string, string>> = {
  guests: 'People booked into sessions. A guest is one booking of one customer.',
  meals: 'What the kitchen plans with.',
  orders: 'Bookings that are paid together, with their items and payment.',
  sessions: 'Dated programs that guests attend.',
}

const DESCRIPTION = `The read side of a residential wellness or treatment center: guests, sessions, orders and the meal-skipping report.

Every operation is a GET (HEAD answers alike, without a body) and takes credentials in either of two forms, which hold the same key. Every path answers under \`/v1\` and without it. A parameter that is unknown, empty, or repeated where one value is meant is refused. Days are the center's local days; timestamps are UTC. Answers carry an \`ETag\`, and \`If-None-Match\` gets a 304 while nothing has changed.

Scopes, of which a key has some:

${SCOPES.map((scope) => `* \`${scope}\`: ${SCOPE_HELP[scope]}`).join('\n')}`

const apiKeyHeader = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

export function openApiDocument(options: { operations: readonly Operation[]; version: string }): JsonObject {
  const { operations, version } = options
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sojourn',
      summary: 'Guests, sessions, orders and the meal-skipping report of a center, read-only.',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/v1', description: 'The documented form' },
      { url: '/', description: 'The same without the prefix' },
    ],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({
      name,
      ...(TAGS[name] === undefined ? {} : { description: TAGS[name] }),
    })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.paths[0], { get: operationObject(operation) }]),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The single-string form of a key, `sjn_key_…`.',
        },
        appId: apiKeyHeader('X-API-APP-ID', 'The application identifier of a key, `sjn_app_…`.'),
        publicKey: apiKeyHeader('X-API-PUBLIC-KEY', 'The public half of the same key, `sjn_pk_…`.'),
        secretKey: apiKeyHeader('X-API-SECRET-KEY', 'The secret half of the same key, `sjn_sk_…`.'),
      },
      parameters: HEADER_PARAMETERS,
      headers: ANSWER_HEADERS,
      responses: {
        NotModified: {
          description: 'The answer with this `ETag` is still right.',
          headers: headerReferences('ETag', ...LIMIT_HEADERS, 'X-Request-Id'),
        },
        ...errorResponses(),
      },
      schemas: componentSchemas(operations),
    },
  }
}
