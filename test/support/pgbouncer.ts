/** A connection pooler in front of a PostgreSQL server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { afterwards } from './database.ts'
import { freePort } from './free-port.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Whether this machine has the program. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

/**
 * Starts it, in the only mode that works: a connection to it is one to the server for as long as it lives.
 * @param url of the server, with its database @returns the URL through the pooler
 */
export async function pooled(url: string): Promise<string> {
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
pool_mode = session
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
