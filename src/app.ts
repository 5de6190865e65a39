/** Builds the service: all routes in reading order, those of the core and of the parts that `parts.ts` lists. */
import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { addressesWithin } from './core/access/addresses.ts'
import { createGate } from './core/access/gate.ts'
import { createLimits } from './core/access/limits.ts'
import { createCredentialLimits } from './core/access/limits-credentials.ts'
import { openLimitStore } from './core/access/limits-store.ts'
import { createAnswerCache } from './core/answer/answer-cache.ts'
import { createCommitWaits } from './core/answer/commit-waits.ts'
import { createEarlyRefusals } from './core/answer/early-refusals.ts'
import { createEventStreams } from './core/answer/event-streams.ts'
import { createRequestHandler } from './core/answer/handle-request.ts'
import { answerClientError, refuseExpectation, refuseTunnel, sendError } from './core/answer/http-errors.ts'
import { createRequestIds } from './core/answer/request-ids.ts'
import { interfacePathsOf, pathsOf, refuseUnscopedRoute, registerOperations } from './core/answer/routes.ts'
import type { BrokenOff } from './core/answer/stream.ts'
import { createStreamSlots } from './core/answer/stream-slots.ts'
import { requireTransportSecurity } from './core/answer/strict-transport.ts'
import { pruneActionAnswers } from './core/api/actions/prune-answers.ts'
import { serveActions } from './core/api/actions/serve-actions.ts'
import type { AppOptions } from './core/app-options.ts'
import { createAudit } from './core/audit/audit.ts'
import { createPruner } from './core/audit/prune-trail.ts'
import { pruneRefusals } from './core/audit/refusals/prune-refusals.ts'
import { createRefusalRecord, noteRefusal } from './core/audit/refusals/record-refusals.ts'
import { openWaitingFile } from './core/audit/write/waiting-file.ts'
import { createChangeLog } from './core/changes/change-log.ts'
import { readConfig } from './core/config/config.ts'
import { printersOf } from './core/config/printers.ts'
import { clockDifference, createDatabaseClock } from './core/database/clock.ts'
import type { Database } from './core/database/database.ts'
import { createDatabaseQueue } from './core/database/queue/database-queue.ts'
import { completeRewrites } from './core/database/schema/rewrite-files.ts'
import { errors } from './core/errors/api-error.ts'
import { pruneDeliveryAnswers } from './core/intake/port/idempotency.ts'
import { isIntake } from './core/intake/port/intake-server.ts'
import { createIntakeCors, createOwnOrigin } from './core/intake/port/same-origin.ts'
import { pruneImports } from './core/intake/prune-imports.ts'
import { createCors } from './core/monitoring/cors.ts'
import { diskFreeBytes } from './core/monitoring/disk-free.ts'
import { registerHealth } from './core/monitoring/health.ts'
import { registerMemoryWatch } from './core/monitoring/memory-watch.ts'
import { createMetrics } from './core/monitoring/metrics.ts'
import { failedDailyWork, onceADay } from './core/monitoring/once-a-day.ts'
import { registerSecurityTxt } from './core/monitoring/security-txt.ts'
import { serveMetrics } from './core/monitoring/serve-metrics.ts'
import { addServiceMetrics } from './core/monitoring/service-metrics.ts'
import type { Tracing } from './core/monitoring/tracing.ts'
import type { Service } from './core/part.ts'
import { actionPath } from './core/request/action.ts'
import { boundConnections } from './core/request/connections/connections.ts'
import { registerStopping } from './core/request/connections/stopping.ts'
import { pathOf } from './core/request/parameters.ts'
import { ACTIONS, OPERATIONS, PARTS, STREAMS } from './parts.ts'

/** Of settings that are left out. */
const DEFAULTS = readConfig({})

/** The whole import, which only a service with an intake port needs. */
const loadIntake = () => import('./core/intake/port/serve-intake.ts')

/** Builds the service, ready to listen or to be called with `inject`. */
export async function buildApp(given: AppOptions): Promise<FastifyInstance> {
  const { tracing } = given
  const options = tracing ? traced(given, tracing) : given
  const {
    operations = OPERATIONS,
    actions = ACTIONS,
    clock = Date.now,
    publicUrl = '',
    trustedProxies = [],
  } = options
  const isTrustedProxy = addressesWithin(trustedProxies)
  const givenIds = createRequestIds(trustedProxies.length > 0 ? isTrustedProxy : () => false)
  const requestIds = tracing?.ids(givenIds) ?? givenIds
  const app = Fastify({
    logger: {
      level: options.logLevel ?? 'info',
      ...(options.logStream === undefined ? {} : { stream: options.logStream }),
    },
    // A log line per request would cost more than the answer. Who read what is in the audit trail.
    logController: new LogController({ disableRequestLogging: true }),
    // All requests share one logger. Log entries contain the request's identifier themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIds.idOf,
    requestIdHeader: false,
    // Fastify's own list of proxies accepts no addresses with a port.
    trustProxy: trustedProxies.length > 0 ? isTrustedProxy : false,
    // By default, slow headers stay open for 89 s and slow bodies beyond 130 s; these settings close them after 5 and
    // 10 s.
    requestTimeout: 10_000,
    keepAliveTimeout: 5000,
    // A missing Host is refused by our own check, with the usual error body.
    // What arrives while the service closes is refused with our own error (request/connections/stopping.ts).
    return503OnClosing: false,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    routerOptions: {
      // As long as Node's limit for headers, so that the operation answers a long identifier with a 400.
      maxParamLength: 16_384,
      // request/parameters.ts reads the query from the URL, because it must see repeated and empty parameters.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => void refusals.refuseBadPath(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, publicUrl),
  })

  boundConnections(app.server, {
    connectionsMax: options.connectionsMax,
    isShared: isTrustedProxy,
    ...options.connectionBounds,
  })

  app.server.on('checkExpectation', (request, response) => refuseExpectation(request, response, app))
  app.server.on('connect', (request, socket) => refuseTunnel(request, socket, app))

  const limits = createLimits(
    await openLimitStore(options.rateLimitStore ?? DEFAULTS.rateLimitStore, { clock, log: app.log }),
  )
  app.addHook('onClose', () => limits.close())
  const credentialLimits = createCredentialLimits({
    perMinute: options.failedCredentialsPerMinute ?? DEFAULTS.failedCredentialsPerMinute,
    clock,
  })
  const monotonic = options.monotonic ?? options.clock ?? performance.now.bind(performance)
  const databaseClock = createDatabaseClock(monotonic, clock)
  const ownGate = createGate({ database: options.database, databaseClock, limits, credentialLimits })
  const gate = tracing?.gate(ownGate) ?? ownGate
  tracing?.watchRequests(app)
  if (options.compareClocks) {
    app.addHook('onReady', async () => void warnOfClock(app, options.database, clock))
  }

  // Declared here so that all requests have the same hidden class.
  app.decorateRequest('asker', null)
  app.decorateRequest('notAdmitted', null)
  app.decorateRequest('link', null)
  app.decorateRequest('inside', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('sentBytes', 0)
  app.decorate('publicUrl', publicUrl)
  app.decorate('requestIds', requestIds)
  requireTransportSecurity(app, publicUrl)
  registerStopping(app)
  const memory = registerMemoryWatch(app, options.memory)
  const refused = createRefusalRecord({
    database: options.database,
    clock: databaseClock.now,
    log: app.log,
    flushMs: options.usageFlushMs,
  })
  app.addHook('onClose', () => refused.close())
  app.setErrorHandler((error, request, reply) => {
    sendError(error, request, reply)
    noteRefusal(refused, request)
    return reply
  })
  app.addHook('onRoute', refuseUnscopedRoute)
  const isOwnOrigin = createOwnOrigin(app)
  const actionPaths = [...PARTS.flatMap(({ actionPaths = [] }) => actionPaths), ...actions.map(actionPath)]
  const isActionPath = interfacePathsOf(actionPaths.map((path) => ({ paths: [path] })))
  const refusals = createEarlyRefusals({
    gate,
    stopping: app.stopping,
    memory,
    cors: createCors(options.corsOrigins ?? [], isActionPath),
    intakeCors: options.intake?.files === undefined ? undefined : createIntakeCors(isOwnOrigin),
    isInterfacePath: interfacePathsOf([...operations, ...STREAMS]),
    messagesPath: options.mcp
      ? PARTS.find(({ messagesPath }) => messagesPath !== undefined)?.messagesPath
      : undefined,
    isDelivery: options.intake === undefined ? () => false : isIntake,
    isActionPath,
  })
  app.addHook('onRequest', refusals.checkRequest)
  const knownPaths = [
    ...pathsOf([...operations, ...STREAMS]),
    ...actions.map((action) => `/v1${actionPath(action)}`),
  ]
  app.setNotFoundHandler(async ({ url }) => {
    throw errors.noSuchPath(pathOf(url), knownPaths)
  })

  const audit = createAudit({
    database: options.database,
    clock: databaseClock.now,
    monotonic,
    required: options.auditRequired ?? DEFAULTS.auditRequired,
    graceSeconds: options.auditGraceSeconds ?? DEFAULTS.auditGraceSeconds,
    log: app.log,
    waitingFile: options.auditFolder === undefined ? undefined : openWaitingFile(options.auditFolder),
  })
  app.addHook('onClose', () => audit.close())
  const pruning =
    options.auditDays === undefined
      ? undefined
      : createPruner({ database: options.database, days: options.auditDays, log: app.log })
  if (pruning !== undefined) onceADay(app, 'the audit trail', pruning.prune)

  const prunings = [
    ['the log of imports', options.importsDays, pruneImports],
    ['records of refused requests', options.refusalsDays, pruneRefusals],
  ] as const
  for (const [what, days, prune] of prunings) {
    if (days !== undefined) onceADay(app, what, () => prune(options.database, days))
  }

  onceADay(app, 'answers to actions', () => pruneActionAnswers(options.database))

  const metrics = createMetrics(app)
  const interrupted: BrokenOff[] = []
  const service: Service = {
    app,
    options,
    database: options.database,
    gate,
    clock,
    databaseClock: databaseClock.now,
    metrics,
    onBrokenOff: (report) => void interrupted.push(report),
  }
  for (const { start } of PARTS) start?.(service)

  const queue = createDatabaseQueue(options.database.readsMax, undefined, options.database.togetherMax)
  const ownCache = createAnswerCache({
    bytesMax: (options.answerCacheMb ?? DEFAULTS.answerCacheMb) * 1024 * 1024,
    log: createChangeLog(options.database),
    clock,
  })
  const cache = tracing?.cache(ownCache) ?? ownCache
  const commitWaits = createCommitWaits({ gate, monotonic, lookEveryMs: options.lookEveryMs })
  const answering = {
    gate,
    clock,
    database: options.database,
    replicas: options.replicas,
    queue,
    commitWaits,
    recordRead: audit.record,
    brokenOff: ((request, reply) => {
      for (const report of interrupted) report(request, reply)
    }) satisfies BrokenOff,
  }
  const streamSlots = createStreamSlots(options.database.streamsMax)
  const eventStreams = createEventStreams({ ...answering, publicUrl, streamsMax: options.eventStreamsMax })
  app.addHook('preClose', async () => {
    eventStreams.close()
    commitWaits.close()
  })

  const intake = options.intake && (await loadIntake()).serveIntake(app, gate, queue, options.intake)
  if (options.intake?.files !== undefined) {
    const { serveFiles } = await import('./core/intake/port/serve-files.ts')
    const { database, folder, files } = options.intake
    serveFiles(app, gate, { database, folder, clock, isOwnOrigin, ...files })
  }
  if (intake !== undefined)
    onceADay(app, 'answers to deliveries', () => pruneDeliveryAnswers(options.database))

  addServiceMetrics(metrics, {
    cacheNumbers: () => cache.numbers,
    limits: limits.numbers,
    credentialLimits,
    audit: audit.numbers,
    queue: queue.numbers,
    poolWaits: options.database.poolWaits,
    revisionReads: gate.revisionReads,
    streams: {
      longLists: () => streamSlots.taken,
      changes: () => eventStreams.open,
      waiting: () => commitWaits.slots.taken,
    },
    pruning: pruning?.numbers,
    isShortOfMemory: () => memory.isShort,
    diskFreeBytes: options.auditFolder === undefined ? undefined : diskFreeBytes(options.auditFolder),
    failedDailyWork: () => failedDailyWork(app),
    replicas: options.replicas?.numbers,
    intake,
  })
  const access = { token: options.metricsToken, isClosed: options.metrics === 'closed' }
  serveMetrics(app, metrics.registry, access, monotonic, options.metricsEveryMs)

  const handlerOf = createRequestHandler({
    ...answering,
    cache,
    streamSlots,
    readmitEveryMs: options.readmitEveryMs,
  })
  registerOperations(app, operations, handlerOf)
  registerOperations(app, STREAMS, eventStreams.handlerOf)
  serveActions(app, {
    gate,
    database: options.database,
    actions,
    origins: options.corsOrigins ?? [],
    clock,
    settings: {
      random: randomBytes,
      keyDaysMax: options.keyDaysMax,
      publicUrl,
      operations,
      webhooksKey: options.webhooksKey,
      webhooksAllowedAddresses: options.webhooksAllowedAddresses ?? [],
      printers: printersOf(options.reportsPrinters ?? []),
      completeErasure: options.completeErasure ?? (() => completeRewrites(options.database)),
    },
  })
  const serving = { ...service, operations, streams: STREAMS, actions, publicUrl, handlerOf }
  for (const { serve } of PARTS) serve?.(serving)
  registerHealth(app, options.database, audit, options.metricsToken)
  if (options.securityContact !== undefined) registerSecurityTxt(app, options.securityContact, clock)
  return app
}

/** The same options with databases whose statements have spans. */
function traced(options: AppOptions, tracing: Tracing): AppOptions {
  const { database, replicas, intake } = options
  return {
    ...options,
    database: tracing.database(database),
    replicas: replicas && tracing.replicas(replicas),
    intake: intake && { ...intake, database: tracing.database(intake.database) },
  }
}

/** Runs in the background. If the database does not answer now, that is reported elsewhere. */
async function warnOfClock(app: FastifyInstance, database: Database, clock: () => number): Promise<void> {
  const sentence = await clockDifference(database, clock).catch(() => undefined)
  if (sentence !== undefined) app.log.warn(sentence)
}
