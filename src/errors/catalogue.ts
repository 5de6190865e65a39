/** Every error a client can meet (ruling 8). `docs/errors.md` is printed from this table. */
export const ERROR_CATALOGUE = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'Invalid parameter',
    message: 'The request has invalid parameters.',
    hint: 'Each entry of `details` names a parameter, what was given and what is allowed. Mend them all and ask again.',
  },
  UNAUTHORIZED: {
    status: 401,
    title: 'Unauthorized',
    message: 'Valid credentials are required.',
    hint: 'Send `X-API-APP-ID`, `X-API-PUBLIC-KEY` and `X-API-SECRET-KEY` of one key, or `Authorization: Bearer` with its single-string form. A key that was revoked or has expired must be replaced; the center’s IT hands out keys.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Forbidden',
    message: 'This key may not do this.',
    hint: 'The message names the scope that is missing and what needed it. Ask for less, or ask the center’s IT for a key with that scope.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    message: 'There is nothing at this address.',
    hint: 'Check the path, or the identifier in it. `GET /orders` answers this when `startDate` or `endDate` is missing.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    message: 'This interface is read-only.',
    hint: 'Use GET or HEAD; the `Allow` header says so too.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limited',
    message: 'Too many requests.',
    hint: 'Wait the seconds that `Retry-After` says; `RateLimit` on every answer tells how much is left.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    message: 'Something went wrong on our side.',
    hint: 'Ask again later; if it stays, tell the center’s IT the `requestId`.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Unavailable',
    message: 'The service cannot answer right now.',
    hint: 'Wait the seconds that `Retry-After` says and ask again.',
  },
} as const

export type ErrorCode = keyof typeof ERROR_CATALOGUE
