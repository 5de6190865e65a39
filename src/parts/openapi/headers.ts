/** The headers of the document: those of requests, and those of responses. */
import { ASSISTANT, CHANNEL_HEADER } from '../../core/access/keys/channel.ts'
import { REQUEST_ID_PATTERN } from '../../core/answer/request-ids.ts'
import { LANGUAGES } from '../../core/locale/languages.ts'
import { EXAMPLE_CURSOR } from './examples.ts'
import { type JsonObject, reference } from './json.ts'

/** Request headers that every operation takes besides credentials. */
export const HEADER_PARAMETERS: Readonly<Record<string, JsonObject>> = {
  Locale: {
    name: 'X-LOCALE',
    in: 'header',
    description: `Language of humanized values: a language tag such as \`ro\`, \`nb-NO\` or \`pt_BR\`, in any case. Supported are ${LANGUAGES.join(', ')}; \`nb\` and \`nn\` are \`no\`, and other regions are dropped. For any other language, the answer is in English. Without the header, or if it is not a language tag, the center's own language is used. \`Content-Language\` says which one was used.`,
    schema: { type: 'string' },
    example: 'ro',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of an answer you already have. If the answer would be the same, you get a 304 without a body.',
    schema: { type: 'string' },
    example: '"V1mBq0Wf3vJx9qkzT2cYs8RuLZA"',
  },
  Channel: {
    name: CHANNEL_HEADER,
    in: 'header',
    description:
      'Send `assistant` if you read on behalf of an AI assistant. The audit trail records it, and personal and medical data are refused unless the key was created with `--allow-assistants`.',
    schema: { type: 'string', enum: [ASSISTANT] },
    example: ASSISTANT,
  },
}

const header = (description: string, example: unknown, schema: JsonObject = { type: 'string' }) => ({
  description,
  schema,
  example,
})

/** Every response header that is useful to a client. */
export const ANSWER_HEADERS: Readonly<Record<string, JsonObject>> = {
  'Content-Language': header('The language of the humanized values.', 'en'),
  'Data-Received': header(
    'For each kind of data that the key may read, when the last delivery came that counts (a dictionary of RFC 9651): `?0` if none did, `every` with the usual seconds between two, `due` when the data is late, and `late` if it is. A kind of which nothing is known is missing; do not take it for fresh.',
    'bookings=@1736902920;every=3600;due=@1736906760, customers=@1736902920;every=3600;due=@1736906760, orders=@1736820000;every=86400;due=@1736906640;late',
  ),
  ETag: header(
    'Changes when the answer changes. The same for every key that may make the request.',
    '"V1mBq0Wf3vJx9qkzT2cYs8RuLZA"',
  ),
  'Idempotency-Replayed': header(
    '`true` if an earlier request with this `Idempotency-Key` performed the action, and this is its answer.',
    'true',
  ),
  Link: header(
    'The absolute URLs of the `first`, `prev`, `next` and `last` page, where there is one, with all other parameters (RFC 8288).',
    '<https://api.example.com/v1/guests?sessionId=session-2025-01&length=2&start=1>; rel="first", <https://api.example.com/v1/guests?sessionId=session-2025-01&length=2&start=2>; rel="next", <https://api.example.com/v1/guests?sessionId=session-2025-01&length=2&start=2>; rel="last"',
  ),
  RateLimit: header(
    'What is left of each limit: `r` requests, and all of them again in `t` seconds (draft-ietf-httpapi-ratelimit-headers).',
    '"burst";r=99;t=60, "hourly";r=999;t=3600',
  ),
  'RateLimit-Policy': header(
    'The limits of this key: `q` requests in `w` seconds.',
    '"burst";q=100;w=60, "hourly";q=1000;w=3600',
  ),
  'Retry-After': header('Seconds to wait before the next request, a whole number.', 12, {
    type: 'integer',
    minimum: 1,
  }),
  'Snapshot-Cursor': header(
    'With `snapshot`: where in the changes the list is. Give it as `snapshot` with every other page, as the `Link` header does, and as `after` to `GET /changes` to learn what changed since. Of a 409: the cursor to start again with.',
    EXAMPLE_CURSOR,
  ),
  'Snapshot-Count': header('On the last page of a snapshot: how many records all its pages have.', 2, {
    type: 'integer',
    minimum: 0,
  }),
  'Snapshot-Digest': header(
    'On the last page of a snapshot: SHA-256, in lower-case hexadecimal, of the identifiers of all its records in the order of the list, each followed by a line break (`\\n`). Identifiers are the `id` of a guest, the `_id` of a session and the `uuid` of an order.',
    '5bf867a3dde37872ae75fdb847124ff5d6cc6ec368945186aab535c6948f5b61',
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
  ),
  'WWW-Authenticate': header(
    'What is missing, in the form of RFC 6750. A 401 to a program that is not a browser has a second such header, which asks for Basic (RFC 7617).',
    'Bearer realm="sojourn"',
  ),
  'X-Request-Id': header(
    'Identifies this answer; `requestId` in an error body is the same. A UUID, unless a proxy of the service has given the request an ID of its own.',
    '0b0f7f8e-6a8f-4a40-9b54-6a2f0b1a3c11',
    { type: 'string', pattern: REQUEST_ID_PATTERN },
  ),
}

/** References to headers, for a response object. */
export function headerReferences(...names: (keyof typeof ANSWER_HEADERS)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
}

/** On every response to a request that passed the limits. */
export const LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const
