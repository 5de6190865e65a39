/**
 * The origin of the console, whose import page may send files. Without a proxy the console is at another port of the same
 * host, which is another origin to a browser. No cookies are involved: a page has to have a key.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** @returns whether a request's `Origin` is the console's */
export function createOwnOrigin(app: FastifyInstance): (request: FastifyRequest) => boolean {
  return (request) => {
    const { origin } = request.headers
    const page = origin === undefined ? null : URL.parse(origin)
    if (page === null) return false
    const own = app.publicUrl === '' ? null : URL.parse(app.publicUrl)
    if (own !== null) return page.origin === own.origin
    // Behind a proxy both are at one address; otherwise they differ in their ports alone.
    const here = URL.parse(`${page.protocol}//${request.host}`)
    if (here === null || page.hostname !== here.hostname) return false
    const port = (app.server.address() as AddressInfo | null)?.port
    return page.host === here.host || (page.protocol === 'http:' && portOf(page) === String(port))
  }
}

const portOf = ({ port }: URL) => (port === '' ? '80' : port)

const ALLOWED = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, X-LOCALE, Idempotency-Key',
  'access-control-max-age': '600',
  vary: 'Origin, Access-Control-Request-Method',
}

/** Sets the headers for the console's own origin. @returns whether the request was a preflight, which is answered then */
export const createIntakeCors =
  (isOwnOrigin: (request: FastifyRequest) => boolean) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { origin } = request.headers
    if (origin === undefined || !isOwnOrigin(request)) return false
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'Content-Disposition, Retry-After, X-Request-Id')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return false
    reply.code(204).headers(ALLOWED).send()
    return true
  }
