/**
 * Allows web pages of configured origins to read the interface and to perform actions; by default none. Credentials are sent in headers, never
 * in cookies, so `Access-Control-Allow-Credentials` is never sent.
 */
import type { FastifyInstance } from 'fastify'

const REQUEST_HEADERS =
  'Authorization, X-API-APP-ID, X-API-PUBLIC-KEY, X-API-SECRET-KEY, X-LOCALE, If-None-Match, Last-Event-ID, Sojourn-Channel'
const ACTION_HEADERS =
  'Authorization, X-API-APP-ID, X-API-PUBLIC-KEY, X-API-SECRET-KEY, X-LOCALE, Content-Type, Idempotency-Key'
const ANSWER_HEADERS =
  'Content-Language, ETag, Idempotency-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, Snapshot-Count, Snapshot-Cursor, Snapshot-Digest, X-Request-Id'

/** Ten minutes: after an origin is removed from the list, browsers soon learn of it. */
const PREFLIGHT_SECONDS = 600

/**
 * Must be registered before the hook that refuses methods, because a preflight is an OPTIONS request.
 * @param isAction whether a URL is that of an action, which accepts only POST
 */
export function registerCors(
  app: FastifyInstance,
  origins: readonly string[],
  isAction: (url: string) => boolean,
): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return done()
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', ANSWER_HEADERS)
    reply.header('cross-origin-resource-policy', 'cross-origin')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return done()
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
  })
}
