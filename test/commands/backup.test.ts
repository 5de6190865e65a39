/** `sojourn backup` and `sojourn restore`: what is copied, what is refused, and that a refusal changes nothing. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { unpackBackup, verifyUnpacked } from '../../src/commands/backup/open-backup.ts'
import { writeBackup } from '../../src/commands/backup/write-backup.ts'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { localFiles } from '../../src/intake/files.ts'
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
}, 120_000)

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

describe('a copy of the files', () => {
  async function opened(): Promise<Database> {
    const database = await openEmbedded({ folder: join(newFolder(), 'database') })
    onTestFinished(() => database.close().catch(() => {}))
    return database
  }
  const run = (database: Database, statement: string) => database.query(raw(statement))
  const written = () => join(makeTemporaryFolder(), 'copy.tar.gz')
  const write = (database: Database, path: string) =>
    writeBackup(database.copyFiles!, {
      files: localFiles((async function* () {})()),
      path,
      signal: SIGNAL,
      now: Date.now,
    })

  it('contains what is written while it is made, up to its moment, and nothing after it', async () => {
    const database = await opened()
    await run(database, 'create table numbers (n integer primary key, padding text)')
    await run(
      database,
      'create table shrinking as select n, repeat(md5(n::text), 30) as text from generate_series(1, 3000) n',
    )
    let changes = 0
    // Between any two files something else changes that a copy could have in part.
    const between = async () => {
      changes += 1
      const n = changes
      await run(
        database,
        `insert into numbers select ${n} * 1000 + i, repeat('x', 900) from generate_series(1, 30) i`,
      )
      await run(database, `update numbers set padding = md5(n::text) where n % 7 = ${n % 7}`)
      if (n % 10 === 1)
        await run(
          database,
          `create table extra_${n} as select i, repeat('y', 500) from generate_series(1, 200) i`,
        )
      if (n % 10 === 6 && n > 10) await run(database, `drop table extra_${n - 5}`)
      if (n === 20) await run(database, 'delete from shrinking where n > 10')
      if (n === 21) await database.runScript('vacuum shrinking')
      if (n === 40) await database.runScript('vacuum (full) numbers')
      if (n === 60) await run(database, 'truncate shrinking')
    }
    const state = sql`
      select (select md5(string_agg(n || padding, ',' order by n)) from numbers) as numbers,
        (select count(*)::integer from shrinking) as shrinking,
        (select string_agg(relname, ',' order by relname) from pg_class where relname like 'extra%' and relkind = 'r') as tables`
    const folder = join(makeTemporaryFolder(), 'database')
    const copyFiles = database.copyFiles!
    let atEnd: unknown
    let files = 0
    const path = written()
    await writeBackup(
      (put, end) =>
        copyFiles(
          async (entry) => {
            if (entry.file !== undefined && files < 120) {
              files += 1
              await between()
            }
            await put(entry)
            // After the moment of the copy, the log is still being copied.
            if (atEnd !== undefined) await between()
          },
          async (reads) => {
            ;[atEnd] = await reads.query(state)
            return end(reads)
          },
        ),
      { files: localFiles((async function* () {})()), path, signal: SIGNAL, now: Date.now },
    )
    expect(files).toBe(120)
    expect(atEnd).not.toEqual((await database.query(state))[0])
    const contents = await unpackBackup(path, folder, SIGNAL)
    await verifyUnpacked(folder, contents)
    const copy = await openEmbedded({ folder })
    expect((await copy.query(state))[0]).toEqual(atEnd)
    // Each page of each table is intact (data checksums), and each index agrees with its table.
    expect(await copy.query(sql`select count(*)::integer as n from numbers where n > 0`)).toMatchObject([
      { n: expect.any(Number) },
    ])
    await copy.close()
  })

  it('is refused while another one is made, and possible again afterwards', async () => {
    const database = await opened()
    const gate = Promise.withResolvers<void>()
    const first = database.copyFiles!(
      () => gate.promise,
      async () => {},
    )
    await expect(write(database, written())).rejects.toThrow('being copied already')
    gate.resolve()
    await first
    await write(database, written())
  })

  it('is of no use if the files are rewritten meanwhile, as by an erasure', async () => {
    const database = await opened()
    let isFirst = true
    const copied = database.copyFiles!(
      async () => {
        if (isFirst) await database.runScript('checkpoint')
        isFirst = false
      },
      async () => {},
    )
    await expect(copied).rejects.toThrow('rewritten while they were copied')
  })

  it('that fails leaves no file, and checkpoints go on', async () => {
    const database = await opened()
    const place = makeTemporaryFolder()
    const stopped = new AbortController()
    const copyFiles = database.copyFiles!
    await expect(
      writeBackup(
        (put, end) =>
          copyFiles(async (entry) => {
            if (entry.path.startsWith('global/')) stopped.abort(new Error('stopped'))
            await put(entry)
          }, end),
        {
          files: localFiles((async function* () {})()),
          path: join(place, 'b'),
          signal: stopped.signal,
          now: Date.now,
        },
      ),
    ).rejects.toThrow('stopped')
    expect(readdirSync(place)).toEqual([])
    await write(database, written())
  })

  it('of a database in memory does not exist', async () => {
    const database = await openEmbedded({})
    onTestFinished(() => database.close())
    expect(database.copyFiles).toBeUndefined()
  })
})

test('a copy that differs from what it says is refused', async () => {
  const data = join(makeTemporaryFolder(), 'database')
  const contents = await unpackBackup(file, data, SIGNAL)
  const other = { ...contents, contents: { ...contents.contents, bookings: 3, heads: 'x' } }
  await expect(verifyUnpacked(data, other)).rejects.toThrow('is not as it was: bookings, heads differ')
})
