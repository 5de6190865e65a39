/** Opens the database that the settings name: PostgreSQL or the embedded folder. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Database, DatabaseUnavailable, DiskFull, sqlState } from './database.ts'
import { EngineFailed } from './embedded/engine-error.ts'
import { damage, isInFile, isNewFolder, versionProblem, writeProblem } from './embedded/folder-problems.ts'
import { FolderInUse, lockFolder, mayHaveOwner, ownerOf } from './folder-lock.ts'
import { allMigrations, migrate, pendingMigrations } from './migrate.ts'
import { isFromElsewhere } from './origin.ts'
import { openPostgres } from './postgres.ts'
import { connectionTo, explainTls, type PostgresConnection, TlsFileProblem } from './postgres-tls.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { completeRewrites } from './rewrite-files.ts'
import { IF_POOLED, IS_POOLED, isPooledByTransaction } from './shared-processes.ts'
import { systemMessage } from './system-message.ts'

export interface OpenOptions {
  /** `serve` runs for long and owns an embedded folder; a `command` ends soon. */
  readonly purpose: 'serve' | 'command'
  /**
   * Migrates PostgreSQL to this version's schema. Without it, an older schema is refused. The embedded database is
   * always migrated, because nothing else can do it.
   */
  readonly migrate?: boolean | undefined
  /**
   * What to do if the embedded folder has no database. The default is to create one. `try` uses an empty one in memory,
   * which is discarded at the end.
   */
  readonly ifNew?: 'create' | 'refuse' | 'try' | undefined
  /**
   * Opens an embedded folder as it is: no migration is applied, and no interrupted erasure is completed, so the schema may be
   * an older one. Has no effect on a PostgreSQL server.
   */
  readonly asItIs?: boolean | undefined
  /** Leaves the files as they are if an erasure was interrupted before it rewrote them, to report on that. */
  readonly leavesRewrites?: boolean | undefined
  /** Called before a new embedded database is created, which takes a few seconds. */
  readonly onCreating?: ((folder: string) => void) | undefined
  /** Called before a database in memory is used instead of the folder's. */
  readonly onTrying?: ((folder: string) => void) | undefined
  /** Called for errors on idle PostgreSQL connections, which the pool replaces by itself. */
  readonly onIdleError?: ((error: Error) => void) | undefined
  /** Called when the embedded database has stopped or its disk is full, and when it works again. */
  readonly onChange?: ((sentence: string) => void) | undefined
}

export interface OpenedDatabase extends Database {
  /** names of the migrations applied at opening; empty if there were none */
  readonly migrationsApplied: readonly string[]
  /** Location of the data for display, without the password. */
  readonly place: string
}

/** The database cannot be opened; the message says why and what to do. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'> & Server

/**
 * Opens the database.
 * @throws {CannotOpen}
 * @throws {FolderInUse} for a `command`, if another process owns the embedded folder
 */
export function openDatabase(config: Place, options: OpenOptions): Promise<OpenedDatabase> {
  return config.databaseUrl === undefined
    ? openFolder(resolve(config.dataDir), options)
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
    return opened(database, { migrationsApplied, place: placeOf(url) })
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

async function openFolder(folder: string, options: OpenOptions): Promise<OpenedDatabase> {
  const { purpose, ifNew = 'create', onCreating, onChange } = options
  // Checked before locking, because that creates the folder. The folder's owner may be creating the database at this
  // moment.
  const isNothing = ifNew !== 'create' && !isInFile(folder) && isNewFolder(folder) && !mayHaveOwner(folder)
  if (isNothing) return withoutFolder(folder, options)
  const lock = takeLock(folder, purpose)
  const isNew = isNewFolder(folder)
  if (isNew && ifNew !== 'create') {
    lock.release()
    return withoutFolder(folder, options)
  }
  if (isNew) onCreating?.(folder)
  let database: Database | undefined
  try {
    const problem = writeProblem(folder) ?? (isNew ? undefined : versionProblem(folder))
    if (problem !== undefined) throw new CannotOpen(problem)
    if (purpose === 'serve') tellIfOpen(folder, onChange)
    const embedded = await openData(folder, isNew, onChange)
    database = embedded
    const pending = options.asItIs ? [] : await migrate(embedded)
    if (!options.leavesRewrites && !options.asItIs) await completeOrTell(embedded, onChange)
    const migrationsApplied = isNew ? allMigrations().map(({ name }) => name) : pending
    const close = async () => {
      try {
        await embedded.close()
      } finally {
        lock.release()
      }
    }
    return { ...opened(embedded, { migrationsApplied, place: folder }), close }
  } catch (error) {
    await database?.close().catch(() => {})
    lock.release()
    if (error instanceof CannotOpen) throw error
    if (error instanceof DiskFull) throw new CannotOpen(error.message)
    throw new CannotOpen(
      isDamage(error)
        ? damage(folder, messageOf(error))
        : `The embedded database in ${folder} cannot be opened: ${messageOf(error)}.`,
    )
  }
}

async function withoutFolder(folder: string, { ifNew, onTrying }: OpenOptions): Promise<OpenedDatabase> {
  if (ifNew === 'refuse') {
    throw new CannotOpen(
      `There is no database in ${folder}. Set DATA_DIR to the folder that has one, or DATABASE_URL to a PostgreSQL database; "sojourn import" creates a new one.`,
    )
  }
  onTrying?.(folder)
  const { openEmbedded } = await import('./embedded.ts')
  const database = await openEmbedded({})
  try {
    return opened(database, { migrationsApplied: await migrate(database), place: folder })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** An existing folder keeps its mode, which may be intended. */
function tellIfOpen(folder: string, onChange: OpenOptions['onChange']): void {
  const { mode } = statSync(folder)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  const shown = (mode & 0o777).toString(8)
  onChange?.(
    `Other users of this machine may look into the database folder ${folder} (mode ${shown}). "chmod 700 ${folder}" keeps them out.`,
  )
}

/**
 * The database's own files are in a subfolder, apart from the lock and the channel, so that they can be copied as a
 * whole.
 */
export const DATA = 'database'

async function openData(folder: string, isNew: boolean, onChange: OpenOptions['onChange']) {
  const data = join(folder, DATA)
  // Imported here so that a service on PostgreSQL does not load it.
  const { openEmbedded } = await import('./embedded.ts')
  if (isNew) await (await import('./embedded/new-folder.ts')).makeFolder(data)
  return openEmbedded({ folder: data, onChange })
}

/**
 * Whether the engine reports damage to its files, at the start or later: an I/O error, an internal error or corrupted
 * data.
 */
const isDamage = (error: unknown) => error instanceof EngineFailed || /^(58|XX)/.test(sqlState(error) ?? '')

function takeLock(folder: string, purpose: OpenOptions['purpose']) {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof FolderInUse) throw purpose === 'serve' ? inUse(folder, error.pid) : error
    throw new CannotOpen(
      writeProblem(folder) ??
        `DATA_DIR, ${folder}, cannot be used as the embedded database's folder: ${systemMessage(error)}.`,
    )
  }
}

const inUse = (folder: string, pid: number | undefined) =>
  new CannotOpen(
    `${ownerOf(pid)} is already using the database folder ${folder}; stop it, or set DATA_DIR to another folder.`,
  )

function opened(
  database: Database,
  about: Pick<OpenedDatabase, 'migrationsApplied' | 'place'>,
): OpenedDatabase {
  return { ...database, ...about }
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

/** Never the stack: for the embedded database it includes the minified source. */
function messageOf(error: unknown): string {
  // Several addresses were tried, each with its own error.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
