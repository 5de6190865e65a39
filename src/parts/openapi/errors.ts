/** The error responses of the document, made from the catalogue and from the functions that throw the errors. */
import { credentialForms } from '../../core/access/credential-forms.ts'
import { REQUEST_ID_PATTERN } from '../../core/answer/request-ids.ts'
import { type ApiError, errorBody, errors } from '../../core/errors/api-error.ts'
import { ERROR_CATALOGUE } from '../../core/errors/catalogue.ts'
import { dateParameter } from '../../core/request/parameter-kinds.ts'
import { EXAMPLE_CURSOR } from './examples.ts'
import { headerReferences, LIMIT_HEADERS } from './headers.ts'
import { type JsonObject, reference } from './json.ts'

const REQUEST_ID = '0b0f7f8e-6a8f-4a40-9b54-6a2f0b1a3c11'

export const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: 'The body of every error.',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(ERROR_CATALOGUE),
          description: 'For programs: check this, never the message.',
        },
        message: { type: 'string', description: 'For people: what is wrong.' },
        details: {
          type: 'array',
          description: 'Every problem of the request.',
          items: {
            type: 'object',
            properties: {
              parameter: { type: 'string' },
              message: { type: 'string', description: 'What was given and what is allowed.' },
            },
            required: ['parameter', 'message'],
          },
        },
        requestId: {
          type: 'string',
          pattern: REQUEST_ID_PATTERN,
          description: 'The same as `X-Request-Id`. Quote it when you ask for help.',
        },
        docs: {
          type: 'string',
          format: 'uri-reference',
          description: 'The section of the documentation about this code: what happened, and how to fix it.',
        },
      },
      required: ['code', 'message', 'requestId', 'docs'],
    },
  },
  required: ['error'],
}

const badDate = dateParameter({ description: '' }).read(['2025-02-30'])
const invalid = errors.invalidParameters([
  { parameter: 'endDate', message: 'problem' in badDate ? badDate.problem : '' },
])

interface ErrorAnswer {
  readonly name: string
  readonly when: string
  readonly error: ApiError
  readonly headers?: readonly string[]
}

/** By status, with the name of the shared response. */
const ERROR_ANSWERS: Readonly<Record<string, ErrorAnswer>> = {
  400: {
    name: 'BadRequest',
    when: 'A parameter is missing, unknown, empty, repeated, malformed or out of range. The answer lists all problems.',
    error: invalid,
    headers: LIMIT_HEADERS,
  },
  401: {
    name: 'Unauthorized',
    when: 'Credentials are missing, malformed, unknown, revoked or expired; the answer does not tell which.',
    error: errors.unauthorized(credentialForms({ method: 'GET', headers: {} })),
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    when: 'The key lacks a scope that the endpoint or a named field needs, or may not be used from this address, or its center has API access switched off.',
    error: errors.missingScopes([{ scope: 'guests.medical', what: 'medicalLetter.diagnoses' }]),
    headers: ['WWW-Authenticate', ...LIMIT_HEADERS],
  },
  404: {
    name: 'NotFound',
    when: 'There is nothing at this address.',
    error: errors.notFound('There is no order with this identifier.'),
    headers: LIMIT_HEADERS,
  },
  409: {
    name: 'Conflict',
    when: 'What the page shows has changed since its snapshot: start again at the first page.',
    error: errors.snapshotMoved(EXAMPLE_CURSOR),
    headers: ['Snapshot-Cursor', ...LIMIT_HEADERS],
  },
  410: {
    name: 'Gone',
    when: 'Changes after the cursor are not known any more: start again without one.',
    error: errors.cursorGone('pruned'),
    headers: LIMIT_HEADERS,
  },
  422: {
    name: 'IdempotencyKeyReused',
    when: 'The `Idempotency-Key` was used for another action or another body.',
    error: errors.idempotencyKeyReused(),
    headers: LIMIT_HEADERS,
  },
  429: {
    name: 'RateLimited',
    when: 'The key has used up its limit for the minute or the hour.',
    error: errors.rateLimited('This key has used its 100 requests a minute. Retry in 12 s.', 12),
    headers: ['Retry-After', ...LIMIT_HEADERS],
  },
  500: {
    name: 'Internal',
    when: 'Something went wrong in the service.',
    error: errors.internal(undefined),
  },
  503: {
    name: 'Unavailable',
    when: 'The database is unavailable for the moment, or the audit trail cannot be written.',
    error: errors.unavailable(),
    headers: ['Retry-After'],
  },
}

/** The shared error responses, by name. @param publicUrl the URL of the service; '' if it is not set */
export function errorResponses(publicUrl: string): JsonObject {
  return Object.fromEntries(
    Object.values(ERROR_ANSWERS).map(({ name, when, error, headers = [] }) => [
      name,
      {
        description: when,
        headers: headerReferences('X-Request-Id', ...headers),
        content: {
          'application/json': {
            schema: reference('schemas', 'Error'),
            examples: {
              [error.code]: {
                summary: ERROR_CATALOGUE[error.code].title,
                value: errorBody(error, REQUEST_ID, publicUrl),
              },
            },
          },
        },
      },
    ]),
  )
}

/** Statuses that only some operations return. */
export type OwnStatus = '404' | '409' | '410' | '422'
const OWN_STATUSES: readonly string[] = ['404', '409', '410', '422'] satisfies OwnStatus[]

/** References by status. @param own the operation's statuses that are not common to all operations */
export function errorReferences(own: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(ERROR_ANSWERS)
      .filter(([status]) => !OWN_STATUSES.includes(status) || own.has(status))
      .map(([status, { name }]) => [status, reference('responses', name)]),
  )
}
