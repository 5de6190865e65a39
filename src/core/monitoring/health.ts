/** Health checks: whether the process is alive and whether it can answer. */
import type { FastifyInstance } from 'fastify'
import { SharedRead } from '../access/shared-read.ts'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import { isProbe, PROBE_HEADER, type Seen } from './probe.ts'

/**
 * `/health/live`: 200 if the process answers at all. `/health/ready`: 200 if the database answers, reads can be recorded in
 * the trail, and the service is not stopping, otherwise 503. Both are public and reveal nothing about any center.
 * @param audit the trail, without which every read is refused
 * @param token METRICS_TOKEN; `/health/live` tells a probe that is signed with it what the service sees of its request
 */
export function registerHealth(
  app: FastifyInstance,
  database: Pick<Database, 'ping'>,
  audit: Pick<Audit, 'isRefusing'> = { isRefusing: false },
  token?: string,
): void {
  // These requests have no key and share the connection on which keys are read. However many come, they run one
  // statement at a time on it.
  const pings = new SharedRead<true, true>(async () => {
    await database.ping()
    return new Map()
  })

  app.get('/health/live', { config: { public: true } }, async (request, reply) => {
    reply.headers(SECURITY_HEADERS)
    if (token === undefined || !isProbe(request.headers[PROBE_HEADER], token))
      return reply.send({ status: 'live' })
    const seen: Seen = { address: request.ip, scheme: request.protocol, host: request.host }
    return reply.header('cache-control', 'no-store').send({ status: 'live', seen })
  })

  app.get('/health/ready', { config: { public: true } }, async (_request, reply) => {
    reply.headers(SECURITY_HEADERS)
    if (app.stopping.state !== 'serving')
      return reply.code(503).header('retry-after', '2').send({ status: 'stopping' })
    if (audit.isRefusing)
      return reply.code(503).header('retry-after', '2').send({ status: 'audit trail cannot be written' })
    try {
      await pings.read(true)
      return await reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'database unavailable' })
    }
  })
}
