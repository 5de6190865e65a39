import type { FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import { DAY_MS } from '../locale/civil.ts'

/** Half a year: RFC 9116 recommends less than a year, so that an outdated contact expires. */
const VALID_DAYS = 182

/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. Registered only if a contact is set. */
export function registerSecurityTxt(app: FastifyInstance, contact: string, clock: () => number): void {
  app.get('/.well-known/security.txt', { config: { public: true } }, async (_request, reply) => {
    const expires = new Date(clock() + VALID_DAYS * DAY_MS).toISOString()
    return reply
      .headers(SECURITY_HEADERS)
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`)
  })
}
