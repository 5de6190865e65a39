/** Every error a client can meet (ruling 8). `docs/errors.md` is printed from this table. */
export const ERROR_CATALOGUE = {
  INVALID_PARAMETER: {
    status: 400,
    title: 'Invalid parameter',
    message: 'The request has invalid parameters.',
    hint: 'Each entry of `details` names a parameter and says what was given and what is allowed. Fix them all and retry.',
  },
  UNAUTHORIZED: {
    status: 401,
    title: 'Unauthorized',
    message: 'Valid credentials are required.',
    hint: 'Send `X-API-APP-ID`, `X-API-PUBLIC-KEY` and `X-API-SECRET-KEY` of one key, or `Authorization: Bearer` with its single-string form. The message says which of these headers the request had, and never why a key was refused. A revoked or expired key must be replaced; ask the center’s IT for a new one.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Forbidden',
    message: 'This key may not do this.',
    hint: 'The message names the missing scope and the field or endpoint that needs it. Request less, or ask the center’s IT for a key with that scope.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    message: 'Nothing was found at this address.',
    hint: 'Check the path, or the identifier in it. `GET /orders` also answers this when `startDate` or `endDate` is missing.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    message: 'This interface is read-only.',
    hint: 'Use GET or HEAD, as the `Allow` header says.',
  },
  GONE: {
    status: 410,
    title: 'Gone',
    message: 'The changes after this cursor are not known any more.',
    hint: 'Start again: ask `GET /changes` without `after` for a new cursor, read everything once, then follow from that cursor. Nothing you hold from before can be trusted to be complete.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limited',
    message: 'Too many requests.',
    hint: 'Wait for the seconds that `Retry-After` gives, then retry. `RateLimit` on every answer shows how many requests are left.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    message: 'Something went wrong on our side.',
    hint: 'Retry later. If the error persists, report the `requestId` to the center’s IT.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Unavailable',
    message: 'The service cannot answer right now.',
    hint: 'Wait for the seconds that `Retry-After` gives, then retry.',
  },
} as const

export type ErrorCode = keyof typeof ERROR_CATALOGUE
