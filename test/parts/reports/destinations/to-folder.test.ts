/** A report in a folder that others may write to: it is complete or not there, replaces nothing, and follows no link. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReportDelivery } from '../../../../src/parts/reports/destinations/delivery.ts'
import {
  type FileMark,
  type FileMemory,
  folderOf,
  toFolder,
} from '../../../../src/parts/reports/destinations/to-folder.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const NEVER = new AbortController().signal

const deliveryOf = (text: string, more: Partial<ReportDelivery> = {}): ReportDelivery => ({
  id: 'sjn-report-a-20260302050000',
  rendered: { bytes: Buffer.from(text), type: 'text/plain', extension: 'txt', missing: [] },
  fileName: 'Breakfast 2026-03-02 0700',
  title: 'Breakfast',
  remarks: [],
  scheduledAt: 0,
  asOf: 0,
  isCopy: false,
  report: { id: 'sjn_report_a', name: 'Breakfast', kind: 'day' },
  ...more,
})

/** What a run remembers, as the database does. */
function memory(marks: readonly FileMark[] = []): FileMemory & { readonly marks: FileMark[] } {
  const all = [...marks]
  return { marks: all, remember: async (mark) => void all.push(mark) }
}

function start() {
  const root = makeTemporaryFolder()
  const put = (delivery: ReportDelivery, known: FileMemory = memory(), center = 'alm', path = 'galley/day') =>
    toFolder(root, center, path, delivery, known, NEVER)
  const folder = join(root, 'alm', 'galley', 'day')
  const found = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  return { root, folder, put, found }
}

describe('a folder of reports', () => {
  it('is below that of the center, and a file of one center never meets that of another', async () => {
    const { root, put } = start()
    expect(await put(deliveryOf('of one'))).toEqual({ state: 'sent' })
    expect(await put(deliveryOf('of another'), memory(), 'berg')).toEqual({ state: 'sent' })
    const name = 'galley/day/Breakfast 2026-03-02 0700.txt'
    expect(readFileSync(join(root, 'alm', name), 'utf8')).toBe('of one')
    expect(readFileSync(join(root, 'berg', name), 'utf8')).toBe('of another')
    expect(readdirSync(root).toSorted()).toEqual(['alm', 'berg'])
  })

  it('has the identifier of its center as its name, with a digest where a system would not tell two of them apart', () => {
    expect(folderOf('alm-2.north')).toBe('alm-2.north')
    const odd = ['ALM', 'Alm', 'alm.', '.', '..', '.alm', 'a:b', 'a_b~1']
    const names = odd.map(folderOf)
    for (const name of names) expect(name).toMatch(/^[^.:/][^:/]*~[\da-f]{8}$/)
    expect(new Set([...names, 'alm'].map((name) => name.toLowerCase())).size).toBe(odd.length + 1)
  })

  it('keeps every file of one name: those of others, of another report, and of the same minute', async () => {
    const { folder, put, found } = start()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'Breakfast 2026-03-02 0700.txt'), 'of a person')
    expect(await put(deliveryOf('first'))).toEqual({ state: 'sent' })
    expect(await put(deliveryOf('second', { id: 'sjn-report-b-20260302050000' }))).toEqual({ state: 'sent' })
    expect(await put(deliveryOf('first'), memory())).toEqual({ state: 'sent' })
    expect(found()).toEqual({
      'Breakfast 2026-03-02 0700.txt': 'of a person',
      'Breakfast 2026-03-02 0700 (2).txt': 'first',
      'Breakfast 2026-03-02 0700 (3).txt': 'second',
      'Breakfast 2026-03-02 0700 (4).txt': 'first',
    })
  })

  it('is written to once by a run whose process was killed afterwards, also if its document has changed', async () => {
    const { put, found } = start()
    const known = memory()
    await put(deliveryOf('as of 07:00'), known)
    expect(known.marks).toHaveLength(1)
    expect(await put(deliveryOf('as of 07:01'), memory(known.marks))).toEqual({ state: 'sent' })
    // A copy of the same run.
    expect(await put(deliveryOf('copy', { isCopy: true }), memory(known.marks))).toEqual({ state: 'sent' })
    expect(found()).toEqual({ 'Breakfast 2026-03-02 0700.txt': 'as of 07:00' })
  })

  it('has the report next to a file that only has its name, and no draft of a process that was killed', async () => {
    const { folder, put, found } = start()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'Breakfast 2026-03-02 0700.txt'), 'nothing')
    writeFileSync(join(folder, '.half.part'), 'ha')
    const known = memory([{ draft: '.half.part', sha256: 'ab'.repeat(32) }])
    expect(await put(deliveryOf('whole'), known)).toEqual({ state: 'sent' })
    expect(found()).toEqual({
      'Breakfast 2026-03-02 0700.txt': 'nothing',
      'Breakfast 2026-03-02 0700 (2).txt': 'whole',
    })
  })

  it('gets nothing if nobody could remember what was going to be written', async () => {
    const { put, found } = start()
    const lost = { marks: [], remember: () => Promise.reject(new Error('the run is lost')) }
    await expect(put(deliveryOf('x'), lost)).rejects.toThrow('the run is lost')
    expect(found()).toEqual({})
  })

  it('gets nothing from an attempt that was given up', async () => {
    const { root, found } = start()
    const signal = AbortSignal.abort()
    const outcome = await toFolder(root, 'alm', 'galley/day', deliveryOf('x'), memory(), signal)
    expect(outcome).toEqual({ state: 'waiting', problem: 'It took too long.' })
    expect(found()).toEqual({})
  })

  it('with a hundred files of one name waits for somebody to remove some', async () => {
    const { folder, put } = start()
    for (let count = 0; count < 100; count += 1)
      expect(await put(deliveryOf(`${count}`))).toEqual({ state: 'sent' })
    expect(await put(deliveryOf('one more'))).toEqual({
      state: 'waiting',
      problem: 'The folder has 100 files of this name; remove some.',
    })
    expect(readdirSync(folder)).toHaveLength(100)
  })
})

describe('a link below REPORTS_FOLDER', () => {
  it.each([['alm'], ['alm/galley'], ['alm/galley/day']])(
    'is not followed in the place of a folder: %s',
    async (place) => {
      const { root, put } = start()
      const elsewhere = makeTemporaryFolder()
      mkdirSync(join(root, place, '..'), { recursive: true })
      // One that leads to another center, and one that leads away.
      for (const target of [elsewhere, join(root, 'berg')]) {
        mkdirSync(target, { recursive: true })
        execFileSync('ln', ['-sfn', target, join(root, place)])
        expect(await put(deliveryOf('x'))).toEqual({
          state: 'failed',
          problem: 'The folder is a link; below REPORTS_FOLDER, no link is followed.',
        })
        expect(readdirSync(target)).toEqual([])
      }
    },
  )

  it('is neither followed nor replaced in the place of the file, and no pipe is waited for', async () => {
    const { folder, put } = start()
    mkdirSync(folder, { recursive: true })
    const target = join(makeTemporaryFolder(), 'target')
    symlinkSync(target, join(folder, 'Breakfast 2026-03-02 0700.txt'))
    execFileSync('mkfifo', [join(folder, 'Breakfast 2026-03-02 0700 (2).txt')])
    const known = memory([{ draft: '.gone.part', sha256: 'ab'.repeat(32) }])
    expect(await put(deliveryOf('x'), known)).toEqual({ state: 'sent' })
    expect(existsSync(target)).toBe(false)
    expect(readFileSync(join(folder, 'Breakfast 2026-03-02 0700 (3).txt'), 'utf8')).toBe('x')
    expect(statSync(join(folder, 'Breakfast 2026-03-02 0700 (3).txt')).mode & 0o777).toBe(0o640)
  })

  it('in the place of REPORTS_FOLDER itself is followed', async () => {
    const { root } = start()
    const link = join(makeTemporaryFolder(), 'reports')
    symlinkSync(root, link)
    expect(await toFolder(link, 'alm', 'galley', deliveryOf('x'), memory(), NEVER)).toEqual({ state: 'sent' })
    expect(readdirSync(join(root, 'alm', 'galley'))).toEqual(['Breakfast 2026-03-02 0700.txt'])
  })

  it('a draft has another name each time, so that nobody can take it before', async () => {
    const { put } = start()
    const known = memory()
    for (const text of ['a', 'b', 'c']) await put(deliveryOf(text), { ...known, marks: [] })
    expect(new Set(known.marks.map(({ draft }) => draft)).size).toBe(3)
    for (const { draft } of known.marks)
      expect(draft).toMatch(/^\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.part$/)
  })
})
