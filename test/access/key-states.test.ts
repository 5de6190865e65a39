/** What is known of a key: for as long as nothing can have been committed, and no longer than the key is in force. */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createKeyStates } from '../../src/access/key-states.ts'
import type { Database } from '../../src/database/database.ts'
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

it('who waits as the one session is held is told what was read for that, where it is theirs', async () => {
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
