/** Builds the service: all routes in reading order. The only file that knows every part. */
import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { addressesWithin } from './access/addresses.ts'
import { createGate } from './access/gate.ts'
import { createLimits } from './access/limits.ts'
import { createCredentialLimits } from './access/limits-credentials.ts'
import { openLimitStore } from './access/limits-store.ts'
import { createSharedCredentialLimits } from './access/shared-counters.ts'
import { createAnswerCache } from './answer/answer-cache.ts'
import { createCommitWaits } from './answer/commit-waits.ts'
import { createEarlyRefusals } from './answer/early-refusals.ts'
import { createEventStreams } from './answer/event-streams.ts'
import { createRequestHandler } from './answer/handle-request.ts'
import { answerClientError, refuseExpectation, refuseTunnel, sendError } from './answer/http-errors.ts'
import { createRequestIds } from './answer/request-ids.ts'
import { interfacePathsOf, pathsOf, refuseUnscopedRoute, registerOperations } from './answer/routes.ts'
import type { BrokenOff } from './answer/stream.ts'
import { createStreamSlots } from './answer/stream-slots.ts'
import { requireTransportSecurity } from './answer/strict-transport.ts'
import { pruneActionAnswers } from './api/actions/prune-answers.ts'
import { serveActions } from './api/actions/serve-actions.ts'
import { listChanges } from './api/changes/list-changes.ts'
import { streamChanges } from './api/changes/stream-changes.ts'
import { dismissContradiction } from './api/contradictions/dismiss-contradiction.ts'
import { listContradictions } from './api/contradictions/list-contradictions.ts'
import { startContradictions } from './api/contradictions/start-contradictions.ts'
import { guestArrivals } from './api/guests/guest-arrivals.ts'
import { listGuests } from './api/guests/list-guests.ts'
import { matchGuests } from './api/guests/match-guests.ts'
import { createGetMe } from './api/me/get-me.ts'
import { listFields } from './api/me/list-fields.ts'
import { acknowledgeChanges } from './api/meals/acknowledge-changes.ts'
import { confirmSheet } from './api/meals/confirm-sheet.ts'
import { mealPortions } from './api/meals/meal-portions.ts'
import { mealSheet } from './api/meals/meal-sheets.ts'
import { mealSkippingReport } from './api/meals/meal-skipping-report.ts'
import { pruneSheets } from './api/meals/prune-sheets.ts'
import { storeSheet } from './api/meals/store-sheet.ts'
import { createCutOffTaker, takeCutOffsEachMinute } from './api/meals/take-cut-offs.ts'
import { getOrder } from './api/orders/get-order.ts'
import { listOrders } from './api/orders/list-orders.ts'
import { orderControl } from './api/orders/order-control.ts'
import { listRooms } from './api/rooms/list-rooms.ts'
import { search } from './api/search/search.ts'
import { listSessions } from './api/sessions/list-sessions.ts'
import { sessionCalendar } from './api/sessions/session-calendar.ts'
import { listSources } from './api/sources/list-sources.ts'
import type { AppOptions } from './app-options.ts'
import { createAudit } from './audit/audit.ts'
import { createPruner } from './audit/prune-trail.ts'
import { pruneRefusals } from './audit/refusals/prune-refusals.ts'
import { createRefusalRecord, noteRefusal } from './audit/refusals/record-refusals.ts'
import { openWaitingFile } from './audit/waiting-file.ts'
import { createChangeLog } from './changes/change-log.ts'
import { pruneChanges } from './changes/prune-changes.ts'
import { readConfig } from './config/config.ts'
import { clockDifference, createDatabaseClock } from './database/clock.ts'
import type { Database } from './database/database.ts'
import { createDatabaseQueue } from './database/database-queue.ts'
import { completeRewrites } from './database/rewrite-files.ts'
import { errors } from './errors/api-error.ts'
import { addReportAction } from './extras/administration/add-report.ts'
import { addWebhookAction } from './extras/administration/add-webhook.ts'
import { createDeviceLinkAction } from './extras/administration/create-device-link.ts'
import { createKeyAction } from './extras/administration/create-key.ts'
import { createLinkAction } from './extras/administration/create-link.ts'
import { describeKeyAction } from './extras/administration/describe-key.ts'
import { getSettings } from './extras/administration/get-settings.ts'
import { listCenterSources } from './extras/administration/list-center-sources.ts'
import { listDevices } from './extras/administration/list-devices.ts'
import { createListKeys } from './extras/administration/list-keys.ts'
import { createListLinks } from './extras/administration/list-links.ts'
import { listReads } from './extras/administration/list-reads.ts'
import { createListReports } from './extras/administration/list-reports.ts'
import { listWebhooks } from './extras/administration/list-webhooks.ts'
import { removeReportAction } from './extras/administration/remove-report.ts'
import { removeSourceAction } from './extras/administration/remove-source.ts'
import { removeWebhookAction } from './extras/administration/remove-webhook.ts'
import { revokeDeviceLinkAction } from './extras/administration/revoke-device-link.ts'
import { revokeKeyAction } from './extras/administration/revoke-key.ts'
import { revokeLinkAction } from './extras/administration/revoke-link.ts'
import { rotateKeyAction } from './extras/administration/rotate-key.ts'
import { runReportAction } from './extras/administration/run-report.ts'
import { setCenterAction } from './extras/administration/set-center.ts'
import { setDietAction } from './extras/administration/set-diet.ts'
import { setNoticeAddressesAction } from './extras/administration/set-notice-addresses.ts'
import { setSourceAction } from './extras/administration/set-source.ts'
import { testWebhookAction } from './extras/administration/test-webhook.ts'
import { assistants } from './extras/assistants/extra.ts'
import { ASSISTANTS_PATH } from './extras/assistants/serve-assistants.ts'
import { console } from './extras/console/extra.ts'
import { erasePerson } from './extras/data-rights/erase-person.ts'
import { findPerson } from './extras/data-rights/find-person.ts'
import { showPerson } from './extras/data-rights/show-person.ts'
import { devices } from './extras/devices/extra.ts'
import { SIGN_IN_DEVICE_PATH } from './extras/devices/serve-devices.ts'
import type { Extra, Service } from './extras/extra.ts'
import { guide } from './extras/guide/extra.ts'
import { links } from './extras/links/extra.ts'
import { notices } from './extras/notices/extra.ts'
import { reference } from './extras/openapi/extra.ts'
import { printersOf } from './extras/reports/destinations/to-printer.ts'
import { reports } from './extras/reports/extra.ts'
import { usage } from './extras/usage/extra.ts'
import { getUsage } from './extras/usage/get-usage.ts'
import { webhooks } from './extras/webhooks/extra.ts'
import { pruneDeliveryAnswers } from './intake/port/idempotency.ts'
import { isIntake } from './intake/port/intake-server.ts'
import { createIntakeCors, createOwnOrigin } from './intake/port/own-origin.ts'
import { pruneImports } from './intake/prune-imports.ts'
import { createCors } from './monitoring/cors.ts'
import { diskFreeBytes } from './monitoring/disk-free.ts'
import { registerHealth } from './monitoring/health.ts'
import { registerMemoryWatch } from './monitoring/memory-watch.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { failedDailyWork, onceADay } from './monitoring/once-a-day.ts'
import { registerSecurityTxt } from './monitoring/security-txt.ts'
import { serveMetrics } from './monitoring/serve-metrics.ts'
import { addServiceMetrics } from './monitoring/service-metrics.ts'
import { type Action, actionPath } from './request/action.ts'
import { boundConnections } from './request/connections/connections.ts'
import { registerStopping } from './request/connections/stopping.ts'
import type { Operation } from './request/operation.ts'
import { pathOf } from './request/parameters.ts'
import type { StreamOperation } from './request/stream-operation.ts'
import type { Tracing } from './tracing/tracing.ts'

/** What a key may do: each operation and action with its scope. */
const scoped = () => [...OPERATIONS, ...ACTIONS]

/** The operations of the interface in the order of its specification, then the additional ones. */
export const OPERATIONS: readonly Operation[] = [
  listGuests,
  mealSkippingReport,
  listOrders,
  getOrder,
  orderControl,
  listSessions,
  listRooms,
  mealPortions,
  mealSheet,
  sessionCalendar,
  guestArrivals,
  matchGuests,
  search,
  listContradictions,
  listChanges,
  listSources,
  createListKeys(scoped),
  listDevices,
  getSettings,
  createListLinks(() => OPERATIONS),
  listCenterSources,
  createListReports(() => OPERATIONS),
  listWebhooks,
  listReads,
  getUsage,
  createGetMe(scoped),
  listFields,
]

/** The streaming operations. */
export const STREAMS: readonly StreamOperation[] = [streamChanges]

/** The actions (ruling 48). */
export const ACTIONS: readonly Action[] = [
  storeSheet,
  confirmSheet,
  acknowledgeChanges,
  dismissContradiction,
  createKeyAction,
  describeKeyAction,
  rotateKeyAction,
  revokeKeyAction,
  createDeviceLinkAction,
  revokeDeviceLinkAction,
  createLinkAction,
  revokeLinkAction,
  setSourceAction,
  removeSourceAction,
  setNoticeAddressesAction,
  setCenterAction,
  setDietAction,
  addReportAction,
  runReportAction,
  removeReportAction,
  addWebhookAction,
  testWebhookAction,
  removeWebhookAction,
  findPerson,
  showPerson,
  erasePerson,
]

/** Of settings that are left out. */
const DEFAULTS = readConfig({})

/** What the service can do without, in the order in which it is started and its routes are added. */
export const EXTRAS: readonly Extra[] = [
  usage,
  webhooks,
  notices,
  links,
  devices,
  reports,
  assistants,
  reference,
  guide,
  console,
]

/** The whole import, which only a service with an intake port needs. */
const loadIntake = () => import('./intake/port/serve-intake.ts')

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

  // With several processes, one counts for all.
  const shared = options.processes?.counters
  const limits = createLimits(
    await openLimitStore(options.rateLimitStore ?? DEFAULTS.rateLimitStore, {
      clock,
      log: app.log,
      shared,
    }),
  )
  app.addHook('onClose', () => limits.close())
  const credentialLimits = shared
    ? createSharedCredentialLimits(shared)
    : createCredentialLimits({
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
  const actionPaths = [SIGN_IN_DEVICE_PATH, ...actions.map(actionPath)]
  const isActionPath = interfacePathsOf(actionPaths.map((path) => ({ paths: [path] })))
  const refusals = createEarlyRefusals({
    gate,
    stopping: app.stopping,
    memory,
    cors: createCors(options.corsOrigins ?? [], isActionPath),
    intakeCors: options.intake?.files === undefined ? undefined : createIntakeCors(isOwnOrigin),
    isInterfacePath: interfacePathsOf([...operations, ...STREAMS]),
    messagesPath: options.mcp ? ASSISTANTS_PATH : undefined,
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
    ['recorded changes', options.changesDays, pruneChanges],
    ['the log of imports', options.importsDays, pruneImports],
    ['records of refused requests', options.refusalsDays, pruneRefusals],
  ] as const
  for (const [what, days, prune] of prunings) {
    if (days !== undefined) onceADay(app, what, () => prune(options.database, days))
  }

  onceADay(app, 'kitchen sheets', () => pruneSheets(options.database))
  takeCutOffsEachMinute(app, createCutOffTaker(options.database, clock))
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
  for (const { start } of EXTRAS) start?.(service)

  if (options.evaluatesContradictions) startContradictions(app, options.database, databaseClock.now)

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
    const { serveFiles } = await import('./intake/port/serve-files.ts')
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
    isOnlyProcess: options.processes === undefined,
    isShortOfMemory: () => memory.isShort,
    diskFreeBytes: options.auditFolder === undefined ? undefined : diskFreeBytes(options.auditFolder),
    failedDailyWork: () => failedDailyWork(app),
    replicas: options.replicas?.numbers,
    intake,
  })
  const access = { token: options.metricsToken, isClosed: options.metrics === 'closed' }
  const text = options.processes?.shareMetrics(metrics.registry) ?? metrics.registry
  serveMetrics(app, text, access, monotonic, options.metricsEveryMs)

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
  for (const { serve } of EXTRAS) serve?.(serving)
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
