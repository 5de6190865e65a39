import fs, { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openEngine } from '../../src/database/embedded/engine.ts'
import { newFolder } from '../commands/sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

async function open(folder: string) {
  const engine = await openEngine({ folder })
  onTestFinished(async () => {
    if (!engine.closed) await engine.close()
  })
  return engine
}

/** The inodes of what is synced from now on, in their order: the real fsync, and beside it our note of it. */
function noteSyncs(): number[] {
  const synced: number[] = []
  const { fsyncSync } = fs
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    synced.push(fs.fstatSync(file).ino)
    fsyncSync(file)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  return synced
}

const inodeOf = (...path: string[]) => fs.statSync(join(...path)).ino

const segmentsOf = (folder: string) =>
  readdirSync(join(folder, 'pg_wal'))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => inodeOf(folder, 'pg_wal', name))

test('every commit has its log on the disk before it is acknowledged', async () => {
  const folder = join(await newFolder(), 'database')
  const engine = await open(folder)
  await engine.exec('create table notes (note text)')
  const synced = noteSyncs()
  for (let commits = 1; commits <= 3; commits++) {
    await engine.query('insert into notes values ($1)', ['a'])
    expect(synced.filter((inode) => segmentsOf(folder).includes(inode))).toHaveLength(commits)
  }
  await engine.transaction(async (tx) => {
    await tx.query('insert into notes values ($1)', ['b'])
    expect(synced).toHaveLength(3)
  })
  expect(synced).toHaveLength(4)
  await engine.query('select * from notes')
  expect(synced).toHaveLength(4)
})

test('a checkpoint has the tables on the disk, and their names, before it is over', async () => {
  const folder = join(await newFolder(), 'database')
  const engine = await open(folder)
  const synced = noteSyncs()
  await engine.exec('create table notes (note text); insert into notes values (1)')
  const { rows } = await engine.query<{ path: string }>("select pg_relation_filepath('notes') as path")
  const path = join(folder, rows[0]?.path ?? '')
  // Its name before the log that speaks of it, its content not yet.
  const log = synced.findIndex((inode) => segmentsOf(folder).includes(inode))
  expect(synced.slice(0, log)).toContain(inodeOf(path, '..'))
  expect(synced).not.toContain(inodeOf(path))
  await engine.query('checkpoint')
  expect(synced).toContain(inodeOf(path))
  expect(synced.at(-1)).not.toBe(inodeOf(path))
})

test('a log file that is written full is followed by one whose name is on the disk', async () => {
  const folder = join(await newFolder(), 'database')
  const engine = await open(folder)
  const synced = noteSyncs()
  await engine.query('select pg_switch_wal()')
  await engine.exec('create table notes (note text)')
  expect(segmentsOf(folder)).toHaveLength(2)
  expect(synced).toContain(inodeOf(folder, 'pg_wal'))
})

test.each([
  ['empty, as a power cut leaves it', ''],
  ['of a process that lives', `${process.ppid}\n/pglite/data\n1700000000\n5432\n`],
])('a postmaster.pid that is left over is no obstacle: %s', async (_, content) => {
  const folder = join(await newFolder(), 'database')
  const first = await open(folder)
  await first.exec('create table notes (note text); insert into notes values (1)')
  await first.close()
  writeFileSync(join(folder, 'postmaster.pid'), content)
  const again = await open(folder)
  expect((await again.query('select * from notes')).rows).toEqual([{ note: '1' }])
})

test('a new folder is whole before it has its name, and what was left of an attempt is no obstacle', async () => {
  const home = makeTemporaryFolder()
  const folder = join(home, 'database')
  mkdirSync(join(home, 'database.new', 'base'), { recursive: true })
  writeFileSync(join(home, 'database.new', 'PG_VERSION'), '1')
  const synced = new Set<string>()
  const { open: openFile } = fs.promises
  const opened = vi.spyOn(fs.promises, 'open').mockImplementation(async (path, flags) => {
    const file = await openFile(path, flags)
    const sync = file.sync.bind(file)
    file.sync = async () => {
      await sync()
      synced.add(String(path))
    }
    return file
  })
  let missing: string[] | undefined
  const { renameSync } = fs
  const renamed = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (to === folder) missing = filesOf(String(from)).filter((path) => !synced.has(path))
    renameSync(from, to)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    opened.mockRestore()
    renamed.mockRestore()
    syncBuiltinESMExports()
  })
  await open(folder)
  expect(missing).toEqual([])
  expect(existsSync(`${folder}.new`)).toBe(false)
})

const filesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('a folder with files and without a database is refused and left as it is', async () => {
  const folder = makeTemporaryFolder()
  mkdirSync(join(folder, 'base'))
  await expect(openEngine({ folder })).rejects.toThrow('it has no PG_VERSION')
  expect(readdirSync(folder)).toEqual(['base'])
})
