/** The life of the service: it listens, and it ends cleanly and soon when it is told to. */
import type { Server as HttpServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import { createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { addressesWithin } from '../access/addresses.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { type OpenedDatabase, openDatabase } from '../database/open.ts'
import { createIntakeServer } from '../intake-port/intake-server.ts'
import type { IntakeOptions } from '../intake-port/serve-intake.ts'
import { keepHeapSmall } from '../operations/memory.ts'
import { createOperationsServer } from '../operations/operations-port.ts'
import { type CommandService, serveCommands } from './channel/serve-commands.ts'
import { type CommandContext, CommandError, type RunCommand } from './context.ts'

export interface Ending {
  /** From now on being told to end no longer ends the process at once: the promise resolves instead. */
  awaitSignal(): Promise<void>
  /** What the next signal does then, instead of ending the process at once; the one after it does that again. */
  onSecondSignal(hurry: () => void): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Until the service listens there is nothing to lose: what the database has not finished it undoes at the next
 * start, so a signal ends the process at once. A second signal while it is ending makes it hurry.
 */
export function endAtOnceOnSignals(): Ending {
  let onSignal: (() => void) | undefined
  let isTold = false
  const end = () => {
    isTold = true
    if (onSignal === undefined) {
      process.stderr.write('Ended before it served anything.\n')
      process.exit(ENDED_EARLY)
    }
    const act = onSignal
    onSignal = undefined
    act()
  }
  for (const signal of SIGNALS) process.on(signal, end)
  whenOrphaned(() => {
    // A signal to the whole process group (systemd's, a terminal's) ends npm as well: that is no second one.
    if (!isTold) end()
  })
  return {
    awaitSignal: () =>
      new Promise((resolve) => {
        onSignal = resolve
      }),
    onSecondSignal(hurry) {
      onSignal = hurry
    },
  }
}

const ORPHANED_MS = 200

/**
 * npm starts a script through a shell and passes a signal on to that shell, which ends without telling us
 * (tried: `kill` of `npm run demo` left the service running). So under npm the end of the shell is a signal.
 */
function whenOrphaned(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, ORPHANED_MS).unref()
}

/** What shells give a process that Ctrl-C ended. */
const ENDED_EARLY = 130

/** Beyond the grace for answers under way: a database that does not let go must not keep the process alive. */
const CLOSING_MS_MAX = 2000

interface Service {
  readonly config: Config
  readonly database: OpenedDatabase
  readonly ending: Ending
  readonly context: Pick<CommandContext, 'random' | 'now' | 'stderr'>
  /** Runs the commands of other processes, on this one's database. */
  readonly run: RunCommand
}

/** Serves until a signal comes, then ends: listener first, then answers under way, then the database. */
export async function runService(
  service: Service,
  onListening: (
    address: string,
    operationsAddress: string | undefined,
    intakeAddress: string | undefined,
  ) => void,
): Promise<void> {
  const { config, database, ending } = service
  keepHeapSmall()
  let commands: CommandService | undefined
  let app: FastifyInstance | undefined
  let operations: Server | undefined
  let intake: HttpServer | undefined
  let intakeDatabase: OpenedDatabase | undefined
  try {
    commands = await startChannel(service)
    if (config.intakePort !== undefined && database.engine === 'postgres') {
      intakeDatabase = await openDatabase(config, { purpose: 'command' })
    }
    app = await buildApp({
      database,
      intake: config.intakePort === undefined ? undefined : intakeOf(config, intakeDatabase ?? database),
      compareClocks: true,
      preparesConsole: true,
      logLevel: config.logLevel,
      answerCacheBytes: config.answerCacheMb * 1024 * 1024,
      rateLimitStore: config.rateLimitStore,
      failedCredentialsPerMinute: config.failedCredentialsPerMinute,
      auditRequired: config.auditRequired,
      auditGraceSeconds: config.auditGraceSeconds,
      auditDays: config.auditDays,
      auditFolder: join(resolve(config.dataDir), 'audit-waiting'),
      changesDays: config.changesDays,
      usageDays: config.usageDays,
      importsDays: config.importsDays,
      webhooksKey: config.webhooksKey,
      webhooksAllowedAddresses: config.webhooksAllowedAddresses,
      connectionsMax: config.connectionsMax,
      corsOrigins: config.corsOrigins,
      mcp: config.mcp,
      metrics: 'closed',
      metricsToken: config.metricsToken,
      publicUrl: config.publicUrl,
      apiContact: config.apiContact,
      ...(config.trustedProxies.length === 0 ? {} : { trustedProxies: config.trustedProxies }),
      ...(config.securityContact === undefined ? {} : { securityContact: config.securityContact }),
    })
    await listen(app, config)
    operations = await listenForOperations(app, config)
    intake = await listenForIntake(app, config)
    const signal = ending.awaitSignal()
    onListening(addressOf(app.server), operations && addressOf(operations), intake && addressOf(intake))
    // What bin/sojourn.js keeps is otherwise written as the process ends, which a killed one never does.
    flushCompileCache()
    await signal
    ending.onSecondSignal(() => hurry(app))
    setTimeout(() => process.exit(1), config.shutdownGraceMs + CLOSING_MS_MAX).unref()
  } finally {
    operations?.close()
    intake?.close()
    if (app !== undefined) await closeWithin(app, config.shutdownGraceMs)
    intake?.closeAllConnections()
    await intakeDatabase?.close()
    await commands?.close()
    await database.close()
  }
}

/** Commands cannot open an embedded folder that this process has, so it runs them. */
async function startChannel({
  config,
  database,
  context,
  run,
}: Service): Promise<CommandService | undefined> {
  if (database.engine !== 'embedded') return undefined
  const { random, now } = context
  const dataDir = resolve(config.dataDir)
  try {
    return await serveCommands({ database, config, place: database.place, dataDir, run, random, now })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.stderr.write(`Commands cannot use this database while the service runs: ${reason}.\n`)
    return undefined
  }
}

/** What the audit trail has, after a second signal, for the reads that were answered. */
const HURRY_MS = 500

/** Nobody gets the rest of an answer any more; what was answered is still written to the audit trail. */
function hurry(app: FastifyInstance | undefined): void {
  app?.server.closeAllConnections()
  setTimeout(() => process.exit(ENDED_EARLY), HURRY_MS).unref()
}

/** Idle connections are closed at once, those with an answer under way when it is sent, or after the grace. */
async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cut)
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw explain(error, { host, port })
  }
}

/** It closes its connections by itself once the process ends: nobody waits for what is sent there. */
async function listenForOperations(
  app: FastifyInstance,
  { host, operationsPort: port }: Config,
): Promise<Server | undefined> {
  if (port === undefined) return undefined
  const server = createOperationsServer(app)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port, setting: 'OPERATIONS_PORT' })))
    server.listen({ host, port }, resolve)
  })
  return server
}

const BYTES_IN_MB = 1024 * 1024

function intakeOf({ dataDir, intakeBodyMb }: Config, database: Database): IntakeOptions {
  const bytesMax = intakeBodyMb * BYTES_IN_MB
  return {
    database,
    folder: join(resolve(dataDir), 'intake-waiting'),
    // As slow as the slowest reader may be.
    bounds: { bytesMax, unpackedBytesMax: bytesMax * 8, silenceMs: 10_000, bytesPerSecondMin: 1600 },
  }
}

async function listenForIntake(
  app: FastifyInstance,
  { host, intakePort: port, trustedProxies }: Config,
): Promise<HttpServer | undefined> {
  if (port === undefined) return undefined
  const server = createIntakeServer(app, addressesWithin(trustedProxies))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port, setting: 'INTAKE_PORT' })))
    server.listen({ host, port }, resolve)
  })
  return server
}

/** Says that the port is in use before the database is opened, which may take seconds. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port }, resolve)
    })
  } catch (error) {
    throw explain(error, { host, port })
  }
  await new Promise((resolve) => probe.close(resolve))
}

function explain(error: unknown, { host, port, setting = 'PORT' }: Wanted): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE': {
      const other = port < 65_535 ? port + 1 : port - 1
      return new CommandError(
        `Port ${port} on ${host} is already in use; choose another one with ${setting}, such as ${setting}=${other}.`,
      )
    }
    case 'EACCES':
      return new CommandError(
        `This user may not listen on port ${port}; choose another one with ${setting}, such as ${setting}=8080.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(`HOST, ${host}, is not an address of this machine; HOST=127.0.0.1 always is.`)
    default:
      return error instanceof Error ? error : new Error(String(error))
  }
}

/** Where something was to listen, and the setting that says so. */
interface Wanted extends Pick<Config, 'host' | 'port'> {
  readonly setting?: string
}

/** The address to open, which for "every network" is this machine. */
function addressOf(server: Server): string {
  const at = server.address()
  return at === null || typeof at === 'string' ? String(at) : addressAt(at.address, at.port)
}

/** What a browser on this machine opens where the service listens on `host`. */
export function addressAt(host: string, port: number): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}
