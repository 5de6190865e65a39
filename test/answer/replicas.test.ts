/** Answers from replicas: which plans may use one, and that none is older than its request. */
import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import type { Replicas } from '../../src/core/database/replicas.ts'
import { startTestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { OPERATION_RECORDS, OPERATION_REQUESTS } from '../support/operations.ts'
import { asReplica, inUse, texts } from '../support/replica.ts'
import { guest } from '../support/world.ts'
import { rename, startInstance } from './instances.ts'

const GUESTS = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'
const SNAPSHOT = `${GUESTS}&snapshot=true`

/** Their rows show the revision, and nothing but what it covers. */
const ON_REPLICAS = [
  'getOrder',
  'guestArrivals',
  'listChanges',
  'listGuests',
  'listOrders',
  'listRooms',
  'listSessions',
  'matchGuests',
  'mealPortions',
  'mealSkippingReport',
  'orderControl',
  'search',
  'sessionCalendar',
]

test('each plan is read on a replica if its rows show the revision, and otherwise never', async () => {
  const api = await startTestApi({ records: OPERATION_RECORDS })
  const seen: Sql[] = []
  const replicas = await inUse(api.database, [asReplica(api.database, texts(api.database, seen))])
  const instance = await startInstance(api, api.key, { replicas, answerCacheMb: 0 })
  const plain = await startInstance(api, api.key, { answerCacheMb: 0 })
  const read = new Set<string>()
  for (const { name, url } of OPERATION_REQUESTS) {
    seen.length = 0
    const before = replicas.numbers.reads
    const answer = await instance.get(url)
    expect([name, answer.status]).toEqual([name, 200])
    if (replicas.numbers.reads > before) read.add(name)
    else expect([name, seen.length]).toEqual([name, 0])
    if (read.has(name)) expect(answer.text, name).toBe((await plain.get(url)).text)
  }
  expect([...read].sort()).toEqual(ON_REPLICAS)
  expect(replicas.numbers.fallbacks).toEqual({ late: 0, empty: 0, conflict: 0, failed: 0, error: 0 })
})

test('with a replica that has received nothing since the start, every operation answers as the primary', async () => {
  const api = await startTestApi({ records: OPERATION_RECORDS })
  const stale = await startTestApi({ records: OPERATION_RECORDS, database: await openTestDatabase() })
  await rename(api, 'Changed')
  await api.load(guest('new'))
  await api.database.query(sql`update bookings set status = 'arrived'`)
  // It never rests, so that every request tries it.
  const replicas = await inUse(api.database, [asReplica(stale.database)], stepping(60_000))
  const instance = await startInstance(api, api.key, { replicas, answerCacheMb: 0 })
  const plain = await startInstance(api, api.key, { answerCacheMb: 0 })
  for (const { name, url } of OPERATION_REQUESTS) {
    const [ours, theirs] = [await instance.get(url), await plain.get(url)]
    expect([name, ours.status]).toEqual([name, 200])
    if (ON_REPLICAS.includes(name)) expect(ours.text, name).toBe(theirs.text)
  }
  for (const url of [SNAPSHOT, `${GUESTS}&format=csv`]) {
    expect((await instance.get(url)).text, url).toContain('Arrived')
  }
  expect(replicas.numbers.reads).toBe(0)
  expect(replicas.numbers.fallbacks.late).toBeGreaterThanOrEqual(ON_REPLICAS.length)
})

test('an answer that the replica has three milliseconds later is read there', async () => {
  const { api, behind, replicas, instance } = await startBehind()
  behind.reads = 1
  expect((await instance.get(GUESTS)).text).toContain('Newest')
  expect(replicas.numbers).toMatchObject({ reads: 1, fallbacks: { late: 0 } })
  await rename(api, 'Newer yet')
  behind.reads = 2
  expect((await instance.get(GUESTS)).text).toContain('Newer yet')
  expect(replicas.numbers).toMatchObject({ reads: 1, fallbacks: { late: 1 } })
})

test('a replica that is behind again and again is not used for a while, and longer each time', async () => {
  const { behind, replicas, instance, time, said } = await startBehind()
  behind.reads = Number.POSITIVE_INFINITY
  for (let n = 0; n < 22; n += 1) expect((await instance.get(GUESTS)).text).toContain('Newest')
  expect(replicas.numbers).toMatchObject({ reads: 0, fallbacks: { late: 20 }, without: 2 + behind.before })
  expect(replicas.numbers.usable).toBe(0)
  time.now += 1001
  await instance.get(GUESTS)
  time.now += 1001
  await instance.get(GUESTS)
  expect(replicas.numbers.fallbacks.late).toBe(21)
  behind.reads = 0
  time.now += 1001
  for (let n = 0; n < 30; n += 1) await instance.get(GUESTS)
  expect(replicas.numbers).toMatchObject({ reads: 30, usable: 1 })
  expect(said).toEqual([
    'The replica R1 is used.',
    'The replica R1 is not used: it is too far behind.',
    'The replica R1 is used.',
  ])
})

test('a replica that fails is asked in the background before it is used again', async () => {
  const { behind, replicas, instance, time } = await startBehind()
  behind.error = new DatabaseUnavailable('gone', { cause: Object.assign(new Error('no'), { code: '57P01' }) })
  for (let n = 0; n < 3; n += 1) expect((await instance.get(GUESTS)).status).toBe(200)
  expect(replicas.numbers.fallbacks.failed).toBe(1)
  behind.error = undefined
  time.now += 1001
  await instance.get(GUESTS)
  expect(replicas.numbers.reads).toBe(0)
  await expect.poll(() => replicas.numbers.usable).toBe(1)
  await instance.get(GUESTS)
  expect(replicas.numbers.reads).toBe(1)
})

test.each(['40001', '57014'])('a read that a standby cancels (%s) goes to the primary', async (code) => {
  const { behind, replicas, instance } = await startBehind()
  behind.error = new DatabaseUnavailable('cancelled', {
    cause: Object.assign(new Error('canceling statement'), { code }),
  })
  for (let n = 0; n < 3; n += 1) expect((await instance.get(GUESTS)).text).toContain('Newest')
  expect(replicas.numbers).toMatchObject({ reads: 0, fallbacks: { conflict: 3 }, usable: 1 })
})

test('a replica that does not answer keeps a page waiting for half a second, once', async () => {
  const { behind, replicas, instance } = await startBehind()
  behind.isSilent = true
  expect((await instance.get(GUESTS)).text).toContain('Newest')
  expect((await instance.get(GUESTS)).text).toContain('Newest')
  expect(replicas.numbers.fallbacks.failed).toBe(1)
})

test('what a replica does not have is looked for on the primary', async () => {
  const { api, replicas, instance } = await startBehind()
  const empty = '/v1/orders?startDate=2031-01-01&endDate=2031-01-31'
  expect((await instance.get(empty)).text).toBe('[]')
  expect((await instance.get('/v1/orders/8f3e0f0e-1c39-4b1f-9a3c-0e6d8f4d7a11')).status).toBe(404)
  expect(replicas.numbers).toMatchObject({ reads: 0, fallbacks: { empty: 2, late: 0 } })
  const forged = await instance.get(`/v1/changes?after=${'A'.repeat(52)}`)
  expect(forged.status).toBe((await api.get(`/v1/changes?after=${'A'.repeat(52)}`)).status)
})

test('several replicas are read one after the other', async () => {
  const api = await startTestApi({ records: guest('1') })
  const seen: Sql[][] = [[], [], []]
  const servers = seen.map((own) => asReplica(api.database, texts(api.database, own)))
  const replicas: Replicas = await inUse(api.database, servers)
  const instance = await startInstance(api, api.key, { replicas, answerCacheMb: 0 })
  const before = replicas.numbers.reads
  for (let n = 0; n < 9; n += 1) await instance.get(GUESTS)
  expect(seen.map(({ length }) => length)).toEqual([3, 3, 3])
  expect(await instance.metric('sojourn_replica_reads_total')).toBe(before + 9)
  expect(await instance.metric('sojourn_replica_fallbacks_total{reason="late"}')).toBe(0)
  expect(await instance.metric('sojourn_replicas_usable')).toBe(3)
})

/** A replica that shows an older state for a number of reads, fails, or does not answer. */
async function startBehind() {
  const api = await startTestApi({ records: guest('1') })
  const stale = await startTestApi({ records: guest('1'), database: await openTestDatabase() })
  await rename(api, 'Newest')
  const behind = {
    reads: 0,
    before: 0,
    isSilent: false,
    error: undefined as Error | undefined,
  }
  const replica = asReplica(api.database, {
    queryArrays(statement, kind) {
      if (behind.error !== undefined) return Promise.reject(behind.error)
      if (behind.isSilent) return new Promise(() => {})
      behind.reads -= 1
      return (behind.reads >= 0 ? stale.database : api.database).queryArrays(statement, kind)
    },
  })
  const time = { now: 0 }
  const said: string[] = []
  const replicas = await inUse(api.database, [replica], () => time.now, said)
  behind.before = replicas.numbers.without
  const instance = await startInstance(api, api.key, { replicas, answerCacheMb: 0 })
  return { api, behind, replicas, instance, time, said }
}

/** A clock that moves on by so much whenever it is read. */
function stepping(byMs: number): () => number {
  let now = 0
  return () => {
    now += byMs
    return now
  }
}
