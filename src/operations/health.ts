/** Whether the process lives, and whether it can answer: for whatever starts it and sends it requests. */
import type { FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import type { Database } from '../database/database.ts'

/**
 * `/health/live`: 200 as long as the process answers at all. `/health/ready`: 200 when the database answers,
 * else 503. Both public; neither says anything of any center.
 */
export function registerHealth(app: FastifyInstance, database: Database): void {
  app.get('/health/live', { config: { public: true } }, async (_request, reply) =>
    reply.headers(SECURITY_HEADERS).send({ status: 'live' }),
  )

  app.get('/health/ready', { config: { public: true } }, async (_request, reply) => {
    reply.headers(SECURITY_HEADERS)
    try {
      await database.ping()
      return await reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'database unavailable' })
    }
  })
}
