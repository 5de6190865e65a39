/** HAProxy's own errors in the format of all others: what its settings in `deploy/` say, made from the catalogue. */
import { ApiError, errorBody } from '../../src/core/errors/api-error.ts'
import type { ErrorCode } from '../../src/core/errors/catalogue.ts'

interface OwnError {
  readonly code: ErrorCode
  readonly message: string
  /** seconds */
  readonly retryAfter?: number
}

/** By status, of those that HAProxy answers with by itself. */
const OWN: Readonly<Record<number, OwnError>> = {
  400: { code: 'INVALID_PARAMETER', message: 'The request is not well-formed HTTP.' },
  408: { code: 'INVALID_PARAMETER', message: 'The request did not arrive in time.' },
  500: { code: 'INTERNAL', message: 'The proxy failed to answer this request.' },
  502: {
    code: 'UNAVAILABLE',
    message: 'The service ended while it answered: repeat the request.',
    retryAfter: 2,
  },
  503: {
    code: 'UNAVAILABLE',
    message: 'No instance of the service is available: repeat the request.',
    retryAfter: 2,
  },
  504: {
    code: 'UNAVAILABLE',
    message: 'The service did not answer in time: repeat the request.',
    retryAfter: 2,
  },
}

const bodyOf = ({ code, message }: OwnError, requestId: string): string =>
  JSON.stringify(errorBody(new ApiError(code, { message }), requestId, ''))

/** The lines of the section `defaults`. */
export const haproxyErrors = (): string[] =>
  Object.entries(OWN).map(([status, error]) => {
    const retry = error.retryAfter === undefined ? '' : ` hdr retry-after ${error.retryAfter}`
    return `  http-error status ${status} content-type "application/json; charset=utf-8" lf-string '${bodyOf(error, '%ID')}'${retry} hdr x-request-id "%ID"`
  })

/** The body in haproxy-not-http.lua, as parts of a text in Lua around the identifier. */
export const notHttpBody = (): string => {
  const [before, after] = bodyOf(OWN[400] as OwnError, '%ID').split('%ID')
  return `'${before}' .. id .. '${after}'`
}
