/** The OpenAPI document of the intake port, made from the schemas that check the records. */
import { ERROR_CATALOGUE } from '../../core/errors/catalogue.ts'
import { DELIVERED_SCHEMA, REFUSED_PROPERTIES } from '../../core/intake/port/answer-schemas.ts'
import { REFUSALS, type RefusalCode } from '../../core/intake/port/refusal.ts'
import { contactOf, type DocumentOptions, SECURITY_SCHEMES } from './document.ts'
import { ERROR_SCHEMA, errorReferences, errorResponses } from './errors.ts'
import { ANSWER_HEADERS, headerReferences, LIMIT_HEADERS } from './headers.ts'
import { copyOf, type JsonObject, reference } from './json.ts'
import { recordSchemas } from './record-schemas.ts'

const DESCRIPTION = `Records of a center on their way in, sent by another system as they change. They go in whole or not at all. The port of the interface is another one, and stays read-only.

A key for intake writes the records of its own center and reads nothing (\`sojourn keys create --intake\`). Send it as \`Authorization: Bearer\`.`

const OPERATION = `The body holds records, one JSON object a line. \`centerId\` may be left out. All of them go in, or none.

Records may arrive in any order if each has a \`version\`: a record with a lower version than the stored one changes nothing. Send a delivery again after 408, 429, 503 and a lost connection; with an \`Idempotency-Key\` it is not imported twice.`

const REQUEST_ID = '0b0f7f8e-6a8f-4a40-9b54-6a2f0b1a3c11'
const IMPORT_ID = '7f1d6f0e-8f0d-4b39-9a5e-0c1b1d0a4d11'

const PLACE = { line: 1, kind: 'customer', id: 'c-1' }
const DAYS_FIRST = 'customer.dob: looks like DD.MM.YYYY; write YYYY-MM-DD'
const NO_DATE = 'is "03.02.1941"; expected a date (YYYY-MM-DD)'

const RECORD = {
  kind: 'customer',
  id: 'c-1',
  version: 1_763_800_000_000,
  firstName: 'Ana',
  lastName: 'Ionescu',
}

const DELIVERED = {
  import: IMPORT_ID,
  applied: true,
  dryRun: false,
  lines: 1,
  erased: 0,
  changes: 1,
  counts: { customer: { created: 1, changed: 0, unchanged: 0, removed: 0, older: 0 } },
}

/** Example messages of each refusal. */
const EXAMPLES: Readonly<Record<RefusalCode, { message: string; more?: JsonObject }>> = {
  BODY_TOO_LARGE: {
    message:
      'A body may have 67108864 bytes. Divide the records into several bodies, or send it packed (gzip).',
  },
  BODY_TOO_SLOW: {
    message: 'The body arrived too slowly. Nothing was imported.',
  },
  BODY_INCOMPLETE: { message: 'The body is incomplete. Nothing was imported.' },
  BODY_ENCODING: {
    message:
      'The body is UTF-16 or UTF-32. Nothing was imported. Let the sender write UTF-8, without zero bytes; sending the same body again does not help.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    message: 'This Idempotency-Key was used for another body. Use a new key for each delivery.',
  },
  RECORDS_REFUSED: {
    message: 'Nothing was imported: 1 of 1 lines are invalid. Correct them, and send all records again.',
    more: {
      import: IMPORT_ID,
      lines: 1,
      rejected: 1,
      problems: 1,
      complete: true,
      causes: [{ count: 1, message: DAYS_FIRST, places: [PLACE] }],
      complaints: [{ ...PLACE, field: 'dob', message: NO_DATE }],
      leftOut: 0,
    },
  },
}

// The type of an object literal has exactly its keys.
const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[]

export function intakeDocument({
  version,
  publicUrl = '',
  contact,
}: Pick<DocumentOptions, 'version' | 'publicUrl' | 'contact'>): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sojourn intake',
      summary: 'Records of a center on their way in.',
      version,
      description: DESCRIPTION,
      contact: contactOf(contact),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/v1', description: 'The documented form' },
      { url: '/', description: 'The same without the prefix' },
    ],
    tags: [{ name: 'intake', description: 'Sending records.' }],
    security: [{ bearer: [] }, { appId: [], publicKey: [], secretKey: [] }],
    paths: { '/intake': { post: post(publicUrl) } },
    components: {
      securitySchemes: WITHOUT_BASIC,
      headers: { ...pick(ANSWER_HEADERS, HEADERS), 'Idempotency-Replayed': REPLAYED },
      responses: pick(errorResponses(publicUrl), RESPONSES),
      schemas: {
        ...recordSchemas(),
        Delivered: copyOf(DELIVERED_SCHEMA),
        Error: errorSchema([...new Set([...Object.keys(ERROR_CATALOGUE), ...Object.keys(REFUSALS)])]),
        Refused: refusedSchema(),
      },
    },
  }
}

/** Deliveries never accept Basic (ruling 47). */
const { basic: _, ...WITHOUT_BASIC } = SECURITY_SCHEMES

/** Statuses of every operation that deliveries can get too. */
const STATUSES = ['401', '403', '429', '500', '503']
const RESPONSES = ['Unauthorized', 'Forbidden', 'RateLimited', 'Internal', 'Unavailable']
const HEADERS = [...LIMIT_HEADERS, 'Retry-After', 'WWW-Authenticate', 'X-Request-Id']
const REPLAYED = {
  description: 'Whether this is the stored answer to an earlier delivery of the same body with the same key.',
  schema: { type: 'string', enum: ['true'] },
  example: 'true',
}

const pick = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

function refusedSchema(): JsonObject {
  const { properties, ...schema } = errorSchema(['RECORDS_REFUSED', 'IDEMPOTENCY_KEY_REUSED'])
  return {
    ...schema,
    description: 'The body of a 422. The properties other than `error` are present with `RECORDS_REFUSED`.',
    properties: { ...Object(properties), ...copyOf(REFUSED_PROPERTIES) },
  }
}

function post(publicUrl: string): JsonObject {
  return {
    operationId: 'deliverRecords',
    tags: ['intake'],
    summary: 'Send records',
    description: OPERATION,
    security: [{ bearer: [] }],
    parameters: [
      {
        name: 'dryRun',
        in: 'query',
        description: 'Check the records and report what would change, without changing anything.',
        schema: { type: 'boolean', default: false },
        example: true,
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'One for each delivery, such as a UUID. For seven days, the same body with the same key gets the same answer and is not imported again.',
        schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
        example: REQUEST_ID,
      },
      {
        name: 'Content-Encoding',
        in: 'header',
        description: 'Whether the body is compressed.',
        schema: { type: 'string', enum: ['gzip', 'identity'] },
        example: 'gzip',
      },
    ],
    requestBody: {
      required: true,
      description: 'Records, one per line.',
      content: {
        'application/x-ndjson': {
          schema: { type: 'string', description: 'Each line is one `Record` as JSON.' },
          example: `${JSON.stringify(RECORD)}\n`,
        },
        'application/json': { schema: reference('schemas', 'Record'), example: RECORD },
      },
    },
    responses: {
      200: {
        description: 'The records were imported, or could be, after a dry run.',
        headers: headerReferences('Idempotency-Replayed', ...LIMIT_HEADERS, 'X-Request-Id'),
        content: {
          'application/json': { schema: reference('schemas', 'Delivered'), example: DELIVERED },
        },
      },
      ...Object.fromEntries(
        Object.entries(errorReferences(new Set())).filter(([status]) => STATUSES.includes(status)),
      ),
      ...Object.fromEntries(
        [...new Set(Object.values(REFUSALS))].map((status) => [status, refused(status, publicUrl)]),
      ),
    },
  }
}

/** A response with a status for which deliveries have error codes of their own. */
function refused(status: number, publicUrl: string): JsonObject {
  const codes = REFUSAL_CODES.filter((code) => REFUSALS[code] === status)
  const examples = codes.map((code): [string, JsonObject] => {
    const { message, more } = EXAMPLES[code]
    const docs = `${publicUrl}/docs/guide/sending-changes#what-it-answers`
    return [
      code,
      { summary: code, value: { error: { code, message, requestId: REQUEST_ID, docs }, ...more } },
    ]
  })
  return {
    description: `${codes.map((code) => `\`${code}\``).join(' or ')}${status === 400 ? ', or a parameter is not allowed' : ''}. Nothing was imported.`,
    headers: headerReferences(...LIMIT_HEADERS, 'X-Request-Id'),
    content: {
      'application/json': {
        schema: reference('schemas', status === 422 ? 'Refused' : 'Error'),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function errorSchema(codes: readonly string[]): JsonObject {
  const schema = copyOf(ERROR_SCHEMA)
  const code: unknown = Object.entries(schema.properties ?? {})
    .flatMap(([, { properties }]) => Object.entries<JsonObject>(properties))
    .find(([name]) => name === 'code')?.[1]
  if (typeof code === 'object' && code !== null && 'enum' in code) code.enum = codes
  return schema
}
