/** `sojourn backup` and `sojourn restore`: what is copied, what is refused, and that a refusal changes nothing. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { unpackBackup, verifyUnpacked } from '../../src/commands/backup/open-backup.ts'
import { onFullDisk } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { guest, spa } from '../support/world.ts'
import { CENTER, newFolder, sojourn } from './sojourn.ts'

const SIGNAL = new AbortController().signal
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A folder with a center, guests and entries of the trail. */
async function filledFolder(): Promise<string> {
  const folder = newFolder()
  const env = { DATA_DIR: folder }
  const records = [spa(), ...guest('1'), ...guest('2')]
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
  file = join(makeTemporaryFolder(), 'backup.tar.gz')
  const ran = await sojourn(['backup', file], { DATA_DIR: folder })
  expect(ran).toMatchObject({ code: 0, stdout: '' })
  expect(ran.stderr).toMatch(/opened the copy to verify it\.\nIt contains personal and medical data/)
  bytes = readFileSync(file)
})

const target = () => join(makeTemporaryFolder(), 'restored')
const restore = (path: string, DATA_DIR: string) => sojourn(['restore', path], { DATA_DIR })

describe('a backup', () => {
  it('is restored with the same records and the same trail', async () => {
    const restored = target()
    const ran = await restore(file, restored)
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toMatch(/2 centers, 2 bookings, 0 orders, 1 entry of the audit trail/)
    const read = async (DATA_DIR: string) => ({
      verified: (await sojourn(['audit', 'verify'], { DATA_DIR })).stdout,
      exported: (await sojourn(['export'], { DATA_DIR })).stdout,
    })
    const found = await read(restored)
    expect(found).toEqual(await read(folder))
    expect(found.verified).toContain('no problems found')
    expect(found.exported.split('\n').length).toBeGreaterThan(6)
  })

  it('may be read by its owner alone, and leaves nothing next to it', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['backup.tar.gz'])
  })

  it('says what it contains and what not, and has neither the lock nor temporary files', () => {
    const text = gunzipSync(bytes).toString('latin1')
    expect(text).toContain('medical and financial data')
    expect(text).toContain('It does not contain: settings and their secrets, the log of erasures')
    expect(text).not.toMatch(/database\/(?:owner|postmaster)\./)
  })

  it('does not replace a file', async () => {
    const ran = await sojourn(['backup', file], { DATA_DIR: folder })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(file)).toEqual(bytes)
  })

  it('on a full disk leaves no file', async () => {
    const place = makeTemporaryFolder()
    const ran = await sojourn(
      ['backup', join(place, 'b.tar.gz')],
      { DATA_DIR: folder },
      { files: onFullDisk },
    )
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

  test.each(['backup', 'restore'])('%s is refused with PostgreSQL, and says what to use', async (command) => {
    const ran = await sojourn([command, file], { DATABASE_URL: 'postgres://sojourn@127.0.0.1:1/sojourn' })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/pg_dump or base backups.*docs\/deployment\.md \(Backups, Restore\)/)
  })
})

test('restore leaves the log of erasures where it is', async () => {
  const restored = target()
  mkdirSync(restored, { mode: 0o700 })
  writeFileSync(join(restored, 'erasures.ndjson'), '')
  expect(await restore(file, restored)).toMatchObject({ code: 0 })
  expect(readdirSync(restored).toSorted()).toEqual(['database', 'erasures.ndjson', 'owner.lock'])
})

test('a copy that differs from what it says is refused', async () => {
  const data = join(makeTemporaryFolder(), 'database')
  const contents = await unpackBackup(file, data, SIGNAL)
  const other = { ...contents, contents: { ...contents.contents, bookings: 3, heads: 'x' } }
  await expect(verifyUnpacked(data, other)).rejects.toThrow('is not as it was: bookings, heads differ')
})
