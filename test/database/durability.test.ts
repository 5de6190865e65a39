import fs, { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Engine } from '../../src/database/embedded/engine.ts'
import { makeFolder } from '../../src/database/embedded/new-folder.ts'
import { Messages, readReply } from '../../src/database/embedded/wire.ts'
import { newFolder } from '../commands/sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** The engine as it runs in its thread, but in this one, where its calls to the system can be watched. */
async function open(folder: string) {
  const engine = await Engine.open({ folder })
  let isOpen = true
  const close = async () => {
    if (isOpen) await engine.close()
    isOpen = false
  }
  onTestFinished(close)
  const run = (statements: string) => {
    const { rows, error } = readReply(engine.exchange(new Messages().query(statements).take()))
    if (error !== undefined) throw error
    return rows
  }
  return { run, close }
}

/** The inodes of what is synced from now on, in their order: the real fsync, and our note of it. */
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
  const folder = join(newFolder(), 'database')
  const { run } = await open(folder)
  run('create table notes (note text)')
  const synced = noteSyncs()
  for (let commits = 1; commits <= 3; commits++) {
    run("insert into notes values ('a')")
    expect(synced.filter((inode) => segmentsOf(folder).includes(inode))).toHaveLength(commits)
  }
  run('begin')
  run("insert into notes values ('b')")
  expect(synced).toHaveLength(3)
  run('commit')
  expect(synced).toHaveLength(4)
  run('select * from notes')
  expect(synced).toHaveLength(4)
})

test('a checkpoint has the tables on the disk, and their names, before it is over', async () => {
  const folder = join(newFolder(), 'database')
  const { run } = await open(folder)
  const synced = noteSyncs()
  run('create table notes (note text); insert into notes values (1)')
  const [[relation] = []] = run("select pg_relation_filepath('notes')")
  const path = join(folder, String(relation))
  // Its name before the log that speaks of it, its content not yet.
  const log = synced.findIndex((inode) => segmentsOf(folder).includes(inode))
  expect(synced.slice(0, log)).toContain(inodeOf(path, '..'))
  expect(synced).not.toContain(inodeOf(path))
  run('checkpoint')
  expect(synced).toContain(inodeOf(path))
  expect(synced.at(-1)).not.toBe(inodeOf(path))
})

test('a temporary table waits for no disk: neither its folder is synced, nor a commit that need not last', async () => {
  const folder = join(newFolder(), 'database')
  const { run } = await open(folder)
  run('create table notes (note text)')
  const synced = noteSyncs()
  run('set local synchronous_commit to off; create temporary table stage (seq bigint)')
  run('set local synchronous_commit to off; insert into stage select generate_series(1, 1000)')
  run('set local synchronous_commit to off; drop table stage')
  expect(synced).toEqual([])
  run("insert into notes values ('a')")
  expect(synced).toHaveLength(1)
  expect(segmentsOf(folder)).toContain(synced[0])
})

test('a log file that is written full is followed by one whose name is on the disk', async () => {
  const folder = join(newFolder(), 'database')
  const { run } = await open(folder)
  const synced = noteSyncs()
  run('select pg_switch_wal()')
  run('create table notes (note text)')
  expect(segmentsOf(folder)).toHaveLength(2)
  expect(synced).toContain(inodeOf(folder, 'pg_wal'))
})

test.each([
  ['empty, as a power cut leaves it', ''],
  ['of a process that lives', `${process.ppid}\n/pglite/data\n1700000000\n5432\n`],
])('a postmaster.pid that is left over is no obstacle: %s', async (_, content) => {
  const folder = join(newFolder(), 'database')
  const first = await open(folder)
  first.run('create table notes (note text); insert into notes values (1)')
  await first.close()
  writeFileSync(join(folder, 'postmaster.pid'), content)
  const again = await open(folder)
  expect(again.run('select * from notes')).toEqual([['1']])
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
  await makeFolder(folder)
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
  await expect(makeFolder(folder)).rejects.toThrow('not empty')
  await expect(Engine.open({ folder })).rejects.toThrow('it has no PG_VERSION')
  expect(readdirSync(folder)).toEqual(['base'])
})

test('the log does not grow for ever: a checkpoint is written after so much of it', async () => {
  const folder = join(newFolder(), 'database')
  const engine = await Engine.open({ folder })
  onTestFinished(() => engine.close())
  const run = (statements: string) => engine.exchange(new Messages().query(statements).take())
  run('create table notes (note text)')
  for (let megabytes = 0; megabytes < 200; megabytes += 20) {
    run("insert into notes select repeat('x', 1000) from generate_series(1, 20000)")
    engine.afterwards()
    expect(segmentsOf(folder).length).toBeLessThanOrEqual(11)
  }
})
