/**
 * Allows web pages of configured origins to read the interface and to perform actions; by default none. Credentials are sent in headers, never
 * in cookies, so `Access-Control-Allow-Credentials` is never sent.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

const REQUEST_HEADERS =
  'Authorization, X-API-APP-ID, X-API-PUBLIC-KEY, X-API-SECRET-KEY, X-LOCALE, If-None-Match, Last-Event-ID, Sojourn-Channel'
const ACTION_HEADERS =
  'Authorization, X-API-APP-ID, X-API-PUBLIC-KEY, X-API-SECRET-KEY, X-LOCALE, Content-Type, Idempotency-Key'
const ANSWER_HEADERS =
  'Content-Language, Data-Received, ETag, Idempotency-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, Snapshot-Count, Snapshot-Cursor, Snapshot-Digest, X-Request-Id'

/** Ten minutes: after an origin is removed from the list, browsers soon learn of it. */
const PREFLIGHT_SECONDS = 600

/** Sets the headers for an allowed origin. @returns whether the request was a preflight, which is answered then */
export type Cors = (request: FastifyRequest, reply: FastifyReply) => boolean

/**
 * @param isAction whether a URL is that of an action, which accepts only POST
 * @returns undefined if no origin is configured
 */
export function createCors(origins: readonly string[], isAction: (url: string) => boolean): Cors | undefined {
  if (origins.length === 0) return undefined
  const allowed = new Set(origins)
  return (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return false
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', ANSWER_HEADERS)
    reply.header('cross-origin-resource-policy', 'cross-origin')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return false
    const acts = isAction(request.raw.url ?? '/')
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': acts ? 'POST' : 'GET, HEAD',
        'access-control-allow-headers': acts ? ACTION_HEADERS : REQUEST_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
        vary: 'Origin, Access-Control-Request-Method',
      })
      .send()
    return true
  }
}
