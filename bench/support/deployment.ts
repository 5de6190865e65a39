/** The service as a center's IT runs it: HAProxy, two instances, Redis, a PostgreSQL server with a replica, a pooler if wished. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createKey } from '../../src/core/access/keys/create-key.ts'
import { ORDINARY_SCOPES } from '../../src/core/access/keys/scopes.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { alterRole } from '../../src/core/database/postgres/postgres-pooler.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { freePort } from '../../test/support/free-port.ts'
import { findPostgres } from '../../test/support/postgres-binaries.ts'
import { adminQuery } from '../../test/support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts'
import { FOLLOWED, type Standby, startStandby } from '../../test/support/postgres-standby.ts'
import { makeTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { guest, spa } from '../../test/support/world.ts'
import { deployFile, deployPath } from '../../tools/docs/deploy-blocks.ts'
import { type Bench, BenchFailed } from './bench.ts'
import { bearer } from './client.ts'
import { startProgram } from './processes.ts'
import { type Service, startService } from './service.ts'

/** Guests of the one center. */
const GUESTS = 40
const KEYS = 8
const LIMIT = 1_000_000_000

/** A program that can be killed and started again. */
export interface Program {
  readonly pid: () => number
  kill(): Promise<void>
  start(): Promise<void>
}

export interface Deployment {
  /** of the proxy */
  readonly url: string
  readonly keys: readonly Readonly<Record<string, string>>[]
  /** leads to the primary, whatever is between it and the service */
  readonly database: Database
  readonly primary: PostgresServer
  readonly standby: Standby
  readonly redis: Program
  readonly pooler: Program | undefined
  readonly instances: readonly Instance[]
}

export interface Instance {
  readonly service: () => Service
  /** port of its metrics */
  readonly operationsPort: number
  kill(): Promise<void>
  start(): Promise<void>
}

export async function startDeployment(bench: Bench, { pooled = false } = {}): Promise<Deployment> {
  const binaries = findPostgres()
  if (!binaries.found) throw new BenchFailed(`PostgreSQL does not start: ${binaries.reason}`)
  const primary = await startPostgres(binaries, FOLLOWED)
  bench.afterwards(() => primary.stop())
  const database = openPostgres({
    connection: { connectionString: primary.url },
    poolSize: 4,
    purpose: 'command',
  })
  bench.afterwards(() => database.close())
  await migrate(database)
  const records = [spa(), ...Array.from({ length: GUESTS }, (_, at) => guest(`${at + 1}`)).flat()]
  await importRecords(
    database,
    records.map((record, at) => ({ file: 'bench', line: at + 1, text: JSON.stringify(record) })),
    { onProblem: (problem) => bench.log(JSON.stringify(problem)) },
  )
  const keys: Readonly<Record<string, string>>[] = []
  for (let n = 0; n < KEYS; n += 1) {
    const input = {
      centerId: 'spa',
      name: `bench ${n}`,
      scopes: ORDINARY_SCOPES,
      perHour: LIMIT,
      perMinute: LIMIT,
    }
    keys.push(bearer((await createKey(database, input, { random: randomBytes, now: Date.now() })).apiKey))
  }
  const standby = await startStandby(binaries, primary)
  bench.afterwards(() => standby.stop())
  await standby.catchUp()

  const redisPort = await freePort()
  const redis = await startRestartable(bench, 'redis-server', [
    ...['--port', `${redisPort}`, '--bind', '127.0.0.1'],
    ...['--save', '', '--appendonly', 'no', '--dir', makeTemporaryFolder()],
  ])
  const poolerPort = await freePort()
  const pooler = pooled ? await startPooler(bench, binaries.user, primary.url, poolerPort) : undefined
  const databaseUrl = pooled ? `postgres://sojourn@127.0.0.1:${poolerPort}/sojourn` : primary.url

  const ports = [await freePort(), await freePort()]
  const instances = await Promise.all(
    ports.map(async (port): Promise<Instance> => {
      const operationsPort = await freePort()
      const dataDir = makeTemporaryFolder()
      const start = () =>
        startService(bench, {
          databaseUrl,
          dataDir,
          env: {
            PORT: `${port}`,
            OPERATIONS_PORT: `${operationsPort}`,
            LOG_LEVEL: 'silent',
            RATE_LIMIT_STORE: `redis://127.0.0.1:${redisPort}`,
            DATABASE_READ_URL: standby.url,
            DATABASE_POOLER: `${pooled}`,
          },
        })
      // Another program may have had the port for a moment.
      const startAgain = async (tries = 5): Promise<Service> => {
        try {
          return await start()
        } catch (error) {
          if (tries === 0) throw error
          await wait(500)
          return startAgain(tries - 1)
        }
      }
      let service = await startAgain()
      return {
        service: () => service,
        operationsPort,
        async kill() {
          process.kill(service.pid, 'SIGKILL')
          await wait(50)
        },
        async start() {
          service = await startAgain()
        },
      }
    }),
  )
  const url = await startHaproxy(bench, ports)
  return { url, keys, database, primary, standby, redis, pooler, instances }
}

async function startRestartable(
  bench: Bench,
  file: string,
  args: readonly string[],
  user?: { readonly uid: number; readonly gid: number },
): Promise<Program> {
  let { child } = startProgram(bench, file, args, {}, 'ignore', user)
  return {
    pid: () => child.pid ?? 0,
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async start() {
      child = startProgram(bench, file, args, {}, 'ignore', user).child
    },
  }
}

async function startPooler(
  bench: Bench,
  user: { readonly uid: number; readonly gid: number } | undefined,
  serverUrl: string,
  port: number,
): Promise<Program> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(serverUrl)
  for (const statement of alterRole(decodeURIComponent(username))) await adminQuery(serverUrl, statement)
  const folder = makeTemporaryFolder()
  const file = join(folder, 'pgbouncer.ini')
  const values: Readonly<Record<string, string>> = {
    sojourn: `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username} password=${password}`,
    listen_port: `${port}`,
    auth_type: 'any',
    auth_file: '',
    max_client_conn: '1000',
  }
  writeFileSync(
    file,
    Object.entries(values).reduce(
      (text, [name, value]) =>
        text.replace(new RegExp(`^${name} =.*$`, 'm'), () => (value === '' ? '' : `${name} = ${value}`)),
      deployFile('pgbouncer.ini'),
    ),
  )
  for (const path of [folder, file]) {
    chmodSync(path, 0o700)
    if (user !== undefined) chownSync(path, user.uid, user.gid)
  }
  const pooler = await startRestartable(bench, 'pgbouncer', [file], user)
  await wait(1000)
  return pooler
}

/** With the settings of deploy/haproxy.cfg. @returns its address */
async function startHaproxy(bench: Bench, ports: readonly number[]): Promise<string> {
  const port = await freePort()
  const folder = makeTemporaryFolder()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'haproxy.cfg')
  const servers = ports.map((to, at) => `  server instance${at} 127.0.0.1:${to}\n`).join('')
  writeFileSync(
    file,
    `${deployFile('haproxy.cfg')
      .replace('/etc/haproxy/haproxy-not-http.lua', deployPath('haproxy-not-http.lua'))
      .replace(/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`)
      .replaceAll('abns@sojourn-clients', `abns@sojourn-bench-${port}`)
      .replaceAll(/^ {2}server (?:one|two) .*\n/gm, '')}${servers}`,
  )
  startProgram(bench, 'haproxy', ['-db', '-f', file], {}, 'ignore')
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 1200; tries += 1) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return url
    await wait(50)
  }
  throw new BenchFailed('haproxy did not find an instance')
}

/** The server and all its processes, the oldest first. */
export function serverProcesses({ folder }: Pick<PostgresServer, 'folder'>): number[] {
  const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  return [Number(pid), ...childrenOf(Number(pid))]
}

/** The processes that another one has started. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
