/** `sojourn restore` refuses whatever is not a whole backup, and what is not empty, and changes nothing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { padding, TAR_END, tarHeader } from '../../src/commands/backup/tar.ts'
import { lockFolder } from '../../src/database/folder-lock.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, newBackup, newFolder, sojourn } from './sojourn.ts'

let folder: string
let file: string
let bytes: Buffer
beforeAll(async () => {
  folder = newFolder()
  file = await newBackup(folder)
  bytes = readFileSync(file)
})

const target = () => join(makeTemporaryFolder(), 'restored')
const restore = (path: string, DATA_DIR: string) => sojourn(['restore', path], { DATA_DIR })

function isUnpackedTo(packed: Buffer, content: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(content)
  } catch {
    return false
  }
}

describe('restore refuses, and changes nothing,', () => {
  const refused = async (content: Buffer, why: RegExp) => {
    const path = join(makeTemporaryFolder(), 'changed.tar.gz')
    writeFileSync(path, content)
    const restored = target()
    const ran = await restore(path, restored)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(why)
    expect(existsSync(restored)).toBe(false)
  }

  test.each([0, 1, 10, 1000, 100_000, -20, -9, -1])('a backup that is cut off at byte %i', async (length) => {
    await refused(
      bytes.subarray(0, length === 0 ? 0 : length),
      /is not a complete backup: .*Nothing was changed\.\n$/,
    )
  })

  test.each([0.001, 0.2, 0.5, 0.9, 0.999])(
    'a backup with a changed byte at %f of its length',
    async (part) => {
      const content = gunzipSync(bytes)
      const changed = Buffer.from(bytes)
      let at = Math.floor(bytes.length * part)
      const change = () => {
        changed[at] = (changed[at] ?? 0) ^ 0x10
      }
      // In a long row of zeros, a changed distance is another way to write the same zeros.
      for (change(); isUnpackedTo(changed, content); change()) {
        change()
        at += 1
      }
      await refused(changed, /is not a complete backup: /)
    },
  )

  test.each([0.1, 0.5, 0.9])('content changed at %f and packed again', async (part) => {
    const content = gunzipSync(bytes)
    // Within a file: a header has 512 bytes of every 8 kB at most.
    let at = Math.floor(content.length * part)
    while (content.subarray(at - 600, at + 600).includes('ustar')) at += 600
    content[at] = (content[at] ?? 0) ^ 1
    await refused(gzipSync(content, { level: 1 }), /is not a complete backup: it was changed/)
  })

  test('something that follows its end', async () => {
    await refused(
      gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.alloc(512)])),
      /something follows its end/,
    )
    await refused(Buffer.concat([bytes, gzipSync('more')]), /something follows its end/)
  })

  test.each(['../outside', '/etc/outside', 'database/../../outside', 'database/..', '.'])(
    'an archive that writes to %s',
    async (path) => {
      const evil = join(makeTemporaryFolder(), 'evil')
      const about = tarHeader({ path: 'READ-ME.txt', isFolder: false, size: 0 }, 0)
      const entry = tarHeader({ path, isFolder: false, size: 4 }, 0)
      const archive = [
        about,
        tarHeader({ path: 'database', isFolder: true, size: 0 }, 0),
        entry,
        Buffer.from('evil'),
        padding(4),
        TAR_END,
      ]
      await refused(gzipSync(Buffer.concat(archive)), /that no backup has/)
      expect(existsSync(evil)).toBe(false)
    },
  )

  test('a text, an export, and another archive', async () => {
    await refused(Buffer.from('no backup'), /is not a complete backup/)
    await refused(gzipSync(CENTER), /is not a complete backup/)
    const other = [tarHeader({ path: 'file', isFolder: false, size: 0 }, 0), TAR_END]
    await refused(gzipSync(Buffer.concat(other)), /it is another archive/)
  })

  test('a file that does not exist', async () => {
    const restored = target()
    expect(await restore(join(makeTemporaryFolder(), 'none'), restored)).toMatchObject({ code: 1 })
    expect(existsSync(restored)).toBe(false)
  })

  test('a folder that is not empty', async () => {
    const used = makeTemporaryFolder()
    writeFileSync(join(used, 'notes.txt'), 'mine')
    const ran = await restore(file, used)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty (it has notes.txt)') })
    expect(readdirSync(used)).toEqual(['notes.txt'])
    expect((await restore(file, folder)).stderr).toContain('is not empty')
  })

  test('a folder that another process has locked', async () => {
    const used = makeTemporaryFolder()
    const lock = lockFolder(used)
    onTestFinished(() => lock.release())
    const ran = await restore(file, used)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('is using the folder') })
    expect(existsSync(join(used, 'database'))).toBe(false)
  })
})
