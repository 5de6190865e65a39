/** The OpenAPI 3.1 document, made from the operations: the code that validates a request also describes it. */

import { isScope, SCOPE_HELP, SCOPES } from '../../core/access/keys/scopes.ts'
import { type Action, actionPath } from '../../core/request/action.ts'
import type { Operation } from '../../core/request/operation.ts'
import type { StreamOperation } from '../../core/request/stream-operation.ts'
import { errorResponses } from './errors.ts'
import { ANSWER_HEADERS, HEADER_PARAMETERS, headerReferences, LIMIT_HEADERS } from './headers.ts'
import type { JsonObject } from './json.ts'
import { ACTIONS_TAG, actionObject, operationObject, streamObject, tagOf } from './operation-object.ts'
import { componentSchemas } from './schemas.ts'

/** What a tag is about, if that is not what its scope lets a key read. */
const TAGS: Readonly<Record<string, string>> = {
  guests: 'People booked into sessions. A guest is one booking of one customer.',
  meals: 'What the kitchen plans with.',
  orders: 'Bookings that are paid together, with their items and payment.',
  contradictions: 'What does not fit between records, and who has dismissed it.',
  search: 'Guests and orders of all dates, by what people know of them.',
  sessions: 'Dated programs that guests attend.',
  changes: 'What changed since last time, deletions included.',
  sources: 'What delivers the data, and how old it is.',
  usage: 'What your application requested, and what went wrong.',
  me: 'What your key may read.',
  fields: 'The fields of guests, custom ones included.',
  actions:
    'What a person confirms: the only requests that change something, and never a guest, session or order.',
}

const DESCRIPTION = `The read side of a residential wellness or treatment center: guests, sessions, orders and the meal-skipping report.

Every read is a GET; HEAD returns the same headers without the body. What a person confirms is a POST below \`/actions\`, with a JSON body and an \`Idempotency-Key\`. Every request carries a key: send it as \`Authorization: Bearer\`. Paths work with and without \`/v1\`. A query parameter that is unknown, empty, or repeated where one value is meant is an error. Days are the center's local days; timestamps are UTC. Every answer has an \`ETag\`; send it back in \`If-None-Match\`, and as long as the answer would be the same you get a 304.

A key has one or more scopes:

${SCOPES.map((scope) => `* \`${scope}\`: ${SCOPE_HELP[scope]}`).join('\n')}`

const THREE_HEADERS =
  'Every operation also accepts a key in the three headers `X-API-APP-ID`, `X-API-PUBLIC-KEY` and `X-API-SECRET-KEY`, all three together, in place of `Authorization`.'

const apiKeyHeader = (name: string, description: string) => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

/** All forms of a key. */
export const SECURITY_SCHEMES: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'One key in one string, `sjn_key_…`. A request needs nothing else.',
  },
  appId: apiKeyHeader('X-API-APP-ID', `The application identifier, \`sjn_app_…\`. ${THREE_HEADERS}`),
  publicKey: apiKeyHeader('X-API-PUBLIC-KEY', `The public half, \`sjn_pk_…\`. ${THREE_HEADERS}`),
  secretKey: apiKeyHeader('X-API-SECRET-KEY', `The secret half, \`sjn_sk_…\`. ${THREE_HEADERS}`),
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'For tools that offer nothing else, and for GET and HEAD only: the key in one string, `sjn_key_…`, as the user name with an empty password; or its public key as the user name and its secret key as the password.',
  },
}

export interface DocumentOptions {
  readonly operations: readonly Operation[]
  readonly streams?: readonly StreamOperation[]
  readonly actions?: readonly Action[]
  readonly version: string
  /** the URL of the service without a slash at its end; servers are relative if it is not set */
  readonly publicUrl?: string | undefined
  /** contact for questions about the interface: `mailto:…` or `https://…` */
  readonly contact?: string | undefined
}

function aboutTag(name: string): string | undefined {
  const reads = isScope(name) ? SCOPE_HELP[name] : undefined
  return TAGS[name] ?? (reads && `${reads[0]?.toUpperCase()}${reads.slice(1)}.`)
}

/** The contact is the operator of the service for the center, who also issues its keys. */
export function contactOf(address: string | undefined): JsonObject {
  const name = 'IT of the center'
  if (address === undefined) return { name }
  const email = /^mailto:(.+)$/.exec(address)?.[1]
  return email === undefined ? { name, url: address } : { name, email }
}

export function openApiDocument(options: DocumentOptions): JsonObject {
  const { operations, streams = [], actions = [], version, publicUrl = '', contact } = options
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sojourn',
      summary: 'Guests, sessions, orders and the meal-skipping report of a center, read-only.',
      version,
      description: DESCRIPTION,
      contact: contactOf(contact),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `${publicUrl}/v1`, description: 'The documented form' },
      { url: publicUrl === '' ? '/' : publicUrl, description: 'The same without the prefix' },
    ],
    // In alphabetical order, which OpenAPI linters expect.
    tags: [...new Set([...operations.map(tagOf), ...actions.map(() => ACTIONS_TAG)])]
      .sort()
      .map((name) => ({ name, description: aboutTag(name) })),
    // All forms of a key, which every operation accepts; Basic for those that read. Each operation names only the bearer form: a generated client
    // fills every scheme that an operation names, so it would send its one string in all four headers, which is
    // answered with 401.
    security: [{ bearer: [] }, { appId: [], publicKey: [], secretKey: [] }, { basic: [] }],
    paths: Object.fromEntries([
      ...operations.map((operation) => [operation.paths[0], { get: operationObject(operation) }]),
      ...streams.map((stream) => [stream.paths[0], { get: streamObject(stream) }]),
      ...actions.map((action) => [actionPath(action), { post: actionObject(action) }]),
    ]),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: HEADER_PARAMETERS,
      headers: ANSWER_HEADERS,
      responses: {
        NotModified: {
          description: 'The answer with this `ETag` is still current.',
          headers: headerReferences('ETag', ...LIMIT_HEADERS, 'X-Request-Id'),
        },
        ...errorResponses(publicUrl),
      },
      schemas: componentSchemas(operations, actions),
    },
  }
}
