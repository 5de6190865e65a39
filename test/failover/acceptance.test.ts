/** The acceptance suite on what a company operates: two instances behind HAProxy, and lists read from a standby. */
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openReplicas } from '../../src/core/database/open.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { DEMO_CENTER_ID, demoRecords } from '../../src/parts/demo/demo-records.ts'
import { expectToPass } from '../acceptance/passes.ts'
import { metricOf } from '../answer/instances.ts'
import { startTestApi, type TestApi, type TestKey } from '../support/api.ts'
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { FOLLOWED, type Standby, startStandby } from '../support/postgres-standby.ts'
import { listen } from '../support/socket.ts'
import type { TestRecord } from '../support/world.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const NOW = '2026-05-14T09:00:00Z'

if (!hasHaproxy) {
  process.stderr.write('\nWARNING: THE TESTS WITH A PROXY DID NOT RUN: haproxy is not installed.\n\n')
}

/** A primary with the demo's records, and a standby. */
async function startPair() {
  const binaries = inject('postgresBinaries')
  const primary = await startPostgres(binaries, FOLLOWED)
  onTestFinished(() => primary.stop())
  const direct = openPostgres({
    connection: { connectionString: primary.url },
    poolSize: 2,
    purpose: 'command',
  })
  onTestFinished(() => direct.close())
  await migrate(direct)
  const records = [...demoRecords({ today: NOW.slice(0, 10) })] as unknown as TestRecord[]
  const writer = await startTestApi({ database: direct, records, now: NOW })
  const standby = await startStandby(binaries, primary)
  onTestFinished(() => standby.stop())
  await standby.catchUp()
  return { writer, primary, standby }
}

/** An instance that reads from the standby. */
async function serve({ primary, standby, writer }: Awaited<ReturnType<typeof startPair>>) {
  const database = openPostgres({
    connection: { connectionString: primary.url },
    poolSize: 5,
    purpose: 'serve',
  })
  onTestFinished(() => database.close())
  const replicas = openReplicas(
    { databaseReadUrls: [standby.url], databasePoolSize: 5, databasePooler: false },
    database,
  )
  onTestFinished(() => replicas?.close())
  const api = await startTestApi({ database, now: NOW, app: { replicas, metricsEveryMs: 0 } })
  let length = 0
  await vi.waitFor(
    async () => {
      length += 1
      await api.as(writer.key).get(`/v1/sessions?startDate=2026-05-01&endDate=2026-05-31&length=${length}`)
      if ((await metricOf(api.app, 'sojourn_replicas_usable')) === 0) throw new Error('not used yet')
    },
    { timeout: 60_000, interval: 50 },
  )
  return api
}

const address = async ({ app }: Pick<TestApi, 'app'>) => `http://127.0.0.1:${await listen(app)}`
const readsOf = ({ app }: Pick<TestApi, 'app'>) => metricOf(app, 'sojourn_replica_reads_total')

test.runIf(hasHaproxy)('the suite passes on two instances behind HAProxy', async () => {
  const pair = await startPair()
  const instances = [await serve(pair), await serve(pair)]
  const ports: number[] = []
  for (const { app } of instances) ports.push(await listen(app))
  const proxy = await startHaproxy(ports)
  for (const at of ports.keys()) await proxy.untilUp(at)
  for (const instance of instances) {
    const key = await keyFor(instance, proxy.url, pair.writer)
    const before = await readsOf(instance)
    await expectToPass(proxy.url, key)
    expect((await readsOf(instance)) - before).toBeGreaterThanOrEqual(20)
  }
})

/** A new key whose requests the proxy sends to this instance: it chooses by key (deploy/haproxy.cfg). */
async function keyFor(instance: TestApi, proxy: string, { createKey }: TestApi): Promise<TestKey> {
  for (let length = 1; ; length += 1) {
    const key = await createKey({ center: DEMO_CENTER_ID })
    const before = await readsOf(instance)
    const question = `startDate=2026-05-01&endDate=2026-05-31&length=${length}`
    const answer = await fetch(`${proxy}/v1/sessions?${question}`, { headers: key.headers })
    expect(answer.status).toBe(200)
    if ((await readsOf(instance)) > before) return key
  }
}

test.each([
  ['runs', 20, async () => {}],
  ['is paused', 0, (standby: Standby) => adminQuery(standby.url, 'select pg_wal_replay_pause()')],
  ['is gone', 0, (standby: Standby) => standby.stop()],
] as const)('the suite passes with a replica that %s', async (_, readsMin, happen) => {
  const pair = await startPair()
  const instance = await serve(pair)
  const before = await readsOf(instance)
  await happen(pair.standby)
  await pair.writer.database.runScript(`update customers set last_name = last_name || 'x'`)
  await expectToPass(await address(instance), pair.writer.key)
  expect((await readsOf(instance)) - before).toBeGreaterThanOrEqual(readsMin)
})
