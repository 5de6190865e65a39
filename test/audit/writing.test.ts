import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { entriesOf, problemsOf, read, report, START, startAudit } from './reads.ts'

/** A database whose transactions fail, or whose confirmations are lost, on request. */
function shaky(database: Database) {
  const state: { fault: 'none' | 'before' | 'after' } = { fault: 'none' }
  const lost = () => new DatabaseUnavailable('gone')
  const shakyDatabase: Database = {
    ...database,
    async transaction(work) {
      if (state.fault === 'before') throw lost()
      const result = await database.transaction(work)
      if (state.fault === 'after') throw lost()
      return result
    },
  }
  return { state, database: shakyDatabase }
}

describe('writing the trail', () => {
  it('wakes nobody while nothing waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { audit } = startAudit({ transaction: async () => undefined } as unknown as Database)
    expect(vi.getTimerCount()).toBe(0)
    audit.record(read())
    expect(vi.getTimerCount()).toBe(1)
    await audit.flush()
    expect(audit.numbers.waiting).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves an entry with everything that is to be known of a read', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    audit.record(
      read({
        key: { publicKey: 'pk', appId: 'app', name: 'Laboratory' },
        query: 'project=dob,email&startDate=2025%2D01%2D01&endDate=2025-01-31',
        requiredScopes: [
          { scope: 'guests.personal', what: 'dob' },
          { scope: 'guests', what: 'GET /guests' },
          { scope: 'guests', what: 'email' },
        ],
        requestId: 'r1',
        status: 304,
        revision: 7,
      }),
    )
    await audit.flush()
    expect(await entriesOf(database)).toEqual([
      {
        center_id: 'spa',
        seq: 1,
        at: START,
        public_key: 'pk',
        app_id: 'app',
        key_name: 'Laboratory',
        operation: 'listGuests',
        query: 'endDate=2025-01-31&project=dob%2Cemail&startDate=2025-01-01',
        scopes: 'guests guests.personal',
        records: 2,
        ids: '\nb1\nb2\n',
        revision: 7,
        reads: 1,
        requests: '0 304 r1',
      },
    ])
    expect(audit.numbers).toMatchObject({ written: 1, waiting: 0, lost: 0, failures: 0 })
  })

  it('holds reads of the same within a second in one entry, each with its moment, status and request', async () => {
    const database = await openTestDatabase()
    const { audit, time } = startAudit(database)
    const first = read({ requestId: 'r1' })
    audit.record(first)
    time.now += 400
    audit.record({ ...first, requestId: 'r2', status: 304 })
    time.now += 600
    audit.record({ ...first, requestId: 'r3' })
    audit.record({ ...first, requestId: 'r4', query: 'sessionId=s1&start=1' })
    audit.record({ ...first, requestId: 'r5', revision: 2 })
    audit.record({ ...first, requestId: 'r6', key: { ...first.key, publicKey: 'other' } })
    await audit.flush()
    expect((await entriesOf(database)).map((entry) => [entry.reads, entry.requests])).toEqual([
      [2, '0 200 r1\n400 304 r2'],
      [1, '0 200 r3'],
      [1, '0 200 r4'],
      [1, '0 200 r5'],
      [1, '0 200 r6'],
    ])
    expect(await report(database)).toMatchObject({ entries: 5, reads: 6, problems: [] })
  })

  it('takes all ways to write the same parameters for the same read', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    const first = read()
    for (const query of ['a=x&b=y,z', 'b=y,z&a=x', 'a=%78&b=y%2Cz', '%61=x&b=y%2cz', 'a=x&b=y,z']) {
      audit.record({ ...first, query })
    }
    await audit.flush()
    expect((await entriesOf(database)).map(({ query, reads }) => [query, reads])).toEqual([
      ['a=x&b=y%2Cz', 5],
    ])
  })

  it('splits very many reads of the same into entries that are quick to write', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    const first = read()
    for (let index = 0; index < 1100; index++) audit.record({ ...first, requestId: `r${index}` })
    await audit.flush()
    expect((await entriesOf(database)).map(({ reads }) => reads)).toEqual([500, 500, 100])
    expect(await report(database)).toMatchObject({ entries: 3, reads: 1100, problems: [] })
  })

  it('keeps two centers apart whatever they share', async () => {
    const database = await openTestDatabase()
    for (const center of ['spa', 'lodge']) {
      await database.query(sql`
        insert into centers (center_id, name, timezone, currency) values (${center}, 'Spa', 'UTC', 'EUR')`)
    }
    await database.query(sql`
      insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
      values ('same', 'spa', 'app', 'Lab', '\\x00', '{guests}')`)
    const { audit } = startAudit(database)
    // The same key and the same list of records, in one piece of one batch.
    const ofSpa = read({ key: { publicKey: 'same', center: 'spa' } })
    const ofLodge = { ...read({ key: { publicKey: 'same', center: 'lodge' } }), records: ofSpa.records }
    for (const event of [ofSpa, ofLodge, ofSpa, ofLodge]) audit.record(event)
    await audit.flush()
    expect((await entriesOf(database)).map(({ center_id, reads, ids }) => [center_id, reads, ids])).toEqual([
      ['lodge', 2, '\nb1\nb2\n'],
      ['spa', 2, '\nb1\nb2\n'],
    ])
    const used = await database.query(sql`select center_id, last_used_at as at from api_keys`)
    expect(used).toEqual([{ center_id: 'spa', at: START }])
  })

  it('names the records once for all reads of the same ones, and none where there are too many', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    audit.record(read({ query: 'a=1' }))
    audit.record(read({ query: 'a=2' }))
    audit.record(read({ query: 'a=3', ids: [] }))
    audit.record(read({ query: 'a=4', records: { count: 1001, list: undefined } }))
    await audit.flush()
    expect((await entriesOf(database)).map(({ records, ids }) => [records, ids])).toEqual([
      [2, '\nb1\nb2\n'],
      [2, '\nb1\nb2\n'],
      [0, null],
      [1001, null],
    ])
    const lists = await database.query(sql`select 1 from audit_record_lists`)
    expect(lists).toHaveLength(1)
  })

  it('happens by itself', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    audit.record(read())
    // Not looked at before, so that nothing but its own timer can have written it.
    await vi.waitFor(() => expect(audit.numbers.waiting).toBe(0), { timeout: 60_000, interval: 20 })
    expect(await entriesOf(database)).toHaveLength(1)
  })

  it('keeps one chain for each center', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    for (const center of ['spa', 'lodge', 'spa', 'lodge', 'spa']) {
      audit.record(read({ key: { center }, query: `x=${Math.random()}` }))
    }
    await audit.flush()
    audit.record(read())
    await audit.flush()
    expect((await entriesOf(database)).map(({ center_id, seq }) => `${center_id} ${seq}`)).toEqual([
      'lodge 1',
      'lodge 2',
      'spa 1',
      'spa 2',
      'spa 3',
      'spa 4',
    ])
    expect([await problemsOf(database), await problemsOf(database, 'lodge')]).toEqual([[], []])
  })

  it('keeps one chain without gaps when several instances write to the same centers', async () => {
    const database = await openTestDatabase()
    const instances = Array.from({ length: 4 }, () => startAudit(database).audit)
    await Promise.all(
      instances.map(async (audit, instance) => {
        for (let round = 0; round < 15; round++) {
          const centers = ['spa', 'lodge', 'inn', 'camp']
          // Each in another order, as it happens.
          for (const center of instance % 2 === 0 ? centers : centers.toReversed()) {
            audit.record(read({ key: { center }, query: `i=${instance}&r=${round}` }))
          }
          await audit.flush()
        }
      }),
    )
    for (const center of ['spa', 'lodge', 'inn', 'camp']) {
      expect(await report(database, center)).toMatchObject({ entries: 60, head: { seq: 60 }, problems: [] })
    }
  })

  it('writes more than fits one transaction', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    for (let index = 0; index < 2500; index++) audit.record(read({ query: `start=${index}` }))
    await audit.flush()
    expect(await report(database)).toMatchObject({ entries: 2500, reads: 2500, problems: [] })
  })

  it('notes the last use of a key, to ten seconds', async () => {
    const database = await openTestDatabase()
    await database.query(sql`
      insert into centers (center_id, name, timezone, currency) values ('spa', 'Spa', 'UTC', 'EUR')`)
    for (const key of ['used', 'idle']) {
      await database.query(sql`
        insert into api_keys (public_key, center_id, app_id, name, secret_hash, scopes)
        values (${key}, 'spa', 'app', 'Lab', '\\x00', '{guests}')`)
    }
    const lastUsed = () =>
      database.query(sql`select public_key, last_used_at as at from api_keys order by public_key`)
    const { audit, time } = startAudit(database)
    const use = async () => {
      audit.record(read({ key: { publicKey: 'used' } }))
      await audit.flush()
    }
    await use()
    const first = [
      { public_key: 'idle', at: null },
      { public_key: 'used', at: START },
    ]
    expect(await lastUsed()).toEqual(first)
    time.now += 9000
    await use()
    expect(await lastUsed()).toEqual(first)
    time.now += 2000
    await use()
    expect(await lastUsed()).toContainEqual({ public_key: 'used', at: START + 11_000 })
  })
})

describe('a trail that cannot be written', () => {
  it('lets reads go on for the grace, then refuses them with a 503, and recovers by itself', async () => {
    const { state, database } = shaky(await openTestDatabase())
    const { audit, time, log } = startAudit(database)
    state.fault = 'before'
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    time.now += 30_000
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    time.now += 1
    const refusal = expect.objectContaining({
      status: 503,
      code: 'UNAVAILABLE',
      headers: { 'retry-after': '2' },
    })
    expect(() => audit.check()).toThrow(refusal)
    expect(() => audit.record(read())).toThrow(refusal)
    expect(log.lines).toEqual(['the audit trail cannot be written'])

    state.fault = 'none'
    await audit.flush()
    audit.check()
    audit.record(read())
    await audit.flush()
    expect(log.lines).toEqual(['the audit trail cannot be written', 'the audit trail can be written again'])
    // Those that were answered are all there, the one that was refused is not.
    expect(await report(database)).toMatchObject({ reads: 3, problems: [] })
    expect(audit.numbers).toMatchObject({ written: 3, waiting: 0, refused: 2, lost: 0, failures: 2 })
  })

  it('measures the grace with a monotonic clock', async () => {
    const { state, database } = shaky(await openTestDatabase())
    const steady = { now: 0 }
    const { audit, time } = startAudit(database, { monotonic: () => steady.now })
    state.fault = 'before'
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    time.now += 3_600_000
    audit.check()
    time.now -= 7_200_000
    steady.now = 30_001
    expect(() => audit.check()).toThrow(expect.objectContaining({ status: 503 }))
    state.fault = 'none'
    await audit.flush()
  })

  it('is tried again by itself', async () => {
    const { state, database } = shaky(await openTestDatabase())
    const { audit } = startAudit(database)
    state.fault = 'before'
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    state.fault = 'none'
    await vi.waitFor(() => expect(audit.numbers.waiting).toBe(0), { timeout: 60_000, interval: 20 })
    expect(await entriesOf(database)).toHaveLength(1)
  })

  it('is not written twice when only the confirmation was lost', async () => {
    const { state, database } = shaky(await openTestDatabase())
    const { audit } = startAudit(database)
    audit.record(read())
    await audit.flush()
    state.fault = 'after'
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    expect(await entriesOf(database)).toHaveLength(2)
    state.fault = 'none'
    await audit.flush()
    expect(await report(database)).toMatchObject({ entries: 2, reads: 2, problems: [] })
    expect(audit.numbers).toMatchObject({ written: 2, waiting: 0 })
  })

  it('takes bounded memory: beyond it reads are refused, or answered and counted where that is allowed', async () => {
    const { state, database } = shaky(await openTestDatabase())
    state.fault = 'before'
    const ids = Array.from({ length: 1000 }, (_, index) => `b${index}`)
    const readMany = (audit: ReturnType<typeof startAudit>['audit']) => {
      for (let count = 0; count < 600; count++) audit.record(read({ ids, query: `start=${count}` }))
    }
    const strict = startAudit(database).audit
    expect(() => readMany(strict)).toThrow(expect.objectContaining({ status: 503 }))
    expect(strict.numbers.waiting).toBeLessThan(550)

    const { audit: lenient, time, log } = startAudit(database, { required: false })
    time.now += 1000_000
    readMany(lenient)
    lenient.check()
    expect(lenient.numbers.lost).toBeGreaterThan(50)
    expect(log.lines.filter((line) => line.includes('not recorded in the audit trail'))).toHaveLength(1)
    await Promise.all([strict.close(), lenient.close()])
  })
})

describe('memory for reads that wait', () => {
  const many = Array.from({ length: 1000 }, (_, index) => `b${index}`)

  it('is weighed once for a list that many reads share, however they are spelled', async () => {
    const { state, database } = shaky(await openTestDatabase())
    state.fault = 'before'
    const { audit } = startAudit(database)
    const stored = read({ ids: many })
    for (let index = 0; index < 2000; index++) {
      audit.record({ ...stored, query: `sessionId=s1&${'%73tart'.slice(index % 2 === 0 ? 0 : 3)}=1` })
      audit.record({ ...stored, query: `start=${index}` })
    }
    audit.record(read({ key: { center: 'lodge' } }))
    expect(audit.numbers).toMatchObject({ refused: 0, waiting: 4001 })
    state.fault = 'none'
    await audit.close()
  })

  it('is not one center’s alone: another’s reads go on where one has filled its share', async () => {
    const { state, database } = shaky(await openTestDatabase())
    state.fault = 'before'
    const { audit } = startAudit(database)
    const greedy = () => audit.record(read({ ids: many, query: `x=${Math.random()}` }))
    const refused = expect.objectContaining({ status: 503 })
    expect(() => {
      for (let index = 0; index < 1000; index++) greedy()
    }).toThrow(refused)
    for (const center of ['lodge', 'inn', 'camp']) {
      for (let index = 0; index < 50; index++) audit.record(read({ key: { center }, ids: many }))
    }
    expect(greedy).toThrow(refused)
    state.fault = 'none'
    await audit.close()
    expect(await problemsOf(database, 'camp')).toEqual([])
  })
})

describe('the end of the service', () => {
  it('writes what was recorded before it is over', async () => {
    const database = await openTestDatabase()
    const { audit } = startAudit(database)
    for (let index = 0; index < 1500; index++) audit.record(read({ query: `start=${index}` }))
    await audit.close()
    expect(await report(database)).toMatchObject({ reads: 1500, problems: [] })
  })

  it('says what is lost when the trail cannot be written, and does not wait for ever', async () => {
    const { state, database } = shaky(await openTestDatabase())
    const { audit, log } = startAudit(database)
    state.fault = 'before'
    audit.record(read())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await audit.close()
    expect(log.lines.at(-1)).toBe('stopping with reads that are not in the audit trail')
    expect(audit.numbers.lost).toBe(1)
    // Its database is closed by then.
    expect(vi.getTimerCount()).toBe(0)
  })
})
