/** Every error a client can meet (ruling 8). Each has a section in `docs/errors.md`, which a test holds to this table. */
export const ERROR_CATALOGUE = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'Invalid parameter',
    message: 'The request has invalid parameters.',
  },
  UNAUTHORIZED: {
    status: 401,
    title: 'Unauthorized',
    message: 'Valid credentials are required.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Forbidden',
    message: 'This key is not permitted to do this.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    message: 'Nothing was found at this address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    message: 'This interface is read-only.',
  },
  CONFLICT: {
    status: 409,
    title: 'Conflict',
    message: 'This page has changed since its snapshot.',
  },
  GONE: {
    status: 410,
    title: 'Gone',
    message: 'The changes after this cursor are no longer available.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency key reused',
    message: 'This Idempotency-Key was used for another request. Use a new key for each action.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limited',
    message: 'Too many requests.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    message: 'The service failed to answer this request.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Unavailable',
    message: 'The service cannot answer right now.',
  },
} as const

export type ErrorCode = keyof typeof ERROR_CATALOGUE
