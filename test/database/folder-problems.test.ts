import fs, { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { EngineFailed, reasonOf } from '../../src/database/embedded/engine-error.ts'
import { damage, POSTGRES_VERSION } from '../../src/database/embedded/folder-problems.ts'
import { newFolder, sojourn } from '../commands/sojourn.ts'

/** What a command says of a folder that was broken: one sentence or two, of the folder and how to go on. */
async function refusal(dataDir: string): Promise<string> {
  const ran = await sojourn(['centers', 'list'], { DATA_DIR: dataDir })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).not.toMatch(/\[object|EPIPE|ENO|EACC|undefined|\.js|\n./)
  expect(ran.stderr).toContain(dataDir)
  return ran.stderr
}

/** A user table's file. */
const newestFile = (folder: string) => {
  const base = join(folder, 'base', readdirSync(join(folder, 'base')).find((name) => name === '5') ?? '')
  return join(
    base,
    readdirSync(base)
      .filter((name) => /^1[6-9]\d{3}$/.test(name))
      .sort()[0] ?? '',
  )
}

function replaceByFile(folder: string): void {
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
}

test('the files of a new folder are of the version that is expected', async () => {
  expect(readFileSync(join(newFolder(), 'database', 'PG_VERSION'), 'utf8')).toBe(`${POSTGRES_VERSION}\n`)
})

test('a folder of another PostgreSQL is refused with the way out and in', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'database', 'PG_VERSION'), '16\n')
  expect(await refusal(folder)).toBe(
    `The embedded database in ${folder} is one of PostgreSQL 16, and this version of Sojourn uses PostgreSQL 18. Export it with the version of Sojourn that made it ("sojourn export --keys --output all.ndjson.gz"), and import that into another folder ("sojourn import --keys all.ndjson.gz").\n`,
  )
})

test.each<[string, (database: string) => void, string]>([
  [
    'PG_VERSION is empty',
    (d) => writeFileSync(join(d, 'PG_VERSION'), ''),
    'no PG_VERSION that could be read',
  ],
  ['PG_VERSION is gone', (d) => rmSync(join(d, 'PG_VERSION')), 'no PG_VERSION that could be read'],
  ['the folder is a file', (d) => replaceByFile(d), 'no PG_VERSION'],
  ['pg_control is gone', (d) => rmSync(join(d, 'global', 'pg_control')), 'global/pg_control'],
  ['the log is gone', (d) => rmSync(join(d, 'pg_wal'), { recursive: true }), 'pg_wal'],
  ['the settings are gone', (d) => rmSync(join(d, 'postgresql.conf')), 'failed to initialize'],
  ['a table is gone', (d) => rmSync(newestFile(d)), 'No such file'],
])('a torn folder is refused with the cause and the way on: %s', async (_, tear, cause) => {
  const folder = newFolder()
  tear(join(folder, 'database'))
  const said = await refusal(folder)
  expect(said).toContain(`The embedded database in ${folder} is damaged: `)
  expect(said).toContain(cause)
  expect(said).toContain(
    '. Restore a copy of the folder, or set DATA_DIR to another folder and import your last "sojourn export"',
  )
})

describe('a folder that cannot be written', () => {
  /** As the system refuses it: root, as which tests may run, is refused nothing. */
  function refuse(folder: string, code: string) {
    const { accessSync } = fs
    const spy = vi.spyOn(fs, 'accessSync').mockImplementation((path, mode) => {
      if (String(path).startsWith(folder)) throw Object.assign(new Error(`${code}: refused`), { code })
      accessSync(path, mode)
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      spy.mockRestore()
      syncBuiltinESMExports()
    })
  }

  test('because it is on a read-only file system', async () => {
    const folder = newFolder()
    refuse(folder, 'EROFS')
    expect(await refusal(folder)).toBe(
      `DATA_DIR, ${folder}, is on a read-only file system, and the embedded database writes to its folder; make it writable, or set DATA_DIR to a copy of it elsewhere.\n`,
    )
  })

  test.each([
    'owner.lock',
    'database',
    'database/PG_VERSION',
    'database/global/pg_control',
    'database/pg_wal',
  ])('because its files belong to somebody else: %s', async (name) => {
    const folder = newFolder()
    if (name === 'owner.lock') writeFileSync(join(folder, name), '')
    refuse(join(folder, name), 'EACCES')
    expect(await refusal(folder)).toBe(
      `This user may not write to ${folder}/${name}; run the command as the user that the files belong to, or set DATA_DIR to another folder.\n`,
    )
  })

  test('because it is a file, or in one', async () => {
    const file = join(newFolder(), 'a-file')
    writeFileSync(file, '')
    for (const place of [file, join(file, 'inside')]) {
      expect(await refusal(place)).toMatch(
        /^DATA_DIR, \S+, cannot be used as the embedded database's folder: (file already exists|not a directory)\.\n$/,
      )
    }
  })
})

test('too little memory is distinguished from damage', () => {
  expect(damage('/data', 'WebAssembly.Memory(): could not allocate memory')).toBe(
    'There is too little memory to open the embedded database in /data: WebAssembly.Memory(): could not allocate memory.',
  )
})

test.each([
  [new EngineFailed('it is torn.'), 'it is torn'],
  [{ name: 'ErrnoError', errno: 51 }, 'No space left on device'],
  [{ name: 'ErrnoError', errno: 9 }, 'its file system reports error 9'],
  [{ any: 'thing' }, 'it does not start'],
  ['text', 'text'],
  [undefined, 'it does not start'],
])('whatever an engine fails with has a reason for people: %o', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})

test('what a folder was refused for does not stop anybody afterwards', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'saved'))
  fs.renameSync(join(folder, 'database', 'pg_wal'), join(folder, 'saved', 'pg_wal'))
  await refusal(folder)
  fs.renameSync(join(folder, 'saved', 'pg_wal'), join(folder, 'database', 'pg_wal'))
  expect((await sojourn(['centers', 'list'], { DATA_DIR: folder })).code).toBe(0)
})
