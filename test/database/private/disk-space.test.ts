/** A disk that fills up under the private server of a folder. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { revokeKey } from '../../../src/core/access/keys/revoke-key.ts'
import { watchDatabase } from '../../../src/core/command-line/watch-database.ts'
import { type Database, DiskFull } from '../../../src/core/database/database.ts'
import { DiskSpace, makeRoom } from '../../../src/core/database/private/disk-space.ts'
import { importAll } from '../../intake/import-lines.ts'
import { actionHeaders } from '../../support/action-requests.ts'
import { startTestApi } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { spa } from '../../support/world.ts'

const MB = 1024 * 1024

/** A database on a disk of which a test says how much is free besides everything else. */
async function disk(freeMb: number) {
  const place = makeTemporaryFolder()
  const cluster = join(place, 'postgres')
  const reserve = `${cluster}.reserve`
  const said: string[] = []
  const state = { freeMb, now: 0 }
  const free = () => state.freeMb * MB - (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0)
  const space = new DiskSpace({
    cluster,
    freeBytes: free,
    now: () => state.now,
    onChange: (sentence) => said.push(sentence),
  })
  const own = await openTestDatabase()
  await own.runScript('create table notes (text text)')
  const database = space.guard(own)
  const write = () => database.transaction((tx) => tx.query(sql`insert into notes values ('a')`))
  const notes = () => own.query(sql`select text from notes`)
  return { place, cluster, reserve, said, state, space, own, database, write, notes, free }
}

const full = (place: string, free: number, needed = 64) =>
  `The disk of ${place} is full (${free} MB are free, the database needs ${needed}); nothing is written until there is space.`

test('a disk with plenty of space costs nothing', async () => {
  const { write, reserve, said } = await disk(50_000)
  await write()
  expect([existsSync(reserve), said]).toEqual([false, []])
})

test('where space is getting scarce some of it is reserved', async () => {
  const { write, reserve, said } = await disk(500)
  await write()
  expect([statSync(reserve).size, said]).toEqual([32 * MB, []])
})

test('too little to write is one sentence, logged once, while reads go on, and writing continues when there is space', async () => {
  const { write, notes, database, state, place, said } = await disk(500)
  await write()
  state.freeMb = 32 + 63
  state.now = 1000
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(write()).rejects.toThrow(DiskFull)
    await expect(write()).rejects.toThrow(full(place, 63))
    expect(await database.transaction((tx) => tx.query(sql`select text from notes`))).toEqual(await notes())
  }
  expect(await notes()).toHaveLength(1)
  state.freeMb = 32 + 64
  await write()
  expect(said).toEqual([full(place, 63), `${place} has space again, and the database is written again.`])
})

test('a transaction during which the disk fills up is rolled back', async () => {
  const { database, notes, state, place } = await disk(500)
  const many = database.transaction(async (tx) => {
    await tx.query(sql`insert into notes values ('a')`)
    state.freeMb = 32
    state.now = 1000
    await tx.query(sql`insert into notes values ('b')`)
  })
  await expect(many).rejects.toThrow(full(place, 0))
  expect(await notes()).toEqual([])
})

test('a write that ran out of space, and gave it back when it was undone, does not say that the disk is full', async () => {
  const { space, own, write, place, state } = await disk(500)
  await write()
  const noSpace = Object.assign(new Error('could not extend file'), { code: '53100' })
  const ranOut = () =>
    space.guard({ ...own, transaction: () => Promise.reject(noSpace) }).transaction(() => Promise.resolve())
  await expect(ranOut()).rejects.toThrow(
    `The disk of ${place} was full for a moment, so nothing of this was written; try it again when there is more space.`,
  )
  state.freeMb = 32 + 14
  await expect(ranOut()).rejects.toThrow(full(place, 14))
})

test('what is reserved is released to a server that starts and needs it, and is reserved anew before anything is written', async () => {
  const { write, state, reserve, cluster, place, free } = await disk(500)
  await write()
  state.freeMb = 32 + 40
  await makeRoom(cluster, free)
  expect(existsSync(reserve)).toBe(true)
  state.freeMb = 32 + 10
  await makeRoom(cluster, free)
  expect(existsSync(reserve)).toBe(false)
  state.now = 1000
  await expect(write()).rejects.toThrow(full(place, 42))
  state.freeMb = 80
  // Enough to write, but not to reserve anything.
  await expect(write()).rejects.toThrow(DiskFull)
  state.freeMb = 120
  await write()
  expect(existsSync(reserve)).toBe(true)
})

test('a few rows that cannot wait take what is reserved, and are refused only without it', async () => {
  const { database, write, state, reserve, place } = await disk(500)
  await write()
  const urgent = () =>
    database.transaction((tx) => tx.query(sql`insert into notes values ('b')`), { space: 'reserve' })
  // With more free than they need, it stays.
  state.freeMb = 32 + 25
  await urgent()
  expect(existsSync(reserve)).toBe(true)
  state.freeMb = 32
  await urgent()
  expect(existsSync(reserve)).toBe(false)
  await urgent()
  state.freeMb = 19
  await expect(urgent()).rejects.toThrow(full(place, 19, 20))
})

test('keys are revoked on a full disk, by a command and by the administration, and nothing else is changed', async () => {
  const { database, state, reserve } = await disk(500)
  const api = await startTestApi({ database, records: [spa()] })
  const keys = [await api.createKey({ scopes: ['sessions'] }), await api.createKey({ scopes: ['sessions'] })]
  const administration = await api.createKey({ scopes: ['administration'] })
  expect(existsSync(reserve)).toBe(true)
  state.freeMb = 32
  state.now = 1000
  const revoke = (of: Database, at: number) => revokeKey(of, keys[at]!.publicKey, { now: Date.now() })
  const watch = { signal: new AbortController().signal, onCommit: () => {}, changes: true }
  expect(await revoke(watchDatabase(database, watch), 0)).toMatchObject({ revoked: 1 })
  expect((await api.as(keys[0]!).get('/v1/me')).status).toBe(401)
  rmSync(reserve, { force: true })
  const body = JSON.stringify({ key: keys[1]!.publicKey })
  const answer = await api.as(administration).request('POST', '/v1/actions/revoke-key', actionHeaders(), body)
  expect(answer.status).toBe(200)
  expect((await api.as(keys[1]!).get('/v1/me')).status).toBe(401)
  await expect(importAll(database, [spa({ name: 'Later' })])).rejects.toThrow('is full')
  state.freeMb = 500
  expect(await importAll(database, [spa({ name: 'Later' })])).toMatchObject({ summary: { applied: true } })
})
