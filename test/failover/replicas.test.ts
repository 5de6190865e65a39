/** Lists read from a standby that follows its primary by streaming: while it runs, is behind, is gone, or is no standby. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openReplicas } from '../../src/core/database/open.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { createReplicas } from '../../src/core/database/replicas.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { type Instance, rename, startInstance } from '../answer/instances.ts'
import { startServe } from '../commands/sojourn.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { hasPgbouncer, pooled, prepareRole } from '../support/pgbouncer.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { FOLLOWED, type Standby, startStandby } from '../support/postgres-standby.ts'
import { proxyTo, type TcpProxy } from '../support/tcp-proxy.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest } from '../support/world.ts'

// Each test starts two servers.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

interface Pair {
  readonly api: TestApi
  readonly primary: PostgresServer
  readonly standby: Standby
  /** leads to the primary */
  readonly proxy: TcpProxy
}

async function startPair(settings: Readonly<Record<string, string>> = {}): Promise<Pair> {
  const binaries = inject('postgresBinaries')
  const primary = await startPostgres(binaries, FOLLOWED)
  onTestFinished(() => primary.stop())
  const database = openPostgres({
    connection: { connectionString: primary.url },
    poolSize: 2,
    purpose: 'command',
  })
  onTestFinished(() => database.close())
  await migrate(database)
  const api = await startTestApi({ database, records: guest('1') })
  const standby = await startStandby(binaries, primary, settings)
  onTestFinished(() => standby.stop())
  await standby.catchUp()
  const proxy = await proxyTo(primary.url)
  onTestFinished(() => proxy.close())
  return { api, primary, standby, proxy }
}

interface Served extends Instance {
  readonly said: readonly string[]
  readonly reads: () => Promise<number>
  readonly usable: () => Promise<number>
}

async function serve(
  { api, proxy, standby }: Pair,
  { url = proxy.url, readUrls = [standby.url], pooler = false } = {},
): Promise<Served> {
  const database = openPostgres({
    connection: { connectionString: url },
    poolSize: 5,
    pooler,
    purpose: 'serve',
  })
  onTestFinished(() => database.close())
  const said: string[] = []
  const config = { databaseReadUrls: readUrls, databasePoolSize: 5, databasePooler: pooler }
  const replicas = openReplicas(config, database, (sentence) => void said.push(sentence))
  onTestFinished(() => replicas?.close())
  const instance = await startInstance({ database }, api.key, { replicas, answerCacheMb: 0 })
  return {
    ...instance,
    said,
    reads: () => instance.metric('sojourn_replica_reads_total'),
    usable: () => instance.metric('sojourn_replicas_usable'),
  }
}

/** Until the replica is used. */
async function used(instance: Served): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = await instance.reads()
      await instance.get(GUESTS)
      expect(await instance.reads()).toBe(before + 1)
    },
    { timeout: 60_000, interval: 50 },
  )
}

let names = 0

/** Commits, and expects the next answers to show it. */
async function expectFresh(api: Pick<TestApi, 'database'>, instance: Instance, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    names += 1
    const name = `Fresh${names}`
    await rename(api, name)
    const answer = await instance.get(GUESTS)
    expect([answer.status, answer.text.includes(name)]).toEqual([200, true])
  }
}

/** The same until the replica has answered this often. A busy machine is behind now and then. */
async function expectFreshOfReplica(
  api: Pick<TestApi, 'database'>,
  instance: Served,
  times: number,
): Promise<void> {
  const until = (await instance.reads()) + times
  const end = performance.now() + 90_000
  while ((await instance.reads()) < until) {
    await expectFresh(api, instance, 10)
    expect(performance.now()).toBeLessThan(end)
  }
}

/** The server and all its processes, the oldest first. */
function processesOf({ folder }: Standby): number[] {
  const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/)
  return [pid, ...children].filter(Boolean).map(Number)
}

test('a standby that runs answers, and no answer is older than its request', async () => {
  const pair = await startPair()
  const instance = await serve(pair)
  await used(instance)
  await expectFreshOfReplica(pair.api, instance, 100)
  expect(instance.said.at(-1)).toMatch(/^The replica PostgreSQL at 127\.0\.0\.1:\d+\/postgres is used\.$/)
})

test('a standby whose replay is paused is left alone, and used again afterwards', async () => {
  const pair = await startPair()
  const instance = await serve(pair)
  await used(instance)
  await adminQuery(pair.standby.url, 'select pg_wal_replay_pause()')
  await expectFresh(pair.api, instance, 40)
  expect(await instance.usable()).toBe(0)
  expect(instance.said.at(-1)).toContain('is not used: it is too far behind')
  await adminQuery(pair.standby.url, 'select pg_wal_replay_resume()')
  await pair.standby.catchUp()
  await used(instance)
  await expectFresh(pair.api, instance, 20)
})

test('a standby that is two seconds behind is not used, and the metric says how far behind it is', async () => {
  const pair = await startPair()
  const instance = await serve(pair)
  const lag = () => instance.metric('sojourn_replica_lag_seconds')
  const delay = async (seconds: number) => {
    await adminQuery(pair.standby.url, `alter system set recovery_min_apply_delay = '${seconds}s'`)
    await adminQuery(pair.standby.url, 'select pg_reload_conf()')
  }
  await used(instance)
  await delay(2)
  await vi.waitFor(
    async () => {
      await expectFresh(pair.api, instance, 5)
      expect([(await lag()) > 1, await instance.usable()]).toEqual([true, 0])
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(instance.said.at(-1)).toContain('is not used: it is too far behind')
  await delay(0)
  await pair.standby.catchUp()
  await used(instance)
  await vi.waitFor(async () => expect(await lag()).toBe(0), { timeout: 60_000, interval: 50 })
})

test('a standby that is stopped keeps nobody waiting for long, and is used again when it continues', async () => {
  const pair = await startPair()
  const instance = await serve(pair)
  await used(instance)
  const failed = () => instance.metric('sojourn_replica_fallbacks_total{reason="failed"}')
  const before = await failed()
  const pids = processesOf(pair.standby)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await expectFresh(pair.api, instance, 20)
    expect((await failed()) - before).toBe(1)
  } finally {
    for (const pid of pids.reverse()) process.kill(pid, 'SIGCONT')
  }
  await used(instance)
  await expectFresh(pair.api, instance, 20)
})

test('a standby that is gone is not missed', async () => {
  const pair = await startPair()
  const other = await startStandby(inject('postgresBinaries'), pair.primary)
  onTestFinished(() => other.stop())
  const instance = await serve(pair, { readUrls: [pair.standby.url, other.url] })
  await vi.waitFor(
    async () => {
      await instance.get(GUESTS)
      expect(await instance.usable()).toBe(2)
    },
    { timeout: 60_000, interval: 50 },
  )
  await pair.standby.stop()
  await expectFresh(pair.api, instance, 20)
  expect(await instance.usable()).toBe(1)
  await other.stop()
  await expectFresh(pair.api, instance, 20)
  expect(await instance.usable()).toBe(0)
  // A service also starts without any.
  await expectFresh(pair.api, await serve(pair, { readUrls: [pair.standby.url] }), 5)
})

test('a standby that was promoted by accident is not read, however new its own commits are', async () => {
  const pair = await startPair()
  const instance = await serve(pair)
  await used(instance)
  await pair.standby.promote()
  const astray = openPostgres({
    connection: { connectionString: pair.standby.url },
    poolSize: 1,
    purpose: 'command',
  })
  onTestFinished(() => astray.close())
  // Its revision is ahead of the primary's from now on.
  for (let n = 0; n < 100; n += 1) await rename({ database: astray }, 'Astray')
  await expectFresh(pair.api, instance, 20)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await expectFresh(pair.api, instance, 20)
  expect(await instance.usable()).toBe(0)
  await vi.waitFor(async () => {
    await instance.get(GUESTS)
    expect(instance.said.at(-1)).toContain('is not used: it is not a standby')
  }, 60_000)
  await expectFresh(pair.api, await serve(pair), 20)
})

test('a standby that has what the new primary has lost is not read after a failover', async () => {
  const pair = await startPair()
  const { api, proxy, standby: promoted } = pair
  const follower = await startStandby(inject('postgresBinaries'), pair.primary)
  onTestFinished(() => follower.stop())
  await follower.catchUp()
  const instance = await serve(pair, { readUrls: [follower.url] })
  await used(instance)
  await promoted.catchUp()
  await promoted.disconnect()
  for (const name of ['Lost', 'Lost again', 'Lost too']) await rename(api, name)
  await follower.catchUp()
  expect((await instance.get(GUESTS)).text).toContain('Lost too')
  await promoted.promote()
  proxy.leadTo(promoted.url)
  proxy.cut()
  const after = openPostgres({
    connection: { connectionString: promoted.url },
    poolSize: 2,
    purpose: 'command',
  })
  onTestFinished(() => after.close())
  await vi.waitFor(async () => expect((await instance.get(GUESTS)).status).toBe(200), 60_000)
  const before = await instance.reads()
  expect((await instance.get(GUESTS)).text).not.toContain('Lost')
  await expectFresh({ database: after }, instance, 3)
  for (let n = 0; n < 3; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect((await instance.get(GUESTS)).text).not.toContain('Lost')
  }
  expect(await instance.reads()).toBe(before)
})

test('a read that a standby cancels for what the primary has removed goes to the primary', async () => {
  const pair = await startPair({ max_standby_streaming_delay: '0' })
  const open = (url: string, replica: boolean) => {
    const database = openPostgres({
      connection: { connectionString: url },
      poolSize: 2,
      purpose: 'serve',
      replica,
    })
    onTestFinished(() => database.close())
    return database
  }
  const primary = open(pair.proxy.url, false)
  const replicas = createReplicas({
    primary,
    servers: [{ place: 'the standby', database: open(pair.standby.url, true) }],
  })
  await primary.ping()
  await vi.waitFor(
    async () => {
      await replicas.read(primary.generation(), async () => {})
      expect(replicas.numbers.usable).toBe(1)
    },
    { timeout: 60_000, interval: 50 },
  )
  const slow = sql`select count(*) from customers, pg_sleep(2)`
  const reading = replicas.read<unknown>(primary.generation(), async (replica) =>
    replica === undefined ? 'primary' : replica.queryArrays(slow, 'heavy'),
  )
  await vi.waitFor(async () => {
    const { rows } = await adminQuery(
      pair.standby.url,
      `select from pg_stat_activity where query like '%pg_sleep(2)%' and pid <> pg_backend_pid() and state = 'active'`,
    )
    expect(rows).toHaveLength(1)
  }, 60_000)
  await adminQuery(pair.primary.url, 'begin; lock table customers in access exclusive mode; commit')
  expect(await reading).toBe('primary')
  expect(replicas.numbers).toMatchObject({ fallbacks: { conflict: 1, failed: 0 }, usable: 1 })
})

test('the command reads from a replica', async () => {
  const pair = await startPair()
  const operationsPort = await freePort()
  const service = await startServe({
    DATABASE_URL: pair.primary.url,
    DATABASE_READ_URL: pair.standby.url,
    DATA_DIR: makeTemporaryFolder(),
    OPERATIONS_PORT: String(operationsPort),
  })
  await vi.waitFor(
    async () => {
      names += 1
      await rename(pair.api, `Served${names}`)
      const answer = await fetch(`${service.address}${GUESTS}`, {
        headers: { ...pair.api.key.headers, connection: 'close' },
      })
      expect(await answer.text()).toContain(`Served${names}`)
      const metrics = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text()
      const reads = Number(/^sojourn_replica_reads_total (\d+)$/m.exec(metrics)?.[1])
      expect(reads).toBeGreaterThan(10)
      expect(metrics).toMatch(/^sojourn_replicas_usable 1$/m)
    },
    { timeout: 60_000, interval: 20 },
  )
})

test.runIf(hasPgbouncer)('a replica behind a pooler in transaction mode', async () => {
  const pair = await startPair()
  await prepareRole(pair.primary.url)
  await pair.standby.catchUp()
  const instance = await serve(pair, {
    url: await pooled(pair.primary.url, 'transaction'),
    readUrls: [await pooled(pair.standby.url, 'transaction')],
    pooler: true,
  })
  await used(instance)
  await expectFreshOfReplica(pair.api, instance, 20)
  await pair.standby.promote()
  await expectFresh(pair.api, instance, 10)
  expect(await instance.usable()).toBe(0)
})
