/**
 * The private server: PostgreSQL on the folder DATA_DIR. Who needs the database starts the server if none runs, and uses it if one
 * runs. Each process has one connection that says that it is there; the last process to end stops the server. A process that is
 * killed leaves the server to the next one.
 */
import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { FolderGone } from '../database.ts'
import type { PostgresConnection } from '../postgres/postgres-tls.ts'
import { type Address, HOST, openAddress, passwordOf, portFor, SOCKET } from './address.ts'
import { clusterOf, createCluster, damage, isNewFolder, placeFor, ROLE, versionProblem } from './cluster.ts'
import { makeRoom } from './disk-space.ts'
import { PRESENCE } from './presence-sql.ts'
import { findPrograms, type Programs } from './programs.ts'
import { findRunner, type Runner, SHARED_FOLDER } from './runner.ts'
import { isServing, lastMessages, readPidFile, signal, startServer, stopServer } from './server-process.ts'
import { alone } from './start-lock.ts'

/** The folder has no server. The message is a sentence that says why, and what to do. */
export class CannotServe extends Error {
  override readonly name = 'CannotServe'
}

export interface PrivateServer {
  /** the folder of its files */
  readonly cluster: string
  /** for the service's own role */
  readonly connection: PostgresConnection
  /** Runs statements that only a superuser may run, one after the other, outside of a transaction. */
  asSuperuser(statements: readonly string[]): Promise<void>
  /** Ends the use by this process, and the server if no other process uses it. */
  close(): Promise<void>
}

export interface ServerOptions {
  /** Called before a new database is created, with a sentence if its files will be another user's. */
  readonly onCreating?: ((note: string | undefined) => void) | undefined
  /** Starts the server again if it ends while it is used, and tells that. */
  readonly onEnd?: ((sentence: string) => void) | undefined
  /** The folder is removed afterwards, so nothing has to survive. */
  readonly isDiscarded?: boolean | undefined
  /** Whether a new server has a socket. Tests set it; a system either has Unix sockets or has none. */
  readonly isBySocket?: boolean | undefined
}

const START_MS_MAX = 60_000
const POLL_MS = 20
/** The system's words in the messages of the server, which are in English. */
const NO_SPACE = /No space left on device|Disk quota exceeded/

const full = (folder: string) =>
  `The disk of ${folder} is full, so its database server does not start. Nothing is lost; make space, and start again.`
const LOOK_MS = 1000
/** of the wait between attempts to start the server again */
const TELL_FROM_MS = 1600

/**
 * Creates or starts the server of a folder if necessary, and connects to it.
 * @param folder absolute
 * @throws {CannotServe}
 */
export async function usePrivateServer(folder: string, options: ServerOptions = {}): Promise<PrivateServer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const how = findHow(folder)
  let presence = await alone(folder, () => reach(folder, how, options))
  const address = openAddress(folder)
  if (address === undefined) throw new CannotServe(damage(folder, 'its server ended at once'))
  const inode = inodeOf(folder)
  const pid = readPidFile(folder)?.pid
  let isClosing = false
  let revival: Promise<void> | undefined

  const revive = async () => {
    options.onEnd?.('The database server has ended; it is being started again.')
    for (let waitMs = 100; !isClosing; waitMs = Math.min(waitMs * 2, 5000)) {
      try {
        requireFolder()
        presence = await alone(folder, () => reach(folder, how, options, true))
        watch(presence)
        options.onEnd?.('The database server works again.')
        return
      } catch (error) {
        if (error instanceof FolderGone) throw error
        // The first attempts may find what the ended server still holds.
        if (waitMs >= TELL_FROM_MS) options.onEnd?.(error instanceof Error ? error.message : String(error))
      }
      await pause(waitMs)
    }
  }
  const watch = (client: pg.Client) => {
    client.once('end', () => {
      if (isClosing || options.onEnd === undefined) return
      // An error that nothing catches ends the process, because what it would write now might be lost.
      revival = revive().catch((error) => {
        queueMicrotask(() => {
          throw error
        })
      })
    })
  }
  const requireFolder = () => {
    if (inodeOf(folder) === inode) return
    if (pid !== undefined) signal(pid, 'SIGINT')
    throw new FolderGone(folder)
  }
  const looking =
    options.onEnd === undefined ? undefined : setInterval(() => requireFolder(), LOOK_MS).unref()
  watch(presence)

  return {
    cluster: realpathSync(clusterOf(folder)),
    connection: { connectionString: urlOf(address), ssl: false },
    async asSuperuser(statements) {
      const client = superuserOf(address, ROLE)
      await client.connect()
      try {
        for (const statement of statements) await client.query(statement)
      } finally {
        await client.end()
      }
    },
    async close() {
      isClosing = true
      clearInterval(looking)
      await revival
      if (inodeOf(folder) === inode) await alone(folder, () => leave(presence, folder, how))
      else await presence.end().catch(() => {})
      address.close()
    },
  }
}

/** Deletes the database of a folder. @returns false if a server has it: nothing is deleted then */
export const removeCluster = (folder: string): Promise<boolean> =>
  alone(folder, async () => {
    if (isServing(folder)) return false
    rmSync(realpathSync(clusterOf(folder)), { recursive: true, force: true })
    rmSync(clusterOf(folder), { force: true })
    return true
  })

interface How {
  readonly programs: Programs
  readonly runner: Runner
}

/** @throws {CannotServe} */
function findHow(folder: string): How {
  const owner = statSync(clusterOf(folder), { throwIfNoEntry: false })
  const runner = findRunner(folder, owner)
  if (runner === undefined) {
    throw new CannotServe(
      `PostgreSQL does not run as root, and there is no other user that may use ${folder}: neither in a user namespace, which this system does not permit, nor a user "nobody". Run Sojourn as another user, or set DATABASE_URL to a PostgreSQL database.`,
    )
  }
  const copies = runner.kind === 'user' ? SHARED_FOLDER : join(cacheFolder(), 'sojourn')
  const programs = findPrograms(runner, copies)
  if ('missing' in programs) {
    throw new CannotServe(
      `There is no PostgreSQL for the folder: ${programs.missing}. Install PostgreSQL 15 or newer (Debian: "apt-get install postgresql"), or set DATABASE_URL to a PostgreSQL database.`,
    )
  }
  return { programs, runner }
}

const cacheFolder = () => process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '/var/cache', '.cache')

const inodeOf = (folder: string) => statSync(clusterOf(folder), { throwIfNoEntry: false })?.ino

/**
 * Connects, and starts the server before that if none answers. Called by one process at a time.
 * @param isAgain whether this process has used it before, so that its address must be the same
 */
async function reach(folder: string, how: How, options: ServerOptions, isAgain = false): Promise<pg.Client> {
  if (isNewFolder(folder)) {
    options.onCreating?.(asAnother(folder, how.runner))
    await createCluster(folder, how.programs, how.runner, options.isBySocket)
  }
  const running = await connect(folder, () => isServing(folder))
  if (running !== undefined) return running
  const password = passwordOf(folder)
  const network = password === undefined ? undefined : { host: HOST, port: await portFor(folder, isAgain) }
  const problem = versionProblem(folder, how.programs.major) ?? copyProblem(folder)
  if (problem !== undefined) throw new CannotServe(problem)
  await makeRoom(realpathSync(clusterOf(folder)))
  const { child, logged } = startServer(folder, how.programs, how.runner, network, options.isDiscarded)
  let hasEnded = false
  child.once('exit', () => {
    hasEnded = true
  })
  child.once('error', () => {
    hasEnded = true
  })
  const end = performance.now() + START_MS_MAX
  while (!hasEnded && performance.now() < end) {
    const started = await connect(folder, () => !hasEnded)
    if (started !== undefined) {
      await makeDatabase(started, password)
      return started
    }
    await pause(POLL_MS)
  }
  const messages = lastMessages(folder, logged)
  throw new CannotServe(NO_SPACE.test(messages) ? full(folder) : damage(folder, messages))
}

function asAnother(folder: string, runner: Runner): string | undefined {
  if (runner.kind !== 'user') return undefined
  const place = placeFor(folder, runner)
  const where = place === clusterOf(folder) ? '' : ` and are in ${place}`
  return `PostgreSQL does not run as root, so its files belong to the user ${runner.name}${where}.`
}

/**
 * A copy of a folder that was in use has the process of the original, and files of different moments.
 * A folder that was moved after a kill has it as well, but there is no original any more.
 */
function copyProblem(folder: string): string | undefined {
  const own = clusterOf(folder)
  const { pid, original } = readPidFile(folder) ?? {}
  if (pid === undefined || original === undefined) return undefined
  const isOwn = statSync(original, { throwIfNoEntry: false })?.ino === statSync(own).ino
  if (!isOwn && existsSync(join(original, 'PG_VERSION'))) {
    return `${own} is a copy of ${original} that was made while that was in use, so its files may not fit together. Make a copy with "sojourn backup" and "sojourn restore".`
  }
  // The process of before has ended. PostgreSQL would take for a server what has its number now, also if nobody has reaped it.
  if (!isServing(folder)) {
    for (const name of ['postmaster.pid', SOCKET, `${SOCKET}.lock`]) rmSync(join(own, name), { force: true })
  }
  return undefined
}

/** @returns undefined if no server listens @throws {CannotServe} if this user may not connect */
async function connect(folder: string, isStarting: () => boolean): Promise<pg.Client | undefined> {
  const end = performance.now() + START_MS_MAX
  while (true) {
    const address = openAddress(folder)
    // Another program may have the port of a server that was killed, and must not be offered the password.
    if (address === undefined || (address.password !== undefined && !isServing(folder))) return undefined
    const client = superuserOf(address, 'postgres')
    try {
      await client.connect()
      await client.query('select pg_advisory_lock_shared($1)', [PRESENCE])
      return client
    } catch (error) {
      await client.end().catch(() => {})
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code === 'EACCES' || code === 'EPERM') {
        throw new CannotServe(`The database of this folder is another user's: run the command as that user.`)
      }
      // It starts, recovers, or ends.
      if (!/^57P0[123]$/.test(code) || !isStarting()) return undefined
      if (performance.now() > end) throw error
    } finally {
      address.close()
    }
    await pause(POLL_MS)
  }
}

/** Harmless if they exist. */
async function makeDatabase(client: pg.Client, password: string | undefined): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    'select exists (select from pg_roles where rolname = $1) as role, exists (select from pg_database where datname = $1) as database',
    [ROLE],
  )
  if (!rows[0]?.role) {
    const secret = password === undefined ? '' : ` password ${client.escapeLiteral(password)}`
    await client.query(`create role ${ROLE} login${secret}`)
  }
  if (!rows[0]?.database) await client.query(`create database ${ROLE} owner ${ROLE}`)
}

/** Stops the server unless another process uses it. Called by one process at a time. */
async function leave(presence: pg.Client, folder: string, { programs }: How): Promise<void> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [PRESENCE])
    const { rows } = await presence.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
      PRESENCE,
    ])
    if (rows[0]?.last) await stopServer(folder, programs)
  } catch {
    // The server has ended already.
  } finally {
    await presence.end().catch(() => {})
  }
}

function superuserOf({ host, port, password }: Address, database: string): pg.Client {
  const client = new pg.Client({
    host,
    port,
    password,
    user: 'postgres',
    database,
    ssl: false,
    application_name: 'presence',
    connectionTimeoutMillis: 10_000,
  })
  // Its end is an event of its own.
  client.on('error', () => {})
  return client
}

const urlOf = ({ host, port, password = '' }: Address) =>
  `postgres://${ROLE}${password && `:${password}`}@localhost:${port}/${ROLE}?host=${encodeURIComponent(host)}`
