/** Whether the process lives, and whether it can answer: for whatever starts it and sends it requests. */
import type { FastifyInstance } from 'fastify'
import { SharedRead } from '../access/shared-read.ts'
import { SECURITY_HEADERS } from '../answer/http-errors.ts'
import type { Database } from '../database/database.ts'

/**
 * `/health/live`: 200 as long as the process answers at all. `/health/ready`: 200 when the database answers,
 * else 503. Both public; neither says anything of any center.
 */
export function registerHealth(app: FastifyInstance, database: Pick<Database, 'ping'>): void {
  // Whoever asks has no key, and the connection that answers is the one that keys are read on: however many ask, one
  // question of theirs is on it.
  const pings = new SharedRead<true, true>(async () => {
    await database.ping()
    return new Map()
  })

  app.get('/health/live', { config: { public: true } }, async (_request, reply) =>
    reply.headers(SECURITY_HEADERS).send({ status: 'live' }),
  )

  app.get('/health/ready', { config: { public: true } }, async (_request, reply) => {
    reply.headers(SECURITY_HEADERS)
    try {
      await pings.read(true)
      return await reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'database unavailable' })
    }
  })
}
