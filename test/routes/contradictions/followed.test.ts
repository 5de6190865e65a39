/** Contradictions follow each commit: found, changed, ended; after a crash, in several instances, and within a sweep. */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import { startTestApi } from '../../support/api.ts'
import { booking, customer, order, session, spa, stay, type TestRecord } from '../../support/world.ts'
import { evaluatorOf, inShort, listed, NOW } from './center.ts'

const double = (id: string): TestRecord[] => [
  customer(`c-${id}`, { firstName: id }),
  booking(`${id}1`, { customerId: `c-${id}` }),
  booking(`${id}2`, { customerId: `c-${id}`, startDate: '2025-01-12T14:00', endDate: '2025-01-20T10:00' }),
]
const patch = (id: string, fields: Record<string, unknown>): TestRecord => ({
  kind: 'booking',
  centerId: 'spa',
  id,
  ...fields,
})

describe('a commit', () => {
  it('that makes a contradiction is reported, and so is the one that ends it', async () => {
    const api = await startTestApi({ records: double('a'), now: NOW })
    const evaluator = evaluatorOf(api)
    await evaluator.look()
    const [before] = listed(await api.get('/v1/contradictions'))
    expect(before?.kind).toBe('overlappingStays')
    await api.load([patch('a2', { startDate: '2025-01-15T14:00' })])
    await evaluator.look()
    expect(inShort(await api.get('/v1/contradictions'))).toEqual([])
    await api.load([patch('a2', { startDate: '2025-01-13T14:00' })])
    await evaluator.look()
    const [again] = listed(await api.get('/v1/contradictions'))
    expect(again?.id).toBe(before?.id)
    expect(again?.evidence.digest).not.toBe(before?.evidence.digest)
  })

  it('that changes a name changes what is shown, but not the digest of the evidence', async () => {
    const api = await startTestApi({ records: double('a'), now: NOW })
    const evaluator = evaluatorOf(api)
    await evaluator.look()
    const [before] = listed(await api.get('/v1/contradictions'))
    await api.load([customer('c-a', { firstName: 'Zoe' })])
    await evaluator.look()
    const [after] = listed(await api.get('/v1/contradictions'))
    expect(after?.evidence.records[0]?.name).toBe('Zoe Pop')
    expect(after?.evidence.digest).toBe(before?.evidence.digest)
    expect(after?.changedAt).toBe(before?.changedAt)
  })

  it('that removes a record ends what is about it in the same transaction', async () => {
    const api = await startTestApi({ records: double('a'), now: NOW })
    await evaluatorOf(api).look()
    await api.load([{ kind: 'booking', centerId: 'spa', id: 'a2', deleted: true }])
    expect(inShort(await api.get('/v1/contradictions'))).toEqual([])
  })

  it('that moves a session changes the contradictions of its guests', async () => {
    const records = [
      session('s', '2025-01-10T10:00', '2025-01-15T10:00'),
      ...stay('a', '2025-01-10', '2025-01-15', { sessionIds: ['s'] }),
    ]
    const api = await startTestApi({ records, now: NOW })
    const evaluator = evaluatorOf(api)
    await evaluator.look()
    expect(inShort(await api.get('/v1/contradictions'))).toEqual([])
    await api.load([session('s', '2025-03-10T10:00', '2025-03-15T10:00')])
    await evaluator.look()
    expect(inShort(await api.get('/v1/contradictions'))).toEqual(['stayOutsideSession a'])
  })

  it('of a thousand records is evaluated by a sweep, and until then the answer is not complete', async () => {
    const api = await startTestApi({ records: double('a'), now: NOW })
    const evaluator = evaluatorOf(api)
    await evaluator.look()
    const many = Array.from({ length: 700 }, (_, n) => double(`m${n}`)).flat()
    await api.load(many)
    expect((await api.get('/v1/contradictions')).body.complete).toBe(false)
    await evaluator.look()
    const answer = await api.get('/v1/contradictions?length=1')
    expect(answer.body.complete).toBe(true)
    expect(answer.body.total).toBe(701)
    // Another sweep removes what has ended.
    await api.load(
      many
        .filter(({ kind, id }) => kind === 'booking' && String(id).endsWith('2'))
        .map((record) => ({ ...record, status: 'cancelled' })),
    )
    await evaluator.look()
    expect(inShort(await api.get('/v1/contradictions'))).toEqual(['overlappingStays a1 a2'])
  })
})

it('more than are noted one by one are found and end in one statement, and a client is asked to read all again', async () => {
  const orders = Array.from({ length: 1100 }, (_, n) => order(`o-${n}`, { totalAmount: 1 }))
  const center = spa({ contradictionKinds: { orderWithoutGuests: true } })
  const api = await startTestApi({ records: [center, ...orders], now: NOW })
  await evaluatorOf(api).look()
  const answer = await api.get('/v1/contradictions?length=1')
  expect([answer.body.total, answer.body.complete]).toEqual([1100, true])
  const { cursor } = (await api.get('/v1/changes?kinds=contradictions')).body
  await api.database.query(sql`delete from orders where center_id = 'spa'`)
  expect((await api.get('/v1/contradictions')).body.total).toBe(0)
  const changes = await api.get(`/v1/changes?kinds=contradictions&after=${cursor}`)
  expect(changes.body.data).toMatchObject([{ kind: 'contradictions', id: null, operation: 'readAgain' }])
})

it('more than are noted one by one are deleted in one statement', async () => {
  const api = await startTestApi({ records: double('a'), now: NOW })
  await api.database.query(sql`
    insert into contradictions (center_id, id, kind, since, changed_at, digest, form, evidence)
    select 'spa', 'id-' || n, 'overlappingStays', now(), now(), 'd', 'f', '{"records": [], "compared": []}'
    from generate_series(1, 1001) n`)
  await api.database.query(sql`delete from contradictions where center_id = 'spa'`)
  expect((await api.get('/v1/contradictions')).body.total).toBe(0)
})

it('evaluates nothing of a center whose contradictions nobody may read', async () => {
  const api = await startTestApi({ records: double('a'), now: NOW })
  await api.database.query(
    sql`update api_keys set scopes = array_remove(scopes, 'contradictions') where center_id = 'spa'`,
  )
  expect(await evaluatorOf(api).look()).toBe(0)
  const rows = await api.database.query(
    sql`select center_id from contradiction_progress where center_id = 'spa'`,
  )
  expect(rows).toEqual([])
})

it('continues after a crash between the result and the progress', async () => {
  const api = await startTestApi({ records: double('a'), now: NOW })
  const evaluator = evaluatorOf(api)
  await evaluator.look()
  await api.load(double('b'))
  // Its third transaction of the round would store the progress.
  const dying = failingAfter(api.database, 2)
  await evaluatorOf({ database: dying }, 'dead', NOW, () => {}).look()
  expect((await api.get('/v1/contradictions')).body.complete).toBe(false)
  // The lease of the dead instance has ended.
  await evaluatorOf(api, 'test', '2025-01-12T09:01:00Z').look()
  const answer = await api.get('/v1/contradictions')
  expect(inShort(answer)).toEqual(['overlappingStays a1 a2', 'overlappingStays b1 b2'])
  expect(answer.body.complete).toBe(true)
})

it('several instances evaluate each commit once', async () => {
  const api = await startTestApi({ records: double('a'), now: NOW })
  await evaluatorOf(api).look()
  await api.load(double('b'))
  const rounds = await Promise.all(['x', 'y', 'z'].map((holder) => evaluatorOf(api, holder).look()))
  expect(rounds.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
  expect(inShort(await api.get('/v1/contradictions'))).toEqual([
    'overlappingStays a1 a2',
    'overlappingStays b1 b2',
  ])
  expect(await evaluatorOf(api).look()).toBe(0)
})

it('gives the same result commit by commit, in any slices, and in one sweep', async () => {
  const records = randomRecords()
  const slow = await startTestApi({ now: NOW })
  const following = await slow.newCenter([])
  const evaluator = evaluatorOf(slow)
  for (const some of records) {
    await slow.load(some.map((record) => ({ ...record, centerId: following.id })))
    await evaluator.look()
  }
  const swept = await slow.newCenter(records.flat())
  await evaluator.look()
  const all = '/v1/contradictions?length=100'
  expect(inShort(await following.get(all))).toEqual(inShort(await swept.get(all)))
  expect(inShort(await swept.get(all)).length).toBeGreaterThan(5)
})

/** Customers with few names and dates, whose bookings are moved again and again. */
function randomRecords(): TestRecord[][] {
  let seed = 7
  const pick = <T>(of: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return of[Math.floor(seed / 65_536) % of.length] as T
  }
  const person = (id: string) =>
    customer(id, {
      firstName: pick(['Ana', 'Anna', 'Ion']),
      lastName: pick(['Pop', 'Popp']),
      dob: pick(['1980-01-02', '1980-02-01', null]),
      email: pick(['a@example.com', 'b@example.com', null]),
    })
  const commits = Array.from({ length: 25 }, () => [
    person(pick(CUSTOMERS)),
    ...BOOKINGS.slice(0, 3).map(() => {
      const [one, other] = [pick(DAYS), pick(DAYS)].sort()
      return booking(pick(BOOKINGS), {
        customerId: pick(CUSTOMERS),
        startDate: `${one}T14:00`,
        endDate: `${other}T15:00`,
        status: pick(['confirmed', 'confirmed', 'cancelled', 'departed', 'arrived']),
      })
    }),
  ])
  return [CUSTOMERS.map(person), ...commits]
}
const CUSTOMERS = ['c0', 'c1', 'c2']
const BOOKINGS = Array.from({ length: 14 }, (_, n) => `b${n}`)
const DAYS = Array.from({ length: 15 }, (_, n) => `2025-01-${n + 10}`)

/** A database whose process ends before its n-th transaction. */
function failingAfter(database: Database, count: number): Database {
  let left = count
  return {
    ...database,
    transaction(work) {
      left -= 1
      if (left < 0) return Promise.reject(new Error('the process was killed'))
      return database.transaction(work)
    },
  }
}
