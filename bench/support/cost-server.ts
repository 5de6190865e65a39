/**
 * Answers a page of guests with some parts of the gate turned off, to measure what they cost. COST_WITHOUT names them:
 * scopes, limits, trail.
 */
import Fastify from 'fastify'
import { createGate } from '../../src/core/access/gate.ts'
import { createLimits, type Limits } from '../../src/core/access/limits.ts'
import { createCredentialLimits } from '../../src/core/access/limits-credentials.ts'
import { createMemoryLimits } from '../../src/core/access/limits-memory.ts'
import { createAnswerCache } from '../../src/core/answer/answer-cache.ts'
import { createCommitWaits } from '../../src/core/answer/commit-waits.ts'
import { createRequestHandler } from '../../src/core/answer/handle-request.ts'
import { createStreamSlots } from '../../src/core/answer/stream-slots.ts'
import { listGuests } from '../../src/core/api/guests/list-guests.ts'
import { createAudit } from '../../src/core/audit/audit.ts'
import { createChangeLog } from '../../src/core/changes/change-log.ts'
import { createDatabaseClock } from '../../src/core/database/clock.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { createDatabaseQueue } from '../../src/core/database/queue/database-queue.ts'

const without = new Set((process.env.COST_WITHOUT ?? '').split(','))
const cacheBytes = Number(process.env.COST_CACHE_BYTES)
const clock = Date.now

const database = openPostgres({
  connection: { connectionString: process.env.DATABASE_URL ?? '' },
  poolSize: 10,
  purpose: 'serve',
})
const app = Fastify({
  childLoggerFactory: (logger) => logger,
  routerOptions: { querystringParser: () => ({}) },
})

const limits = createLimits(createMemoryLimits(clock))
const noLimits: Limits = {
  ...limits,
  take: () => ({
    allowed: true,
    limitUse: { allowed: true, minuteUsed: 0, minuteEndsInMs: 0, hourUsed: 0, hourEndsInMs: 0 },
    policy: undefined,
    rateLimit: undefined,
    retryAfterSeconds: 0,
  }),
}
const databaseClock = createDatabaseClock(() => performance.now(), clock)
const gate = createGate({
  database,
  databaseClock,
  limits: without.has('limits') ? noLimits : limits,
  credentialLimits: createCredentialLimits({ perMinute: 30, clock }),
})
const audit = createAudit({
  database,
  clock: databaseClock.now,
  monotonic: () => performance.now(),
  required: true,
  graceSeconds: 30,
  log: app.log,
})
const handlerOf = createRequestHandler({
  gate: without.has('scopes') ? { ...gate, requireScopes() {} } : gate,
  cache: createAnswerCache({ bytesMax: cacheBytes, log: createChangeLog(database), clock: Date.now }),
  clock,
  database,
  queue: createDatabaseQueue(database.readsMax, undefined, database.togetherMax),
  streamSlots: createStreamSlots(4),
  commitWaits: createCommitWaits({ gate, monotonic: () => performance.now() }),
  brokenOff() {},
  recordRead: without.has('trail') ? () => {} : audit.record,
})
app.get('/v1/guests', handlerOf(listGuests))
process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)

process.on('SIGTERM', async () => {
  await app.close()
  await audit.close()
  await database.close()
})
