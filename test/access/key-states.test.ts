/** What is known of a key: for as long as nothing can have been committed, and no longer than the key is in force. */
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKeyStates } from '../../src/access/key-states.ts'
import type { Database } from '../../src/database/database.ts'
import { generationNamed } from '../../src/database/generation.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

const END = Date.parse('2026-06-01T00:00:00Z')

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ now: '2026-05-14T09:00:00Z' })
})

let now: number
let noted: number[]
let commits: number | undefined
beforeEach(() => {
  now = END - 1
  noted = []
  commits = 7
})

/** As on the embedded database, which knows how many commits there were. */
function createStates() {
  const database: Database = {
    ...api.database,
    commits: () => commits,
  }
  return createKeyStates(database, { now: () => now, note: (moment) => void noted.push(moment) })
}

it('a state that was read is known until something is committed', async () => {
  const states = createStates()
  const { publicKey } = api.key
  expect(states.known(publicKey)).toBeUndefined()
  const state = await states.read(publicKey)
  expect(state).toMatchObject({ publicKey, center: 'spa' })
  expect(noted).toHaveLength(1)
  expect(states.known(publicKey)).toBe(state)
  commits = 8
  expect(states.known(publicKey)).toBeUndefined()
})

it('a key that does not exist is not known, and says no time', async () => {
  const states = createStates()
  expect(await states.read('nobody')).toBeUndefined()
  expect(states.known('nobody')).toBeUndefined()
  expect(noted).toEqual([])
})

it('where nobody can say what was committed, nothing is known', async () => {
  commits = undefined
  const states = createStates()
  expect(await states.read(api.key.publicKey)).toBeDefined()
  expect(states.known(api.key.publicKey)).toBeUndefined()
  commits = 7
  expect(states.known(api.key.publicKey)).toBeUndefined()
})

it('a key is known to its last millisecond, and not at the moment of its end', async () => {
  const { publicKey } = await api.createKey({ expiresAt: new Date(END).toISOString() })
  const states = createStates()
  await states.read(publicKey)
  expect(states.known(publicKey)).toMatchObject({ expiresAt: END })
  now = END
  expect(states.known(publicKey)).toBeUndefined()
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
    commits = undefined
    let broken = false
    const known: unknown[] = []
    const database: Database = {
      ...api.database,
      commits: () => commits,
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

it('before the one session is held, all keys in force are read, whether they were used or not', async () => {
  const used = await api.createKey()
  await api.database.query(sql`
    update api_keys set last_used_at = '2026-05-01Z' where public_key = ${used.publicKey}`)
  const revoked = await api.createKey({ revokedAt: '2026-05-02T00:00:00Z' })
  const states = createStates()
  await states.readNewest(api.database)
  expect(states.known(used.publicKey)).toMatchObject({ publicKey: used.publicKey })
  expect(states.known(api.key.publicKey)).toMatchObject({ publicKey: api.key.publicKey })
  expect(states.known(revoked.publicKey)).toBeUndefined()
})

it('who waits while the one session is held gets what was read for that, where it is theirs', async () => {
  const answered = Promise.withResolvers<never[]>()
  const database: Database = {
    ...api.database,
    commits: () => commits,
    // Behind an import that has the session.
    queryReserved: <Row>() => answered.promise as Promise<Row[]>,
  }
  const states = createKeyStates(database, { now: () => now, note: () => {} })
  const { publicKey } = api.key
  const theirs = states.read(publicKey, () => true)
  const guessed = states.read(publicKey, () => false)
  const unknown = states.read('nobody', () => true)
  await states.readNewest(api.database)
  expect(await theirs).toMatchObject({ publicKey })
  const first = await Promise.race([
    guessed,
    unknown,
    new Promise((resolve) => setImmediate(resolve, 'waits')),
  ])
  expect(first).toBe('waits')
  answered.resolve([])
  expect([await guessed, await unknown]).toEqual([undefined, undefined])
})

describe('after a failover', () => {
  /** A database that another server answers for after as many reads; `sent` is the versions that were sent. */
  function failingOver(after: (reads: number) => string) {
    const sent: unknown[] = []
    let generation = generationNamed(after(0))
    const database: Database = {
      ...api.database,
      commits: () => undefined,
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
