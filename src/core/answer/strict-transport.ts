/** Tells browsers to reach a service by TLS alone, if that is how its clients reach it. */
import type { FastifyInstance } from 'fastify'

/** A year, as the list of browsers asks for at least. */
const YEAR_SECONDS = 31_536_000

/** Of a service whose public address is https, every answer has the header; a browser ignores it over plain HTTP. */
export function requireTransportSecurity(app: FastifyInstance, publicUrl: string): void {
  if (!publicUrl.startsWith('https://')) return
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.setHeader('strict-transport-security', `max-age=${YEAR_SECONDS}; includeSubDomains`)
    done()
  })
}
