/** `sojourn backup` and `sojourn restore`: what is copied, and how it moves from a folder to a server and back. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { newPostgresDatabase } from '../support/database.ts'
import { onFullDisk } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { customer, guest, spa } from '../support/world.ts'
import { CENTER, type Env, newFolder, sojourn } from './sojourn.ts'

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A folder with a center, guests and entries of the trail. */
async function filledFolder(): Promise<string> {
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  // What the text form of COPY writes in another way.
  const letters = customer('letters', { firstName: 'Ta\\b \\N', lastName: 'Zoë "N"\\.' })
  const records = [spa(), ...guest('1'), ...guest('2'), letters]
  expect(await sojourn(['import', '-'], env, { stdin: CENTER })).toMatchObject({ code: 0 })
  expect(await sojourn(['import', '-'], env, { stdin: lines(records) })).toMatchObject({ code: 0 })
  expect(await sojourn(['export', '--center', 'spa'], env)).toMatchObject({ code: 0 })
  return folder
}

let folder: string
let file: string
let bytes: Buffer
beforeAll(async () => {
  folder = await filledFolder()
  file = join(makeTemporaryFolder(), 'backup.zst')
  const ran = await sojourn(['backup', file], { DATA_DIR: folder })
  expect(ran).toMatchObject({ code: 0, stdout: '' })
  expect(ran.stderr).toMatch(/read the file again to verify it\.\nIt contains personal and medical data/)
  bytes = readFileSync(file)
})

const target = () => join(makeTemporaryFolder(), 'restored')

const contentsOf = async (env: Env) => ({
  verified: (await sojourn(['audit', 'verify'], env)).stdout,
  exported: (await sojourn(['export', '--keys'], env)).stdout,
})

describe('a backup', () => {
  it('is restored with the same records and the same trail', async () => {
    const restored = target()
    const ran = await sojourn(['restore', file], { DATA_DIR: restored })
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toMatch(/2 centers, 2 bookings, 0 orders, 1 entry of the audit trail/)
    const found = await contentsOf({ DATA_DIR: restored })
    expect(found).toEqual(await contentsOf({ DATA_DIR: folder }))
    expect(found.verified).toContain('no problems found')
    expect(found.exported.split('\n').length).toBeGreaterThan(8)
  })

  it('moves a folder to a server, and back', async () => {
    const server = { DATABASE_URL: await newPostgresDatabase('empty'), DATA_DIR: makeTemporaryFolder() }
    expect(await sojourn(['restore', file], server)).toMatchObject({ code: 0 })
    const there = await contentsOf(server)
    const again = join(makeTemporaryFolder(), 'server.zst')
    expect(await sojourn(['backup', again], server)).toMatchObject({ code: 0 })
    const back = { DATA_DIR: target() }
    expect(await sojourn(['restore', again], back)).toMatchObject({ code: 0 })
    expect((await contentsOf(back)).exported).toBe(there.exported)
  })

  it('goes on giving numbers where it was', async () => {
    const env = { DATA_DIR: target() }
    expect(await sojourn(['restore', file], env)).toMatchObject({ code: 0 })
    const more = lines(guest('4'))
    expect(await sojourn(['import', '-'], env, { stdin: more })).toMatchObject({ code: 0 })
    expect(await sojourn(['audit', 'verify'], env)).toMatchObject({ code: 0 })
  })

  it('may be read by its owner alone, and leaves nothing next to it', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['backup.zst'])
  })

  it('says what it contains, is text, and has no numbers of transactions', () => {
    const text = zstdDecompressSync(bytes).toString('utf8')
    expect(text.slice(0, text.indexOf('\n'))).toContain('medical and financial data of guests')
    const tables = [...text.matchAll(/^\{"table":"(\w+)"/gm)].map(([, name]) => name)
    expect(tables).toContain('customers')
    expect(tables).not.toContain('change_commits')
    expect(tables).not.toContain('schema_migrations')
  })

  it('does not replace a file', async () => {
    const ran = await sojourn(['backup', file], { DATA_DIR: folder })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(file)).toEqual(bytes)
  })

  it('on a full disk leaves no file', async () => {
    const place = makeTemporaryFolder()
    const ran = await sojourn(['backup', join(place, 'b.zst')], { DATA_DIR: folder }, { files: onFullDisk })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('no space left on device') })
    expect(readdirSync(place)).toEqual([])
  })

  it('into a folder that does not exist is refused', async () => {
    const ran = await sojourn(['backup', join(makeTemporaryFolder(), 'none', 'b')], { DATA_DIR: folder })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no folder') })
  })

  it('of a folder without a database is refused, and makes none', async () => {
    const none = target()
    const ran = await sojourn(['backup', join(makeTemporaryFolder(), 'b')], { DATA_DIR: none })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database in') })
    expect(existsSync(none)).toBe(false)
  })

  it('that was killed is removed by a later one, after an hour', async () => {
    const place = makeTemporaryFolder()
    const left = (name: string, hours: number) => {
      writeFileSync(join(place, name), '')
      const at = Date.now() / 1000 - hours * 3600
      utimesSync(join(place, name), at, at)
    }
    left('b.zst.0123abcd.unverified', 2)
    left('b.zst.0123abcd.unverified.89abcdef.part', 2)
    left('b.zst.fedc3210.unverified', 0.5)
    left('mine.unverified', 2)
    const ran = await sojourn(['backup', join(place, 'b.zst')], { DATA_DIR: folder })
    expect(ran.stderr).toContain('Removed 2 copies of backups that did not end.')
    const names = ['b.zst', 'b.zst.fedc3210.unverified', 'mine.unverified']
    expect(readdirSync(place).toSorted()).toEqual(names)
  })
})

test('restore leaves the log of erasures where it is', async () => {
  const restored = target()
  mkdirSync(restored, { mode: 0o700 })
  writeFileSync(join(restored, 'erasures.ndjson'), '')
  expect(await sojourn(['restore', file], { DATA_DIR: restored })).toMatchObject({ code: 0 })
  expect(readdirSync(restored).toSorted()).toEqual(['erasures.ndjson', 'postgres'])
})
