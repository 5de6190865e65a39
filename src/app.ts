/** Every route, in reading order; the one file that knows every room. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Database } from './database/database.ts'
import { errors } from './errors/api-error.ts'
import { createFreshness, type Freshness, matchesEtag, type StoredAnswer } from './gate/freshness.ts'
import { createGate, type Gate } from './gate/gate.ts'
import { answerClientError, SECURITY_HEADERS, sendError } from './gate/http-errors.ts'
import { createLimits } from './gate/limits.ts'
import { createCredentialLimits, DEFAULT_FAILED_CREDENTIALS_PER_MINUTE } from './gate/limits-credentials.ts'
import { openLimitStore } from './gate/limits-store.ts'
import type { Answer, Operation, RequestContext } from './gate/operation.ts'
import { pageLinks } from './gate/paging.ts'
import { type RawQuery, readRawQuery } from './gate/parameters.ts'
import { listGuests } from './guests/list-guests.ts'
import { localDateOf } from './locale/zones.ts'
import { mealSkippingReport } from './meals/meal-skipping-report.ts'
import { registerReference } from './openapi/register-reference.ts'
import { getOrder } from './orders/get-order.ts'
import { listOrders } from './orders/list-orders.ts'
import { listSessions } from './sessions/list-sessions.ts'

/** The interface, in the order of its document. */
export const OPERATIONS: readonly Operation[] = [
  listGuests,
  mealSkippingReport,
  listOrders,
  getOrder,
  listSessions,
]

export interface AppOptions {
  readonly database: Database
  /** epoch milliseconds */
  readonly clock?: () => number
  readonly logLevel?: string
  /** addresses and ranges whose `X-Forwarded-For` is believed */
  readonly trustedProxies?: readonly string[]
  /** bound of the answers kept in memory, in bytes; 0 keeps none */
  readonly answerCacheBytes?: number
  /** where requests are counted: `memory`, or the address of a Redis or Valkey that instances share */
  readonly rateLimitStore?: string
  /** wrong credentials a minute that an address may send */
  readonly failedCredentialsPerMinute?: number
}

const DEFAULT_ANSWER_CACHE_BYTES = 64 * 1024 * 1024

/** The service, ready to listen or to be asked with `inject`. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const clock = options.clock ?? Date.now
  const freshness = createFreshness(options.answerCacheBytes ?? DEFAULT_ANSWER_CACHE_BYTES)

  const app = Fastify({
    logger: { level: options.logLevel ?? 'info' },
    disableRequestLogging: true,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: options.trustedProxies === undefined ? false : [...options.trustedProxies],
    // Defaults leave slow headers open for 89 s and slow bodies beyond 130 s; these close them at 5 and 10 s.
    requestTimeout: 10_000,
    keepAliveTimeout: 5000,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000 },
    routerOptions: {
      // Longer than any identifier, so that a long one is the operation's 400 and not the router's.
      maxParamLength: 8192,
      // Query parameters are read from the URL by gate/parameters.ts, which sees what was repeated or empty.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
  })

  const limits = createLimits(
    await openLimitStore(options.rateLimitStore ?? 'memory', { clock, log: app.log }),
  )
  app.addHook('onClose', () => limits.close())
  const credentialLimits = createCredentialLimits({
    perMinute: options.failedCredentialsPerMinute ?? DEFAULT_FAILED_CREDENTIALS_PER_MINUTE,
    clock,
  })
  const gate = createGate({ database: options.database, clock, limits, credentialLimits })

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))

  // Before anything reads a body: GET and HEAD only, and a body that comes all the same is never read.
  app.addHook('onRequest', async (request, reply) => {
    const { method, headers } = request.raw
    if (method !== 'GET' && method !== 'HEAD') await refuseMethod(gate, request, reply)
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      reply.header('connection', 'close')
    }
  })
  app.setNotFoundHandler(async () => {
    throw errors.notFound('There is nothing at this path; the documentation lists all of them.')
  })

  for (const operation of OPERATIONS) {
    for (const path of operation.paths) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      const handler = answerWith(operation, { gate, freshness, clock, database: options.database })
      app.get(`/v1${url}`, handler)
      app.get(url, handler)
    }
  }
  registerReference(app, OPERATIONS)
  return app
}

const INTERFACE_PATHS = OPERATIONS.flatMap((operation) =>
  operation.paths.map((path) => new RegExp(`^(/v1)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)),
)

/** 405 on an interface path, after authentication; 404 elsewhere (ruling 2). */
async function refuseMethod(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  const path = pathOf(request.raw.url ?? '/')
  if (!INTERFACE_PATHS.some((pattern) => pattern.test(path))) throw errors.notFound()
  await gate.authenticate(request, reply)
  throw errors.methodNotAllowed()
}

interface Rooms {
  readonly gate: Gate
  readonly freshness: Freshness
  readonly clock: () => number
  readonly database: Database
}

/** The walk of a request: gate → parse → kept answer or SQL → present → answer. */
function answerWith(operation: Operation, rooms: Rooms) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const url = request.raw.url ?? '/'
    const query = readRawQuery(url)
    const { key, center, language } = await rooms.gate.admit(request, reply, operation, query)
    const today = localDateOf(center.timezone, rooms.clock())
    const context: RequestContext = {
      center,
      language,
      today,
      query,
      // Fastify types the values of a path's placeholders no closer than this.
      pathParameters: request.params as Record<string, string>,
    }
    const prepared = operation.parse(context)

    const answerKey = {
      center: center.id,
      today,
      language,
      operation: operation.name,
      normalForm: prepared.normalForm,
    }
    const etag = rooms.freshness.etag(answerKey, key.revision)
    const kept = rooms.freshness.get(etag)
    reply.headers({ ...SECURITY_HEADERS, 'content-language': language, 'x-request-id': request.id })
    if (kept !== undefined) return sendAnswer(kept, { request, reply, url, query })

    const answer = await prepared.answer(rooms.database)
    if (typeof answer.body !== 'string') {
      return reply.type(JSON_TYPE).send(Readable.from(answer.body, { objectMode: false }))
    }
    // The answer shows the revision it was read at, which may be newer than the one the gate saw.
    const stored = { ...answer, body: answer.body, etag: rooms.freshness.etag(answerKey, answer.revision) }
    rooms.freshness.store(stored)
    return sendAnswer(stored, { request, reply, url, query })
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

function sendAnswer(
  answer: StoredAnswer,
  {
    request,
    reply,
    url,
    query,
  }: { request: FastifyRequest; reply: FastifyReply; url: string; query: RawQuery },
): FastifyReply {
  reply.header('etag', answer.etag)
  addLinks(answer, reply, url, query)
  if (matchesEtag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
  return reply.type(JSON_TYPE).send(answer.body)
}

function addLinks(answer: Answer, reply: FastifyReply, url: string, query: RawQuery): void {
  if (answer.page !== undefined) reply.header('link', pageLinks(pathOf(url), query, answer.page))
}

function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}
