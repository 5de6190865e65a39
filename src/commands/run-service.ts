/** Runs the service until a signal ends it, and then closes it quickly and completely. */
import type { Server as HttpServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { Server } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { addressesWithin } from '../core/access/addresses.ts'
import type { CommandContext } from '../core/command-line/context.ts'
import type { RunService, ServiceToRun } from '../core/command-line/parts.ts'
import { addressOf, explainPort, listenOn } from '../core/command-line/ports.ts'
import type { Config } from '../core/config/config.ts'
import { keepHeapSmall } from '../core/config/process-memory.ts'
import type { Database } from '../core/database/database.ts'
import { type OpenedDatabase, openDatabase, openReplicas } from '../core/database/open.ts'
import type { Replicas } from '../core/database/replicas.ts'
import { completeRewrites } from '../core/database/schema/rewrite-files.ts'
import { createIntakeServer } from '../core/intake/port/intake-server.ts'
import type { IntakeOptions } from '../core/intake/port/serve-intake.ts'
import { createOperationsServer } from '../core/monitoring/operations-port.ts'
import type { Tracing } from '../core/monitoring/tracing.ts'

/** In addition to the grace period for open answers: a database that does not close must not keep the process alive. */
const CLOSING_MS_MAX = 5000

/**
 * Serves until a signal arrives, and for `DRAIN_SECONDS` after it. Then closes the listener, the open answers, and the
 * database, in this order.
 */
export const runService: RunService = async (service, onListening) => {
  const { config, database, ending, context } = service
  const { intakePort } = config
  keepHeapSmall()
  let app: FastifyInstance | undefined
  let operations: Server | undefined
  let intake: HttpServer | undefined
  let intakeDatabase: OpenedDatabase | undefined
  let replicas: Replicas | undefined
  let tracing: Tracing | undefined
  try {
    if (intakePort !== undefined) intakeDatabase = await openDatabase(config, { purpose: 'command' })
    replicas = openReplicas(config, database, (sentence) => void context.stderr.write(`${sentence}\n`))
    tracing = await context.parts.traceTo?.(config, context.stderr)
    app = await buildApp({
      ...config,
      database,
      replicas,
      intake: intakePort === undefined ? undefined : intakeOf(config, intakeDatabase ?? database),
      intakeAt: () => portOf(intake),
      compareClocks: true,
      preparesConsole: true,
      evaluatesContradictions: true,
      notifies: true,
      sendsReports: { copiesFolder: join(resolve(config.dataDir), 'report-copies') },
      auditFolder: join(resolve(config.dataDir), 'audit-waiting'),
      completeErasure: async () => {
        await completeRewrites(database)
        await context.parts.keepErasureLog?.(context, database, config.dataDir)
      },
      metrics: 'closed',
      tracing,
    })
    await listen(app, config)
    operations = await listenForOperations(app, config)
    intake = await listenForIntake(app, config)
    const signal = ending.awaitSignal()
    onListening(addressOf(app.server), operations && addressOf(operations), intake && addressOf(intake))
    // bin/sojourn.js would write its compile cache when the process ends, which does not happen if it is killed.
    flushCompileCache()
    await signal
    await drain(app, service)
    endAfter(config.shutdownGraceMs + CLOSING_MS_MAX, context)
  } finally {
    operations?.close()
    intake?.close()
    if (app !== undefined) await closeWithin(app, config.shutdownGraceMs)
    intake?.closeAllConnections()
    await tracing?.close()
    await intakeDatabase?.close()
    await replicas?.close()
    await database.close()
  }
}

function portOf(server: HttpServer | undefined): number | undefined {
  const at = server?.address()
  return at === null || typeof at !== 'object' ? undefined : at.port
}

/** Answers until the drain is over, or a second signal comes. */
async function drain(app: FastifyInstance, { config, ending }: ServiceToRun): Promise<void> {
  const second = new AbortController()
  ending.onSecondSignal((code) => {
    second.abort()
    hurry(app, code)
  })
  app.stopping.drain()
  await wait(config.drainSeconds * 1000, undefined, { signal: second.signal }).catch(() => {})
}

/** @param ms after which the process ends with code 1, whatever has not been closed */
function endAfter(ms: number, { stderr }: Pick<CommandContext, 'stderr'>): void {
  setTimeout(() => {
    stderr.write(
      `Ended after ${Math.round(ms / 1000)} seconds in which the database was not closed. What was committed is stored.\n`,
    )
    process.exit(1)
  }, ms).unref()
}

/** Time to write the audit trail of answered reads after a second signal. */
const HURRY_MS = 500

/**
 * Stops sending the remaining answers. What was answered is still written to the audit trail.
 * @param code of the process, if that takes too long
 */
function hurry(app: FastifyInstance | undefined, code: number): void {
  app?.server.closeAllConnections()
  setTimeout(() => process.exit(code), HURRY_MS).unref()
}

/** Closes idle connections immediately, and the others when their answer has been sent or the grace period ends. */
async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cut)
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw explainPort(error, { host, port })
  }
}

/** The port closes its connections when the process ends; nothing waits for the answers on it. */
async function listenForOperations(
  app: FastifyInstance,
  { host, operationsPort: port }: Config,
): Promise<Server | undefined> {
  if (port === undefined) return undefined
  const server = createOperationsServer(app)
  await listenOn(server, { host, port, setting: 'OPERATIONS_PORT' })
  return server
}

const BYTES_IN_MB = 1024 * 1024

function intakeOf({ dataDir, intakeBodyMb, intakeFileMb }: Config, database: Database): IntakeOptions {
  const bytesMax = intakeBodyMb * BYTES_IN_MB
  const fileBytesMax = intakeFileMb * BYTES_IN_MB
  // As slow as the slowest permitted reader.
  const slowest = { silenceMs: 10_000, bytesPerSecondMin: 1600 }
  return {
    database,
    folder: join(resolve(dataDir), 'intake-waiting'),
    bounds: { bytesMax, unpackedBytesMax: bytesMax * 8, ...slowest },
    files: {
      bounds: { bytesMax: fileBytesMax, unpackedBytesMax: fileBytesMax, ...slowest },
      allBytesMax: 4 * fileBytesMax,
    },
  }
}

async function listenForIntake(
  app: FastifyInstance,
  { host, intakePort: port, trustedProxies }: Config,
): Promise<HttpServer | undefined> {
  if (port === undefined) return undefined
  ;(await import('../core/intake/lines/line-schemas.ts')).compileDelivered()
  const server = createIntakeServer(app, addressesWithin(trustedProxies))
  await listenOn(server, { host, port, setting: 'INTAKE_PORT' })
  return server
}
