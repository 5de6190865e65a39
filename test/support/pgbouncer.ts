/** A connection pooler in front of a PostgreSQL server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { alterRole } from '../../src/core/database/postgres/postgres-pooler.ts'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import { afterwards } from './database.ts'
import { freePort } from './free-port.ts'
import { adminQuery } from './postgres-databases.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Whether this machine has the program. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0

/**
 * Starts it, with the settings of deploy/pgbouncer.ini.
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
    withSettings(deployFile('pgbouncer.ini'), {
      sojourn: `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`,
      listen_port: `${own}`,
      auth_type: 'any',
      auth_file: '',
      pool_mode: mode,
      default_pool_size: `${servers}`,
      // The tests open as many as they like.
      max_client_conn: '1000',
    }),
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

/** A text of settings, in which each of these has another value. @throws if it has one of them not at all */
function withSettings(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((changed, [name, value]) => {
    const line = new RegExp(`^${name} =.*$`, 'm')
    if (!line.test(changed)) throw new Error(`deploy/pgbouncer.ini does not have ${name}`)
    return changed.replace(line, () => (value === '' ? '' : `${name} = ${value}`))
  }, text)
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
