/** What is read of a key: its row only where it has changed, and what changes without it every time. */
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKeyStates } from '../../src/core/access/key-states.ts'
import type { Database } from '../../src/core/database/database.ts'
import { generationNamed } from '../../src/core/database/generation.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

const END = Date.parse('2026-06-01T00:00:00Z')

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ now: '2026-05-14T09:00:00Z' })
})

let now: number
let noted: number[]
beforeEach(() => {
  now = END - 1
  noted = []
})

const createStates = () =>
  createKeyStates(api.database, { now: () => now, note: (moment) => void noted.push(moment) })

it('a key that does not exist says no time', async () => {
  const states = createStates()
  expect(await states.read('nobody')).toBeUndefined()
  expect(noted).toEqual([])
})

describe('a key that was read before', () => {
  /** The rows that came back, after the first reading. */
  async function rowsOf(between: () => Promise<unknown>) {
    const rows: { readonly row: unknown }[][] = []
    const database: Database = {
      ...api.database,
      async queryReserved<Row extends object>(statement: Sql) {
        const read = await api.database.queryReserved<Row>(statement)
        rows.push(read as unknown as { readonly row: unknown }[])
        return read
      },
    }
    const states = createKeyStates(database, { now: () => now, note: (moment) => void noted.push(moment) })
    const { publicKey } = key
    const before = await states.read(publicKey)
    await between()
    const after = await states.read(publicKey)
    const isRead = rows[1]?.[0]?.row !== null
    return { before, after, isRead, states }
  }

  let key: Awaited<ReturnType<TestApi['createKey']>>
  beforeEach(async () => {
    key = await api.createKey()
  })
  const change = (assignment: Sql) =>
    api.database.query(sql`update api_keys set ${assignment} where public_key = ${key.publicKey}`)

  it('is the same state while nothing changes, and its row is not sent again', async () => {
    const { before, after, isRead } = await rowsOf(async () => {})
    expect(before).toMatchObject({ publicKey: key.publicKey })
    expect(after).toBe(before)
    expect(isRead).toBe(false)
    expect(noted).toHaveLength(2)
  })

  it.each([
    ['is revoked', sql`revoked_at = now()`, { revoked: true }],
    ['gets another name', sql`name = 'Other'`, { name: 'Other' }],
    ['loses its scopes', sql`scopes = '{sessions}'`, { scopes: new Set(['sessions']) }],
    ['gets another secret', sql`secret_hash = '\\x0a0b'`, { secretHash: Buffer.from([10, 11]) }],
    ['gets an address list', sql`allowed_addresses = '{192.0.2.1}'`, { allowedAddresses: ['192.0.2.1'] }],
    ['may read a custom field', sql`custom_fields = '{diet}'`, { customFields: ['diet'] }],
    ['gets its own limits', sql`per_hour = 5, per_minute = 2`, { quotas: { perHour: 5, perMinute: 2 } }],
    [
      'gets an end',
      sql`expires_at = '2101-01-01T00:00:00.123456Z'`,
      { expiresAt: 4133980800123, expired: false },
    ],
    ['has ended', sql`expires_at = '2001-01-01Z'`, { expiresAt: 978307200000, expired: true }],
  ])('is read again if it %s', async (_, assignment, expected) => {
    const { after, isRead } = await rowsOf(() => change(assignment))
    expect(after).toMatchObject(expected)
    expect(isRead).toBe(true)
  })

  it('is read again if its center has API access no longer', async () => {
    const { after, isRead } = await rowsOf(() =>
      api.database.query(sql`update centers set api_access = false where center_id = 'spa'`),
    )
    await api.database.query(sql`update centers set api_access = true where center_id = 'spa'`)
    expect(after).toMatchObject({ apiAccess: false })
    expect(isRead).toBe(true)
  })

  it('has the revision of now although its row is not sent again', async () => {
    const { before, after, isRead } = await rowsOf(() =>
      api.database.query(sql`
        update center_revisions set revision = revision + 3 where center_id = 'spa'`),
    )
    expect(isRead).toBe(false)
    expect(after).toEqual({ ...before, revision: (before?.revision ?? 0) + 3 })
  })

  it('expires although its row is not sent again', async () => {
    await change(sql`expires_at = clock_timestamp() + interval '300 milliseconds'`)
    const { before, after, isRead } = await rowsOf(() => api.database.query(sql`select pg_sleep(0.4)`))
    expect(before).toMatchObject({ expired: false })
    expect(after).toMatchObject({ expired: true })
    expect(isRead).toBe(false)
  })

  it('is not found once it is deleted', async () => {
    const { after } = await rowsOf(() =>
      api.database.query(sql`delete from api_keys where public_key = ${key.publicKey}`),
    )
    expect(after).toBeUndefined()
  })

  it('is read whole after a read that failed, as another server may answer from then on', async () => {
    let broken = false
    const known: unknown[] = []
    const database: Database = {
      ...api.database,
      queryReserved<Row extends object>(statement: Sql) {
        known.push(statement.values[0])
        return broken ? Promise.reject(new Error('cut off')) : api.database.queryReserved<Row>(statement)
      },
    }
    const states = createKeyStates(database, { now: () => now, note: () => {} })
    const { publicKey } = key
    const before = await states.read(publicKey)
    broken = true
    await expect(states.read(publicKey)).rejects.toThrow('cut off')
    broken = false
    expect(await states.read(publicKey)).toEqual(before)
    expect(known).toEqual([[], [expect.stringContaining(publicKey)], []])
  })
})

describe('after a failover', () => {
  /** A database that another server answers for after as many reads; `sent` is the versions that were sent. */
  function failingOver(after: (reads: number) => string) {
    const sent: unknown[] = []
    let generation = generationNamed(after(0))
    const database: Database = {
      ...api.database,
      generation: () => generation,
      async queryReserved<Row extends object>(statement: Sql) {
        sent.push(statement.values[0])
        const rows = await api.database.queryReserved<Row>(statement)
        const now = generationNamed(after(sent.length))
        if (now.name !== generation.name) generation = now
        return rows
      },
    }
    return { sent, states: createKeyStates(database, { now: () => now, note: () => {} }) }
  }

  it('a key is read whole: the other server gives the numbers of lost transactions once more', async () => {
    const { publicKey } = api.key
    const { sent, states } = failingOver((reads) => (reads < 2 ? 'primary' : 'promoted'))
    const before = await states.read(publicKey)
    const after = await states.read(publicKey)
    expect(sent).toEqual([[], [expect.stringContaining(publicKey)], []])
    expect(after).toMatchObject({ publicKey, revision: before?.revision })
    expect(after?.generation).not.toBe(before?.generation)
  })

  it('that comes again with each read, the request is refused', async () => {
    const { sent, states } = failingOver(String)
    await expect(states.read(api.key.publicKey)).rejects.toThrow('another database server')
    expect(sent).toHaveLength(3)
  })
})
