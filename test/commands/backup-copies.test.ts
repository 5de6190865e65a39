/** Copies of the files of an embedded database that is changed meanwhile: each is the database as of one moment. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { unpackBackup, verifyUnpacked } from '../../src/commands/backup/open-backup.ts'
import { writeBackup } from '../../src/commands/backup/write-backup.ts'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { localFiles } from '../../src/intake/files.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { newFolder } from './sojourn.ts'

const SIGNAL = new AbortController().signal

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
    const database = await openEmbedded({ from: inject('embeddedTemplate') })
    onTestFinished(() => database.close())
    expect(database.copyFiles).toBeUndefined()
  })
})
