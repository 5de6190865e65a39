/** The OpenAPI object of one operation. */

import { SCOPES } from '../../core/access/keys/scopes.ts'
import { FIELD_GROUPS, GUEST_FIELDS } from '../../core/records/fields/guest-fields.ts'
import { type Action, actionId } from '../../core/request/action.ts'
import { bodySchema } from '../../core/request/action-body.ts'
import { type FileFormat, MEDIA_TYPES } from '../../core/request/format.ts'
import type { Operation } from '../../core/request/operation.ts'
import type { Parameter } from '../../core/request/parameters.ts'
import type { StreamOperation } from '../../core/request/stream-operation.ts'
import { errorReferences, type OwnStatus } from './errors.ts'
import { answerExample, EXAMPLE_CURSOR, EXAMPLE_EVENTS, PARAMETER_EXAMPLES } from './examples.ts'
import { HEADER_PARAMETERS, headerReferences, LIMIT_HEADERS } from './headers.ts'
import { copyOf, type JsonObject, reference } from './json.ts'
import { actionAnswerName, answerName } from './schemas.ts'
import { TEXT_EXAMPLES } from './text-examples.ts'

/** The tag of an operation: the first word of its scope, or of its path if every key may use it. */
export const tagOf = ({ scope, paths }: Described): string =>
  (scope === 'any' ? paths[0].slice(1) : scope).split(/[./]/)[0] ?? scope

/** The parts that operations and streams share. */
function described(operation: Described): JsonObject & { parameters: readonly JsonObject[] } {
  return {
    operationId: operation.name,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: describe(operation),
    'x-sojourn-scope': operation.scope,
    // Only one form, for generated clients; the document as a whole names both.
    security: [{ bearer: operation.scope === 'any' ? [] : [operation.scope] }],
    parameters: [
      ...Object.entries(operation.pathParameters ?? {}).map(([name, { description, schema }]) => ({
        name,
        in: 'path',
        required: true,
        description,
        schema,
        example: PARAMETER_EXAMPLES[name],
      })),
      ...Object.entries(operation.parameters).map(([name, parameter]) =>
        queryParameter(operation, name, parameter),
      ),
    ],
  }
}

type Described = Omit<Operation, 'parse'>

export function operationObject(operation: Operation): JsonObject {
  const { parameters, ...rest } = described(operation)
  return {
    ...rest,
    parameters: [
      ...parameters,
      ...Object.keys(HEADER_PARAMETERS).map((name) => reference('parameters', name)),
    ],
    responses: {
      200: {
        description: operation.summary,
        headers: headerReferences(
          'Content-Language',
          'Data-Received',
          'ETag',
          ...(isPaginated(operation) ? ['Link' as const] : []),
          ...LIMIT_HEADERS,
          ...('snapshot' in operation.parameters ? SNAPSHOT_HEADERS : []),
          'X-Request-Id',
        ),
        content: {
          ...(operation.type === undefined
            ? {
                'application/json': {
                  schema: reference('schemas', answerName(operation)),
                  example: answerExample(operation)?.answer,
                },
              }
            : {
                [operation.type]: {
                  schema: operation.response,
                  example: TEXT_EXAMPLES[operation.name]?.calendar,
                },
              }),
          ...Object.fromEntries(
            (operation.formats ?? []).map((format) => [MEDIA_TYPES[format], mediaObject(operation, format)]),
          ),
        },
      },
      304: reference('responses', 'NotModified'),
      ...errorReferences(ownStatuses(operation)),
    },
  }
}

/** A workbook is not text, so it has no example. */
function mediaObject({ name }: Operation, format: FileFormat): JsonObject {
  const example = TEXT_EXAMPLES[name]?.[format]
  return format === 'xlsx'
    ? { schema: { type: 'string', contentMediaType: MEDIA_TYPES.xlsx } }
    : { schema: { type: 'string' }, ...(example === undefined ? {} : { example }) }
}

const LAST_EVENT_ID: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The `id` of the newest event that you have; it takes precedence over `after`. EventSource sends it automatically.',
  schema: { type: 'string' },
  example: EXAMPLE_CURSOR,
}

export function streamObject(operation: StreamOperation): JsonObject {
  const { parameters, ...rest } = described(operation)
  return {
    ...rest,
    parameters: [...parameters, LAST_EVENT_ID],
    responses: {
      200: {
        description: `${operation.summary}. The \`data\` of each event is one \`Change\` as JSON.`,
        headers: headerReferences(...LIMIT_HEADERS, 'X-Request-Id'),
        content: { 'text/event-stream': { schema: { type: 'string' }, example: EXAMPLE_EVENTS } },
      },
      ...errorReferences(new Set(['410'])),
    },
  }
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A new one for each action, such as a UUID. If you repeat the request with the same key and body, it is not performed again, and you get the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '5f0c2a8e-3b1d-4f6a-9c7e-2d4b6a8c0e1f',
}

/** The tag of all actions. */
export const ACTIONS_TAG = 'actions'

export function actionObject(action: Action): JsonObject {
  const { scope, summary, description, body, example } = action
  return {
    operationId: actionId(action),
    tags: [ACTIONS_TAG],
    summary,
    description: `${description}\n\nNeeds the scope \`${scope}\`.`,
    'x-sojourn-scope': scope,
    security: [{ bearer: [scope] }],
    parameters: [IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bodySchema(body), example: example.body } },
    },
    responses: {
      200: {
        description: summary,
        headers: headerReferences('Idempotency-Replayed', ...LIMIT_HEADERS, 'X-Request-Id'),
        content: {
          'application/json': {
            schema: reference('schemas', actionAnswerName(action)),
            example: example.answer,
          },
        },
      },
      ...errorReferences(new Set(['404', '422'])),
    },
  }
}

const SNAPSHOT_HEADERS = ['Snapshot-Cursor', 'Snapshot-Count', 'Snapshot-Digest'] as const

const isPaginated = ({ parameters }: Operation) => 'start' in parameters && 'length' in parameters

function ownStatuses({ pathParameters, name, parameters }: Operation): ReadonlySet<OwnStatus> {
  const own = new Set<OwnStatus>()
  // Operations for one record, which may be missing, and the list of orders, which returns it for missing dates.
  if (pathParameters !== undefined || name === 'listOrders') own.add('404')
  if ('snapshot' in parameters) own.add('409')
  if ('after' in parameters || 'changedAfter' in parameters) own.add('410')
  return own
}

function describe(operation: Described): string {
  const [, ...others] = operation.paths
  const also = others.map((path) => `\`${path}\``).join(', ')
  return [
    operation.description,
    describeScope(operation),
    ...(also === '' ? [] : [`Answers at ${also} too.`]),
  ].join('\n\n')
}

function describeScope({ scope, oneOf = [] }: Described): string {
  if (scope !== 'any') return `Needs the scope \`${scope}\`.`
  if (oneOf.length === 0) return 'Every key may ask.'
  return `Needs one of the scopes ${oneOf.map((one) => `\`${one}\``).join(', ')}.`
}

function queryParameter(
  { name: operation, required = [] }: Described,
  name: string,
  parameter: Parameter<unknown>,
): JsonObject {
  const { examples, ...own } = parameter.schema
  const schema = name === 'project' ? withFieldNames(own) : own
  return {
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    description:
      name === 'project' ? `${parameter.description}\n\n${fieldsByScope()}` : parameter.description,
    // A list accepts commas. It accepts repetition too, which OpenAPI cannot express at the same time.
    ...(parameter.list ? { style: 'form', explode: false } : {}),
    schema,
    ...exampleOf([`${operation}.${name}`, name], schema, examples),
  }
}

/** Replaces the first choice, the list of all field names, by a reference to the shared schema. */
function withFieldNames(schema: JsonObject): JsonObject {
  const copy = copyOf(schema)
  const { items } = copy
  if (typeof items === 'object' && items !== null && 'anyOf' in items && Array.isArray(items.anyOf)) {
    items.anyOf[0] = reference('schemas', 'GuestFieldName')
  }
  return copy
}

/** @param names under which the parameter may have an example, by priority */
function exampleOf(names: readonly string[], schema: JsonObject, examples: unknown): JsonObject {
  const first = (values: unknown): unknown => (Array.isArray(values) ? values[0] : undefined)
  const own = names.map((name) => PARAMETER_EXAMPLES[name]).find((example) => example !== undefined)
  return { example: own ?? first(examples) ?? first(schema.enum) ?? schema.default }
}

/** The field names that need each scope, for the description of `project`. */
function fieldsByScope(): string {
  const lines = SCOPES.flatMap((scope) => {
    const names = GUEST_FIELDS.filter((field) => field.scope === scope).map((field) => `\`${field.name}\``)
    if (names.length === 0) return []
    const custom = scope === 'guests.personal' ? ', and every custom field as `meta.<key>`' : ''
    return [`* \`${scope}\`: ${names.join(', ')}${custom}`]
  })
  const groups = FIELD_GROUPS.map((name) => `\`${name}\``).join(' and ')
  return `By the scope they need:\n\n${lines.join('\n')}\n\n${groups} mean all fields below them.`
}
