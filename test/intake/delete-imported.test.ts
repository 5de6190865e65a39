/** Files of a watched folder that were imported are deleted when they are old enough, and nothing else is. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DELETED_LOG } from '../../src/commands/delete-imported.ts'
import { FolderWatch } from '../../src/commands/folder-watch.ts'
import { sojourn } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const DAY = 86_400_000
const signal = new AbortController().signal
const TEXT = 'Maria Popescu'

let folder: string
let now: number
let watch: FolderWatch

const path = (...names: string[]) => join(folder, ...names)
const names = (sub: string) => readdirSync(path(sub)).sort()
const recorded = () =>
  readFileSync(path('.sojourn', DELETED_LOG), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
/** Imports, or fails to import, a file today. */
async function take(name: string): Promise<void> {
  writeFileSync(path(name), TEXT)
  await watch.look(signal)
  await watch.look(signal)
}
const daysLater = async (days: number, why: 'age' | 'request' = 'age') => {
  now += days * DAY
  return watch.deleteImported('.sojourn', now - 30 * DAY, why)
}

beforeEach(async () => {
  folder = makeTemporaryFolder()
  // Files are written by the clock of the machine.
  now = Date.now()
  watch = new FolderWatch({
    folder,
    now: () => now,
    importFile: async (file, rejects) => {
      if (file.includes('partly')) writeFileSync(`${rejects}.ndjson`, TEXT)
      return { outcome: file.includes('bad') ? 'failed' : 'done', report: 'a report' }
    },
    tell() {},
  })
  await watch.open()
})
afterEach(() => watch.close())

describe('a watched folder', () => {
  it('a file that was imported is deleted with its report when it is old enough, and recorded without its name', async () => {
    await take('maria-popescu.csv')
    const [, importedAt] = [names('done'), new Date(now).toISOString()]
    expect(await daysLater(29)).toEqual({ deleted: 0, changed: 0, notImported: 0 })
    expect(names('done')).toHaveLength(2)
    expect(await daysLater(2)).toEqual({ deleted: 1, changed: 0, notImported: 0 })
    expect(names('done')).toEqual([])
    expect(recorded()).toEqual([
      {
        deletedAt: new Date(now).toISOString(),
        why: 'age',
        importedAt,
        sha256: createHash('sha256').update(TEXT).digest('hex'),
        bytes: TEXT.length,
      },
    ])
    expect(JSON.stringify(recorded())).not.toMatch(/maria|popescu/i)
  })

  it.each([
    ['a file that failed', () => take('bad.csv'), { deleted: 0, changed: 0, notImported: 1 }],
    ['rejected records of a file', () => take('partly.csv'), { deleted: 1, changed: 0, notImported: 1 }],
    [
      'a file that was written to after it',
      async () => {
        await take('a.csv')
        const [file = ''] = names('done')
        utimesSync(path('done', file), new Date(now + DAY), new Date(now + DAY))
      },
      { deleted: 0, changed: 1, notImported: 0 },
    ],
    [
      'a file without the report of its import',
      async () => {
        await take('a.csv')
        rmSync(path('done', names('done')[1] ?? ''))
      },
      { deleted: 0, changed: 0, notImported: 0 },
    ],
    [
      'a file that somebody put there',
      async () => writeFileSync(path('done', '2026-notes.txt'), TEXT),
      { deleted: 0, changed: 0, notImported: 0 },
    ],
    [
      'the target of a link with the name of a file',
      async () => {
        await take('a.csv')
        const [file = ''] = names('done')
        writeFileSync(path('elsewhere.tmp'), TEXT)
        rmSync(path('done', file))
        symlinkSync('../elsewhere.tmp', path('done', file))
      },
      { deleted: 0, changed: 0, notImported: 0 },
    ],
  ])('what was not imported stays, and is reported: %s', async (_, make, counts) => {
    await make()
    const before = [
      ...names('failed'),
      ...(counts.deleted === 0 ? names('done') : []),
      ...readdirSync(folder),
    ]
    expect(await daysLater(400)).toEqual(counts)
    const after = [...names('failed'), ...(counts.deleted === 0 ? names('done') : []), ...readdirSync(folder)]
    expect(after.filter((name) => name !== '.sojourn')).toEqual(before.filter((name) => name !== '.sojourn'))
  })

  it('a report whose file somebody removed is deleted too', async () => {
    await take('a.csv')
    rmSync(path('done', names('done')[0] ?? ''))
    expect(await daysLater(31)).toEqual({ deleted: 0, changed: 0, notImported: 0 })
    expect(names('done')).toEqual([])
  })

  it('no file is deleted whose deletion cannot be recorded, nor anything through a link', async () => {
    await take('a.csv')
    const elsewhere = makeTemporaryFolder()
    symlinkSync(elsewhere, path('.sojourn'))
    await expect(daysLater(31)).rejects.toThrow('is a link')
    rmSync(path('.sojourn'))
    await watch.deleteImported('.sojourn', 0, 'age')
    symlinkSync(join(elsewhere, 'log'), path('.sojourn', DELETED_LOG))
    await expect(daysLater(31)).rejects.toThrow()
    expect([names('done').length, readdirSync(elsewhere)]).toEqual([2, []])
  })

  it('the record keeps its newest lines', async () => {
    await take('a.csv')
    await watch.deleteImported('.sojourn', 0, 'age')
    writeFileSync(path('.sojourn', DELETED_LOG), '{"old":true}\n'.repeat(11_000))
    await daysLater(31)
    expect([recorded().length, recorded().at(-1).why]).toEqual([10_000, 'age'])
  })
})

describe('sojourn import', () => {
  it('--delete-imported deletes all that was imported, says what stays, and imports nothing', async () => {
    await take('a.csv')
    await take('bad.csv')
    writeFileSync(path('waiting.csv'), TEXT)
    const ran = await sojourn(['import', '--delete-imported', folder], {}, { now: now + 1000 })
    expect(ran).toMatchObject({ code: 0, stdout: `Deleted 1 imported file of ${folder}.\n` })
    expect(ran.stderr).toContain('failed/ has 1 file with records that were not imported.')
    expect(names('done')).toEqual([])
    expect(existsSync(path('waiting.csv'))).toBe(true)
    expect(recorded()).toMatchObject([{ why: 'request' }])
    expect(await sojourn(['import', '--delete-imported', folder, 'x.csv'], {})).toMatchObject({ code: 2 })
    expect(await sojourn(['import', '--delete-imported', path('no')], {})).toMatchObject({ code: 1 })
  })

  it.each([
    ['30', '', 0],
    ['0', ' stored', 2],
  ])('--watch deletes them by WATCHED_FILES_DAYS=%s%s', async (days, _, left) => {
    await take('a.csv')
    const end = new AbortController()
    let printed = ''
    const output = () =>
      new Writable({
        write(chunk, _encoding, done) {
          printed += String(chunk)
          // What is old is deleted before the first look.
          if (days === '0' ? printed.includes('Watching') : printed.includes('deleted:')) end.abort()
          done()
        },
      })
    const ran = await sojourn(
      ['import', '--watch', folder],
      { WATCHED_FILES_DAYS: days },
      { now: now + 31 * DAY, signal: end.signal, stdout: output(), stderr: output() },
    )
    expect(ran.code).toBe(0)
    expect(names('done')).toHaveLength(left)
    if (days === '30') expect(printed).toContain('deleted: 1 file imported more than 30 days ago.')
  })
})
