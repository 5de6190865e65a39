/** A real PostgreSQL server in a temporary folder, for the tests only: fast, and without any durability. */
import { fork, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { GuardianMessage, GuardianSettings } from './postgres-guardian.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface PostgresServer {
  /** URL of the database `postgres` as the superuser. */
  readonly url: string
  /** Contains the folder `data`. */
  readonly folder: string
  /** Cuts every connection and restarts the server on the same port and data. */
  restart(): Promise<void>
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // The path of a local socket has a short limit, which a temporary folder may exceed.
  unix_socket_directories: '',
  // Every test has its own database and pool.
  max_connections: '400',
  shared_buffers: '64MB',
  // The data is discarded, so nothing needs to survive a crash.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  jit: 'off',
  // The server's messages are searched for the line that says it is ready.
  lc_messages: 'C',
  log_min_messages: 'log',
  log_statement: 'none',
}

/** Starting takes one second, or twenty on a machine with ten times the load. */
const START_MS_MAX = 60_000

/** @param settings of the server, in addition to those above */
export async function startPostgres(
  binaries: PostgresBinaries,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = makeTemporaryFolder()
  const password = randomBytes(12).toString('hex')
  try {
    if (binaries.user !== undefined) chownSync(folder, binaries.user.uid, binaries.user.gid)
    initialize(binaries, folder, password)
    return await launchPostgres(binaries, folder, password, settings)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function initialize(binaries: PostgresBinaries, folder: string, password: string): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (binaries.user !== undefined) chownSync(passwordFile, binaries.user.uid, binaries.user.gid)
  const initdb = (...locale: string[]) =>
    spawnSync(
      join(binaries.folder, 'initdb'),
      [
        `--pgdata=${join(folder, 'data')}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        // On a shared machine, others must not get in. Passwords are in clear text because hashing slows each
        // connection.
        '--auth=password',
        '--encoding=UTF8',
        '--no-sync',
        ...locale,
      ],
      { encoding: 'utf8', cwd: folder, timeout: 120_000, ...binaries.user },
    )
  // Sorts by a language, as most servers do, while the database of a folder sorts by byte: a query that depends on the
  // database's own collation gives different results on the two, so a test notices it.
  let run = initdb('--locale=C', '--locale-provider=icu', '--icu-locale=en')
  if (run.status !== 0) run = initdb('--locale=C')
  rmSync(passwordFile)
  if (run.status !== 0) throw new Error(`initdb failed: ${run.error?.message ?? run.stderr}`)
}

/** Starts a server on the folder's data, which has this superuser's password. */
export async function launchPostgres(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
  own: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const port = await freePort()
  const values = { ...SETTINGS, ...own }
  const settings: GuardianSettings = {
    file: join(binaries.folder, 'postgres'),
    args: [
      '-D',
      join(folder, 'data'),
      '-p',
      `${port}`,
      ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    folder,
    user: binaries.user,
  }
  // In its own process group, so that Ctrl-C in a terminal only reaches the tests, and the server ends after them.
  const guardian = fork(new URL('./postgres-guardian.ts', import.meta.url), [JSON.stringify(settings)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  })
  const ready = async () => {
    const signal = AbortSignal.timeout(START_MS_MAX)
    const [message] = (await Promise.race([
      once(guardian, 'message', { signal }),
      once(guardian, 'exit').then(() => [{ failed: 'its guardian ended' }]),
    ])) as [GuardianMessage]
    if ('failed' in message) throw new Error(`PostgreSQL did not start: ${message.failed}`)
  }
  await ready()
  return {
    folder,
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async restart() {
      guardian.send('restart')
      await ready()
    },
    async stop() {
      if (guardian.exitCode !== null) return
      const ended = once(guardian, 'exit')
      if (guardian.connected) guardian.disconnect()
      await ended
    },
  }
}
