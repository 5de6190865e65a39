/** A command whose user may not use a file or a folder says which user that is: root's commands run as the user of the service. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { SOJOURN } from '../support/command.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, newBackup, newFolder } from './sojourn.ts'

/** Root may do everything, unless it has given that up. */
const WITHOUT_PRIVILEGES =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : []

const DENIED = `permission denied for the user ${userInfo().username}`

let folder: string
let backup: string
beforeAll(async () => {
  folder = newFolder()
  backup = await newBackup(folder)
})

/** A folder with a file. With the default mode, nobody may enter it. */
function closedFolder(mode = 0) {
  const closed = makeTemporaryFolder()
  writeFileSync(join(closed, 'center.ndjson'), CENTER)
  chmodSync(closed, mode)
  onTestFinished(() => chmodSync(closed, 0o700))
  return closed
}

function refused(args: readonly string[], dataDir = folder): string {
  const [program = '', ...more] = [...WITHOUT_PRIVILEGES, process.execPath, ...SOJOURN, ...args]
  const env = { DATA_DIR: dataDir, PATH: process.env.PATH }
  const { status, stdout, stderr } = spawnSync(program, more, { env, encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  return stderr
}

test('a file to import', () => {
  const file = join(closedFolder(), 'center.ndjson')
  expect(refused(['import', file])).toBe(`${file} cannot be read: ${DENIED}\n`)
})

test('a folder for a backup', () => {
  const closed = closedFolder(0o500)
  expect(refused(['backup', join(closed, 'new.tar.gz')])).toBe(
    `The folder ${closed} cannot be written to: ${DENIED}. Name a file in a folder of that user.\n`,
  )
  expect(readdirSync(closed)).toEqual(['center.ndjson'])
})

test('a backup to restore', () => {
  const file = join(closedFolder(), 'backup.tar.gz')
  const target = join(makeTemporaryFolder(), 'restored')
  expect(refused(['restore', file], target)).toBe(`${file} cannot be read: ${DENIED}.\n`)
  expect(existsSync(target)).toBe(false)
})

test('a folder to restore into', () => {
  const sentence = (path: string) =>
    `The user ${userInfo().username} may not write to ${path}; run the command as the user that the files belong to, or set DATA_DIR to another folder.\n`
  const closed = closedFolder(0o500)
  expect(refused(['restore', backup], join(closed, 'restored'))).toBe(sentence(closed))
  const there = join(makeTemporaryFolder(), 'there')
  mkdirSync(there, { mode: 0o500 })
  expect(refused(['restore', backup], there)).toBe(sentence(there))
})
