/** Opens the database that the settings name: on a PostgreSQL server, or on the private server of a folder. */

import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { UserError } from '../errors/user-error.ts'
import { type Database, DatabaseUnavailable } from './database.ts'
import { isFromElsewhere } from './origin.ts'
import { openPostgres } from './postgres/postgres.ts'
import { connectionTo, explainTls, type PostgresConnection, TlsFileProblem } from './postgres/postgres-tls.ts'
import { systemMessage } from './postgres/system-message.ts'
import { formerProblem, isInFile, isNewFolder, writeProblem } from './private/cluster.ts'
import { DiskSpace } from './private/disk-space.ts'
import type { PrivateServer, ServerOptions } from './private/private-server.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { allMigrations, migrate, pendingMigrations } from './schema/migrate.ts'
import { completeRewrites } from './schema/rewrite-files.ts'
import { IF_POOLED, IS_POOLED, isPooledByTransaction } from './shared-processes.ts'

export interface OpenOptions {
  /** `serve` runs for long, and has time-outs for requests; a `command` ends soon. */
  readonly purpose: 'serve' | 'command'
  /**
   * Migrates a server to this version's schema. Without it, an older schema is refused. The database of a folder is always migrated,
   * because nothing else can do it.
   */
  readonly migrate?: boolean | undefined
  /**
   * What to do if the folder has no database. The default is to create one. `try` uses an empty one in a temporary folder,
   * which is discarded at the end.
   */
  readonly ifNew?: 'create' | 'refuse' | 'try' | undefined
  /**
   * Opens a folder as it is: no migration is applied, and no interrupted erasure is completed, so the schema may be an older one.
   * Has no effect on a server.
   */
  readonly asItIs?: boolean | undefined
  /** Leaves the files as they are if an erasure was interrupted before it rewrote them, to report on that. */
  readonly leavesRewrites?: boolean | undefined
  /** Called before a new database is created in the folder, which takes a few seconds; with a sentence if its files will be another user's. */
  readonly onCreating?: ((folder: string, note: string | undefined) => void) | undefined
  /** Called before a temporary database is used instead of the folder's. */
  readonly onTrying?: ((folder: string) => void) | undefined
  /** Called for errors on idle PostgreSQL connections, which the pool replaces by itself. */
  readonly onIdleError?: ((error: Error) => void) | undefined
  /** Called when the server of the folder has stopped, and when it works again. */
  readonly onChange?: ((sentence: string) => void) | undefined
}

export interface OpenedDatabase extends Database {
  /** names of the migrations applied at opening; empty if there were none */
  readonly migrationsApplied: readonly string[]
  /** Location of the data for display, without the password. */
  readonly place: string
  /** for a connection of one's own, which the caller ends */
  readonly connection: PostgresConnection
}

/** The database cannot be opened; the message says why and what to do. */
export class CannotOpen extends UserError {
  override readonly name = 'CannotOpen'
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'> & Server

/**
 * Opens the database.
 * @throws {CannotOpen}
 */
export function openDatabase(config: Place, options: OpenOptions): Promise<OpenedDatabase> {
  return config.databaseUrl === undefined
    ? openFolder(resolve(config.dataDir), config, options)
    : openServer(config.databaseUrl, config, options)
}

type Server = Pick<Config, 'databasePoolSize'> & Partial<Pick<Config, 'databasePooler' | 'databaseTlsCa'>>

/** @throws {CannotOpen} if a file of its certificates cannot be used */
export function connectionFor(
  url: string,
  { databaseTlsCa }: Pick<Server, 'databaseTlsCa'>,
): PostgresConnection {
  try {
    return connectionTo(url, databaseTlsCa)
  } catch (error) {
    if (error instanceof TlsFileProblem) throw new CannotOpen(`${error.message}.`)
    throw error
  }
}

async function openServer(url: string, server: Server, options: OpenOptions): Promise<OpenedDatabase> {
  const { purpose, onIdleError } = options
  const database = openPostgres({
    connection: connectionFor(url, server),
    poolSize: purpose === 'serve' ? server.databasePoolSize : 2,
    pooler: server.databasePooler,
    purpose,
    ...(onIdleError === undefined ? {} : { onIdleError }),
  })
  try {
    if (!server.databasePooler && (await isPooledByTransaction(connectionFor(url, server), purpose)))
      throw new CannotOpen(`${IS_POOLED} ${IF_POOLED}`)
    const migrationsApplied = options.migrate ? await migrateServer(url, server, options) : []
    if (!options.migrate) await refusePending(database)
    if (purpose === 'serve') void completeOnServer(url, server, options)
    return { ...database, migrationsApplied, place: placeOf(url), connection: connectionFor(url, server) }
  } catch (error) {
    await database.close().catch(() => {})
    throw explain(error, url, server)
  }
}

/**
 * The replicas that the settings name; undefined if none. They are connected to when they are used: a replica that is gone
 * keeps nothing from starting.
 */
export function openReplicas(
  { databaseReadUrls, databasePoolSize, databasePooler, databaseTlsCa }: Replicated,
  primary: Database,
  onChange?: (sentence: string) => void,
): Replicas | undefined {
  if (databaseReadUrls.length === 0) return undefined
  const servers = databaseReadUrls.map((url) => ({
    place: placeOf(url),
    explain: (reason: unknown) => explainTls(reason, url, databaseTlsCa),
    database: openPostgres({
      connection: connectionFor(url, { databaseTlsCa }),
      poolSize: databasePoolSize,
      pooler: databasePooler,
      purpose: 'serve',
      replica: true,
    }),
  }))
  return createReplicas({ primary, servers, onChange })
}

type Replicated = Pick<Config, 'databaseReadUrls' | 'databasePoolSize' | 'databasePooler'> &
  Partial<Pick<Config, 'databaseTlsCa'>>

// On a connection of its own: the service's time-outs are for requests, and a migration may take any time.
async function migrateServer(
  url: string,
  server: Server,
  { onIdleError, onChange }: OpenOptions,
): Promise<string[]> {
  const database = openPostgres({
    connection: connectionFor(url, server),
    poolSize: 1,
    pooler: server.databasePooler,
    purpose: 'command',
    ...(onIdleError === undefined ? {} : { onIdleError }),
  })
  try {
    return await migrate(database, allMigrations(), { onWait: onChange })
  } finally {
    await database.close()
  }
}

/** Nobody waits for it, because vacuuming large tables takes minutes. It has a connection of its own, as a migration. */
async function completeOnServer(url: string, server: Server, options: OpenOptions): Promise<void> {
  const { onIdleError, onChange } = options
  const own = openPostgres({
    connection: connectionFor(url, server),
    poolSize: 1,
    pooler: server.databasePooler,
    purpose: 'command',
    ...(onIdleError === undefined ? {} : { onIdleError }),
  })
  try {
    await completeOrTell(own, onChange)
  } finally {
    await own.close().catch(() => {})
  }
}

/** A service that starts without it is better than none: it remains due, and `sojourn status` reports it. */
async function completeOrTell(database: Database, onChange: OpenOptions['onChange']): Promise<void> {
  try {
    if (await completeRewrites(database)) onChange?.(REWRITTEN)
  } catch (error) {
    onChange?.(`${NOT_REWRITTEN}: ${messageOf(error)}. The next start tries again.`)
  }
}

const REWRITTEN =
  'An erasure was interrupted before it had rewritten the files of the database; that is completed now.'
const NOT_REWRITTEN =
  'An erasure was interrupted, and the files of the database, which still contain the person, cannot be rewritten'

const FROM_ELSEWHERE =
  'The database was restored from another server, so commits could go unnoticed. Run "sojourn migrate" first, or start with "sojourn serve --migrate": a new history of changes begins, and clients that follow changes read everything once.'

async function refusePending(database: Database): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length === 0) {
    if (await isFromElsewhere(database)) throw new CannotOpen(FROM_ELSEWHERE)
    return
  }
  const names = pending.map((migration) => migration.name)
  const what =
    names.length === 1 ? `migration ${names[0]} is` : `migrations ${names[0]} to ${names.at(-1)} are`
  throw new CannotOpen(
    `The database schema is not up to date: ${what} pending. Run "sojourn migrate" first, or start with "sojourn serve --migrate".`,
  )
}

async function openFolder(folder: string, config: Place, options: OpenOptions): Promise<OpenedDatabase> {
  const { purpose, ifNew = 'create', onCreating, onChange } = options
  if (isInFile(folder)) throw new CannotOpen(cannotBeUsed(folder, 'it is a file or in one'))
  const former = formerProblem(folder)
  if (former !== undefined) throw new CannotOpen(former)
  if (isNewFolder(folder)) {
    if (ifNew === 'refuse') {
      throw new CannotOpen(
        `There is no database in ${folder}. Set DATA_DIR to the folder that has one, or DATABASE_URL to a PostgreSQL database; "sojourn import" creates a new one.`,
      )
    }
    if (ifNew === 'try') return openForTrying(folder, config, options)
  }
  const problem = writeProblem(folder)
  if (problem !== undefined) throw new CannotOpen(cannotBeUsed(folder, problem))
  const server = await serverOf(folder, {
    onCreating: (note) => onCreating?.(folder, note),
    ...(purpose === 'serve' && { onEnd: onChange ?? (() => {}) }),
  })
  if (purpose === 'serve') tellIfOpen(folder, onChange)
  return openOn(server, folder, config, options)
}

/** Opens the database of a private server; both are closed together. */
async function openOn(
  server: PrivateServer,
  place: string,
  { databasePoolSize }: Pick<Config, 'databasePoolSize'>,
  options: OpenOptions,
): Promise<OpenedDatabase> {
  const { purpose, onIdleError, onChange } = options
  const pools = (kind: OpenOptions['purpose'], poolSize: number) =>
    openPostgres({
      connection: server.connection,
      poolSize,
      purpose: kind,
      ...(onIdleError === undefined ? {} : { onIdleError }),
    })
  const asSuperuser = { asSuperuser: server.asSuperuser }
  const space = new DiskSpace({ cluster: server.cluster, onChange })
  const database = {
    ...space.guard(pools(purpose, purpose === 'serve' ? databasePoolSize : 2)),
    ...asSuperuser,
  }
  const close = async () => {
    try {
      await database.close()
    } finally {
      await server.close()
    }
  }
  try {
    // On a connection of its own: the service's time-outs are for requests, and a migration may take any time.
    const migrating = { ...pools('command', 1), ...asSuperuser }
    let migrationsApplied: readonly string[]
    try {
      migrationsApplied = options.asItIs
        ? []
        : await migrate(migrating, allMigrations(), { onWait: onChange })
      if (!options.leavesRewrites && !options.asItIs) await completeOrTell(migrating, onChange)
    } finally {
      await migrating.close()
    }
    return { ...database, migrationsApplied, place, connection: server.connection, close }
  } catch (error) {
    await close().catch(() => {})
    if (error instanceof CannotOpen) throw error
    throw new CannotOpen(`The database in ${place} cannot be opened: ${messageOf(error)}.`)
  }
}

/** A database that is discarded at the end. */
async function openForTrying(folder: string, config: Place, options: OpenOptions): Promise<OpenedDatabase> {
  options.onTrying?.(folder)
  const own = await mkdtemp(join(tmpdir(), 'sojourn-'))
  const remove = () => rm(own, { recursive: true, force: true })
  try {
    const server = await serverOf(own, { isDiscarded: true })
    const database = await openOn(server, folder, config, options)
    const close = () => database.close().finally(remove)
    return { ...database, close }
  } catch (error) {
    await remove()
    throw error
  }
}

async function serverOf(folder: string, options: ServerOptions): Promise<PrivateServer> {
  // Imported here so that a service on a server does not load it.
  const { CannotServe, usePrivateServer } = await import('./private/private-server.ts')
  try {
    return await usePrivateServer(folder, options)
  } catch (error) {
    if (error instanceof CannotServe) throw new CannotOpen(error.message)
    throw new CannotOpen(writeProblem(folder) ?? cannotBeUsed(folder, systemMessage(error)))
  }
}

const cannotBeUsed = (folder: string, why: string) =>
  /\.$/.test(why) ? why : `DATA_DIR, ${folder}, cannot be used as the folder of the database: ${why}.`

/** An existing folder keeps its mode, which may be intended. */
function tellIfOpen(folder: string, onChange: OpenOptions['onChange']): void {
  const { mode } = statSync(folder)
  // Who may only pass, as the server's user, does not look.
  if (process.platform === 'win32' || (mode & 0o067) === 0) return
  const shown = (mode & 0o777).toString(8)
  onChange?.(
    `Other users of this machine may look into the database folder ${folder} (mode ${shown}). "chmod 700 ${folder}" keeps them out.`,
  )
}

/** Host, port and database of a URL, without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  return `PostgreSQL at ${host}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`
}

function explain(error: unknown, url: string, { databaseTlsCa }: Server): Error {
  if (error instanceof CannotOpen) return error
  const reason = error instanceof DatabaseUnavailable && error.cause !== undefined ? error.cause : error
  const why = explainTls(error, url, databaseTlsCa) ?? withoutPassword(url, reason) ?? messageOf(reason)
  return new CannotOpen(`${placeOf(url)} cannot be used (DATABASE_URL): ${why}.`)
}

/** Without a password, `pg` fails in its own words, or sends an empty one (28P01). @returns undefined if that is not the reason */
function withoutPassword(url: string, reason: unknown): string | undefined {
  if (new URL(url).password !== '' || !/password/i.test(messageOf(reason))) return undefined
  return 'it asks for a password, and neither the URL, nor PGPASSWORD, nor the password file (PGPASSFILE, by default ~/.pgpass; mode 600) has one that it accepts'
}

function messageOf(error: unknown): string {
  // Several addresses were tried, each with its own error.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
