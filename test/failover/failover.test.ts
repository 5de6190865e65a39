/**
 * An asynchronous replica is promoted after its primary has committed three times more: nothing that only the old primary
 * had is answered from then on, whatever an instance has cached and a client has read.
 */
import sql from 'sql-template-tag'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { migrate } from '../../src/core/database/schema/migrate.ts'
import { type BytesAnswer, type Instance, rename, startInstance } from '../answer/instances.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { hasPgbouncer, pooled, prepareRole } from '../support/pgbouncer.ts'
import { adminQuery } from '../support/postgres-databases.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { FOLLOWED, startStandby } from '../support/postgres-standby.ts'
import { proxyTo, type TcpProxy } from '../support/tcp-proxy.ts'
import { guest } from '../support/world.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const FILE = `${GUESTS}&format=csv`
const SNAPSHOT = `${GUESTS}&snapshot=true`

interface Pair {
  /** on the primary, and after `failOver` on the promoted standby */
  api: Pick<TestApi, 'database'>
  readonly key: TestApi['key']
  readonly proxy: TcpProxy
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** What is committed from now on will be lost. */
  disconnect(): Promise<void>
  promote(): Promise<void>
  stopPrimary(): Promise<void>
}

async function startPair(): Promise<Pair> {
  const binaries = inject('postgresBinaries')
  const primary = await startPostgres(binaries, FOLLOWED)
  onTestFinished(() => primary.stop())
  const open = (connectionString: string) => {
    const database = openPostgres({ connection: { connectionString }, poolSize: 2, purpose: 'command' })
    onTestFinished(() => database.close())
    return database
  }
  const database = open(primary.url)
  await migrate(database)
  const api = await startTestApi({ database, records: guest('1') })
  const standby = await startStandby(binaries, primary)
  onTestFinished(() => standby.stop())
  const proxy = await proxyTo(primary.url)
  onTestFinished(() => proxy.close())
  const pair: Pair = {
    api,
    key: api.key,
    proxy,
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    async disconnect() {
      await standby.catchUp()
      await standby.disconnect()
    },
    async promote() {
      await standby.promote()
      pair.api = { database: open(standby.url) }
    },
    stopPrimary: () => primary.stop(),
  }
  return pair
}

async function serve(key: TestApi['key'], { url, pooler = false }: Way): Promise<Instance> {
  const database = openPostgres({
    connection: { connectionString: url },
    poolSize: 5,
    pooler,
    purpose: 'serve',
  })
  onTestFinished(() => database.close())
  return startInstance({ database }, key)
}

/** Asks again while the service finds the new server. */
async function answered(
  instance: Instance,
  url: string,
  headers?: Record<string, string>,
): Promise<BytesAnswer> {
  let answer = await instance.get(url, headers)
  await vi.waitFor(async () => {
    if (answer.status === 503) answer = await instance.get(url, headers)
    expect(answer.status).not.toBe(503)
  }, 60_000)
  return answer
}

const cursorOf = async (instance: Instance) =>
  JSON.parse((await answered(instance, '/v1/changes')).text).cursor

interface Way {
  readonly url: string
  readonly pooler?: boolean
}

type ToWay = (url: string) => Promise<Way>

const directly: ToWay = async (url) => ({ url })
const inSessionMode: ToWay = async (url) => ({ url: await pooled(url) })
const inTransactionMode: ToWay = async (url) => {
  await prepareRole(url)
  return { url: await pooled(url, 'transaction'), pooler: true }
}

const WAYS: readonly (readonly [string, ToWay])[] = [
  ['directly', directly],
  ...(hasPgbouncer
    ? ([
        ['through a pooler', inSessionMode],
        ['through a pooler in transaction mode', inTransactionMode],
      ] as const)
    : []),
]

if (!hasPgbouncer) {
  process.stderr.write('\nWARNING: THE TESTS WITH A POOLER DID NOT RUN: pgbouncer is not installed.\n\n')
}

describe.each(WAYS)('a failover that loses commits, %s', (_, through) => {
  test('no answer, tag or cursor of the lost commits is used afterwards', async () => {
    const pair = await startPair()
    const { key, proxy } = pair
    const instance = await serve(key, await through(proxy.url))
    await rename(pair.api, 'Before')
    await answered(instance, GUESTS)

    await pair.disconnect()
    for (const name of ['Lost', 'Lost again', 'Lost too']) await rename(pair.api, name)
    const lost = new Map<string, string>()
    for (const url of [GUESTS, FILE, SNAPSHOT]) {
      const answer = await answered(instance, url)
      expect(answer.text).toContain('Lost too')
      lost.set(url, answer.headers.etag ?? '')
    }
    const cursor = await cursorOf(instance)
    const pinned = (await instance.get(SNAPSHOT)).headers['snapshot-cursor'] ?? ''
    const waiting = instance.get(`/v1/changes?after=${cursor}&wait=30`)

    await pair.promote()
    proxy.leadTo(pair.standbyUrl)
    proxy.cut()
    await pair.stopPrimary()

    const expectOnly = async (name: string) => {
      for (const [url, tag] of lost) {
        const answer = await answered(instance, url, { 'if-none-match': tag })
        expect([url, answer.status]).toEqual([url, 200])
        expect(answer.text).toContain(name)
        expect(answer.text).not.toContain('Lost')
      }
      for (const url of [`/v1/changes?after=${cursor}`, `${GUESTS}&snapshot=${pinned}`]) {
        expect([url, (await answered(instance, url)).status]).toEqual([url, 410])
      }
    }
    await expectOnly('Before')
    expect([410, 503]).toContain((await waiting).status)

    // The revision of the lost state comes again, with other commits, and is passed.
    for (const name of ['Found one', 'Found two', 'Found three', 'Found four']) {
      await rename(pair.api, name)
      await expectOnly(name)
    }
    const after = await cursorOf(instance)
    await rename(pair.api, 'Found five')
    expect(JSON.parse((await answered(instance, `/v1/changes?after=${after}`)).text).data).toHaveLength(1)
  }, 300_000)

  test('a center and a key are as they were before the lost commits', async () => {
    const pair = await startPair()
    const { key, proxy } = pair
    const instance = await serve(key, await through(proxy.url))
    const orders = '/v1/orders?startDate=2025-01-01&endDate=2025-01-31'
    expect((await answered(instance, orders)).status).toBe(200)

    await pair.disconnect()
    await pair.api.database.query(sql`update centers set timezone = 'Pacific/Kiritimati'`)
    await pair.api.database.query(sql`update api_keys set scopes = '{guests,guests.personal,sessions}'`)
    expect((await answered(instance, GUESTS)).text).toContain('"startDate":"01/11/2025"')
    expect((await answered(instance, orders)).status).toBe(403)

    await pair.promote()
    proxy.leadTo(pair.standbyUrl)
    proxy.cut()
    expect((await answered(instance, orders)).status).toBe(200)
    expect((await answered(instance, GUESTS)).text).toContain('"startDate":"01/10/2025"')
  }, 300_000)
})

test('a read that is under way on the old server while another is promoted is refused, and not cached', async () => {
  const pair = await startPair()
  const { key, proxy, primaryUrl } = pair
  const instance = await serve(key, { url: proxy.url })
  await rename(pair.api, 'Before')
  await answered(instance, GUESTS)
  await pair.disconnect()
  await rename(pair.api, 'Lost')

  // The read waits for this lock, with its admission behind it.
  await adminQuery(primaryUrl, 'create table held (at integer)')
  const lock = openPostgres({ connection: { connectionString: primaryUrl }, poolSize: 1, purpose: 'command' })
  onTestFinished(() => lock.close())
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const locked = lock.transaction(async (tx) => {
    await tx.query(sql`lock table bookings in access exclusive mode`)
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const reading = instance.get(GUESTS)
  const waits = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await adminQuery(primaryUrl, waits)).rows[0].n).toBe(1), 60_000)

  // New connections lead to the promoted server; of the open ones, only the reserved one is cut.
  await pair.promote()
  proxy.leadTo(pair.standbyUrl)
  await adminQuery(
    primaryUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'sojourn%' and query like '%api_keys%' and wait_event_type is distinct from 'Lock'`,
  )
  const sessions = '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31'
  expect((await answered(instance, sessions)).status).toBe(200)
  held.resolve()
  await locked
  expect((await reading).status).toBe(503)
  const answer = await answered(instance, GUESTS)
  expect(answer.text).toContain('Before')
  expect(answer.text).not.toContain('Lost')
}, 300_000)
