/** A folder that cannot be used gets a sentence that says what to do, and never an empty database in its place. */
import fs, { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCluster } from '../../../src/core/database/private/cluster.ts'
import { usePrivateServer } from '../../../src/core/database/private/private-server.ts'
import { findPrograms } from '../../../src/core/database/private/programs.ts'
import { findRunner, SHARED_FOLDER, unprivilegedUser } from '../../../src/core/database/private/runner.ts'
import { CENTER, json, newFolder, sojourn } from '../../commands/sojourn.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** What a command says of a folder that was broken: one sentence or two, of the folder and how to go on. */
async function refusal(dataDir: string): Promise<string> {
  const ran = await sojourn(['centers', 'list'], { DATA_DIR: dataDir })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).not.toMatch(/\[object|EPIPE|ENO|EACC|undefined|\.js|\n./)
  expect(ran.stderr).toContain(dataDir)
  return ran.stderr
}

test('a folder of another PostgreSQL is refused with the way out and in', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '16\n')
  expect(await refusal(folder)).toMatch(
    /is one of PostgreSQL 16, and this version of Sojourn uses PostgreSQL \d+\. Run "sojourn backup FILE" with the version of Sojourn that made it, and "sojourn restore FILE" with this one/,
  )
})

test('a folder of a version that ran the database in its own process is refused', async () => {
  const folder = makeTemporaryFolder()
  mkdirSync(join(folder, 'database'))
  writeFileSync(join(folder, 'database', 'PG_VERSION'), '18\n')
  expect(await refusal(folder)).toContain('Export it with that version')
  const imported = await sojourn(['import', '-'], { DATA_DIR: folder }, { stdin: CENTER })
  expect(imported).toMatchObject({ code: 1, stderr: expect.stringContaining('Export it with that version') })
  expect(readdirSync(folder)).toEqual(['database'])
})

test.each<[string, (cluster: string) => void, RegExp]>([
  [
    'PG_VERSION is empty',
    (c) => writeFileSync(join(c, 'PG_VERSION'), ''),
    /no PG_VERSION that could be read/,
  ],
  ['PG_VERSION is gone', (c) => rmSync(join(c, 'PG_VERSION')), /no PG_VERSION/],
  [
    'pg_control is gone',
    (c) => rmSync(join(c, 'global', 'pg_control')),
    /pg_control|could not find the database/,
  ],
  ['the log is gone', (c) => rmSync(join(c, 'pg_wal'), { recursive: true }), /pg_wal/],
  ['the settings are gone', (c) => rmSync(join(c, 'postgresql.conf')), /postgresql\.conf/],
])('a torn folder is refused with the cause and the way on: %s', async (_, tear, cause) => {
  const folder = newFolder()
  tear(join(folder, 'postgres'))
  const said = await refusal(folder)
  expect(said).toContain(`The database in ${folder} cannot be opened: `)
  expect(said).toMatch(cause)
  expect(said).toContain(`Its server's messages are in ${join(folder, 'postgres.log')}`)
  expect(said).toContain('Restore a backup into another folder')
})

test('a copy that was made while the folder was in use is refused, and the original is not touched', async () => {
  const folder = newFolder()
  const server = await usePrivateServer(folder)
  const copy = join(makeTemporaryFolder(), 'copy')
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.includes('.s.PGSQL') })
  expect(await refusal(copy)).toContain(
    `is a copy of ${join(folder, 'postgres')} that was made while that was in use`,
  )
  await server.close()
  expect((await sojourn(['centers', 'list'], { DATA_DIR: folder })).code).toBe(0)
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
    expect(await refusal(folder)).toContain('is on a read-only file system')
  })

  test.each(['owner.lock', 'postgres', 'postgres/PG_VERSION', 'postgres/pg_wal'])(
    'because its files belong to somebody else: %s',
    async (name) => {
      const folder = newFolder()
      if (name === 'owner.lock') writeFileSync(join(folder, name), '')
      refuse(join(folder, name), 'EACCES')
      expect(await refusal(folder)).toBe(
        `The user ${userInfo().username} may not write to ${folder}/${name}; run the command as the user that the files belong to, or set DATA_DIR to another folder.\n`,
      )
    },
  )

  test('because it is a file, or in one', async () => {
    const file = join(newFolder(), 'a-file')
    writeFileSync(file, '')
    for (const place of [file, join(file, 'inside')]) {
      expect(await refusal(place)).toContain('it is a file or in one')
    }
  })
})

describe.runIf(process.getuid?.() === 0)('root', () => {
  test('runs the server of root’s own folder in a user namespace, and the files remain root’s', async () => {
    const folder = makeTemporaryFolder()
    if (findRunner(folder, undefined)?.kind !== 'namespace')
      return expect(findRunner(folder, undefined)?.kind).toBe('user')
    expect(await sojourn(['import', '-'], { DATA_DIR: folder }, { stdin: CENTER })).toMatchObject({ code: 0 })
    expect(fs.statSync(join(folder, 'postgres')).uid).toBe(0)
  })

  test('is an unprivileged user where namespaces are not permitted', () => {
    const runner = findRunner('/root/sojourn', undefined, () => false)
    expect(runner).toMatchObject({ kind: 'user' })
    expect(findRunner('/root/sojourn', { uid: 0, gid: 0 }, () => false)).toBeUndefined()
    expect(findRunner('/root/sojourn', { uid: 4711, gid: 4712 })).toMatchObject({ uid: 4711, gid: 4712 })
  })

  test.each([
    ['in the folder, which root has where that user can go', ''],
    ['in a folder of that user, if it cannot go to the folder', 'private/data'],
  ])('reads and writes a database whose server is another user’s, %s', async (_, below) => {
    const runner = unprivilegedUser()
    if (runner === undefined) throw new Error('there is no unprivileged user')
    const programs = findPrograms(runner, SHARED_FOLDER)
    if ('missing' in programs) throw new Error(programs.missing)
    const folder = join(makeTemporaryFolder(), below)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await createCluster(folder, programs, runner)
    const cluster = fs.realpathSync(join(folder, 'postgres'))
    onTestFinished(() => rmSync(cluster, { recursive: true, force: true }))
    expect(cluster.startsWith(below === '' ? folder : SHARED_FOLDER)).toBe(true)
    const env = { DATA_DIR: folder }
    expect(await sojourn(['import', '-'], env, { stdin: CENTER })).toMatchObject({ code: 0 })
    expect(await json(['centers', 'list'], env)).toHaveLength(1)
    expect(fs.statSync(cluster)).toMatchObject({ uid: runner.uid, mode: fs.constants.S_IFDIR + 0o700 })
    if (below === '') return
    // It is not replaced when its link is deleted.
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    await expect(createCluster(folder, programs, runner)).rejects.toThrow(
      `its database of before is still in ${cluster}. To use that, run "ln -s ${cluster} ${folder}/postgres"`,
    )
  })
})
