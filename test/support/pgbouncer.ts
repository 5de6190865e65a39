/** A connection pooler in front of a PostgreSQL server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { alterRole } from '../../src/database/postgres-pooler.ts'
import { afterwards } from './database.ts'
import { freePort } from './free-port.ts'
import { adminQuery } from './postgres-databases.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Whether this machine has the program. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

/**
 * Starts it.
 * @param url of the server, with its database
 * @param mode `session`: a connection to it is one to the server for as long as it lives. `transaction`: each transaction
 * may run on another one; there are `servers` of them
 * @returns the URL through the pooler
 */
export async function pooled(
  url: string,
  mode: 'session' | 'transaction' = 'session',
  servers = 20,
): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const { user } = inject('postgresBinaries')
  const folder = makeTemporaryFolder()
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
sojourn = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${servers}
server_login_retry = 1
`,
  )
  for (const path of [folder, file]) {
    chmodSync(path, 0o700)
    if (user !== undefined) chownSync(path, user.uid, user.gid)
  }
  const child = spawn('pgbouncer', [file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user })
  afterwards(() => ended(child))
  await listening(child)
  return `postgres://sojourn@127.0.0.1:${own}/sojourn`
}

/** Gives the role of this URL what transaction mode requires. */
export async function prepareRole(url: string): Promise<void> {
  for (const statement of alterRole(decodeURIComponent(new URL(url).username)))
    await adminQuery(url, statement)
}

async function listening(child: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('process up')) resolve()
    })
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`pgbouncer did not start: ${said}`)))
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
