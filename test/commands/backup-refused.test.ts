/** `sojourn restore` refuses whatever is not a whole backup, and a database that is there, and changes nothing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newPostgresDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { signed } from './signed-backup.ts'
import { CENTER, newBackup, newFolder, sojourn } from './sojourn.ts'

let folder: string
let file: string
let bytes: Buffer
let text: string
beforeAll(async () => {
  folder = newFolder()
  expect(await sojourn(['import', '-'], { DATA_DIR: folder }, { stdin: CENTER })).toMatchObject({ code: 0 })
  file = await newBackup(folder)
  bytes = readFileSync(file)
  text = zstdDecompressSync(bytes).toString('utf8')
})

const target = () => join(makeTemporaryFolder(), 'restored')

async function refused(content: Buffer | string, why: RegExp): Promise<void> {
  const path = join(makeTemporaryFolder(), 'changed.zst')
  writeFileSync(path, typeof content === 'string' ? zstdCompressSync(content) : content)
  const restored = target()
  const ran = await sojourn(['restore', path], { DATA_DIR: restored })
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(why)
  expect(existsSync(restored)).toBe(false)
}

describe('restore refuses, and changes nothing,', () => {
  test.each([0, 1, 10, 1000, -200, -20, -1])('a backup that is cut off at byte %i', async (length) => {
    await refused(bytes.subarray(0, length), /is not a complete backup: .*Nothing was changed\.\n$/)
  })

  test.each([0.01, 0.2, 0.5, 0.9, 0.99])('a backup with a changed byte at %f of its length', async (part) => {
    const changed = Buffer.from(bytes)
    const at = Math.floor(bytes.length * part)
    changed[at] = (changed[at] ?? 0) ^ 0x10
    await refused(changed, /is not a complete backup: /)
  })

  test('content changed and packed again', async () => {
    await refused(text.replace('Europe/Oslo', 'Europe/Rome'), /is not a complete backup: it was changed/)
    await refused(text.replace('Fjord', 'Fjords'), /it was changed/)
  })

  test('one that lost its last line, or has more after it', async () => {
    await refused(text.slice(0, text.trimEnd().lastIndexOf('\n') + 1), /it ends too early/)
    await refused(`${text}more\n`, /it ends too early|it was changed/)
    await refused(`${text}more`, /it ends too early/)
  })

  test('a text, an export, and another compressed file', async () => {
    await refused(Buffer.from('no backup'), /is not a complete backup/)
    await refused(Buffer.from(CENTER), /is not a complete backup/)
    await refused(gzipSync(CENTER), /is not a complete backup/)
    await refused(CENTER, /it is another file/)
  })

  test('one of a newer schema, and of another form', async () => {
    await refused(text.replace('"formatVersion":2', '"formatVersion":3'), /another version of Sojourn/)
    const newer = join(makeTemporaryFolder(), 'newer.zst')

    writeFileSync(newer, zstdCompressSync(signed(text.replace(/"schema":\d+/, '"schema":9999'))))
    const restored = target()
    const ran = await sojourn(['restore', newer], { DATA_DIR: restored })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('newer version of Sojourn') })
    expect(existsSync(restored)).toBe(false)
  })

  test('one whose rows do not fit, although its digest does: all of it or nothing', async () => {
    const other = join(makeTemporaryFolder(), 'other.zst')
    for (const [changed, why] of [
      [text.replace('"sessions":1', '"sessions":2'), 'sessions has 1 rows and not 2'],
      [text.replace('Europe/Oslo', "x'); drop table centers; --"), undefined],
      [text.replace("FOR VALUES FROM ('", "FOR VALUES FROM (now()) --('"), 'a month of the trail'],
    ] as const) {
      writeFileSync(other, zstdCompressSync(signed(changed)))
      const restored = target()
      const ran = await sojourn(['restore', other], { DATA_DIR: restored })
      // Any text is a value, and none is a statement.
      if (why === undefined) expect(ran.code).toBe(0)
      else expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
      expect(existsSync(join(restored, 'postgres'))).toBe(why === undefined)
    }
  })

  test('a file that does not exist', async () => {
    const restored = target()
    const ran = await sojourn(['restore', join(makeTemporaryFolder(), 'none')], { DATA_DIR: restored })
    expect(ran).toMatchObject({ code: 1 })
    expect(existsSync(restored)).toBe(false)
  })

  test('a folder that has a database', async () => {
    const before = readdirSync(folder)
    const ran = await sojourn(['restore', file], { DATA_DIR: folder })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('has a database already') })
    expect(readdirSync(folder)).toEqual(before)
  })

  test('a database of a server that has tables', async () => {
    const env = { DATABASE_URL: await newPostgresDatabase(), DATA_DIR: makeTemporaryFolder() }
    const ran = await sojourn(['restore', file], env)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('has tables already') })
    expect((await sojourn(['centers', 'list'], env)).stdout).toContain('There are no centers')
  })
})
