/** What workbooks may take of the memory: as much as the process has, one at a time, counted before they are parsed. */
import { ChildProcess } from 'node:child_process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readingMemory } from '../../../../src/core/intake/preview/reading-memory.ts'
import { NotNow, takeSlot } from '../../../../src/core/intake/preview/reading-slot.ts'
import {
  openWorkbook,
  type WorkbookOptions,
} from '../../../../src/core/intake/spreadsheets/tables/workbook.ts'
import { odsOf, workbookOf } from '../../../support/workbook-parts.ts'

afterEach(() => vi.restoreAllMocks())

const MB = 1024 * 1024

async function* bytesOf(file: Buffer) {
  yield file
}

/** `spawn` is not in the types. */
const spyOnStarts = () =>
  vi.spyOn(ChildProcess.prototype as ChildProcess & { spawn(this: ChildProcess): number }, 'spawn')

const read = async (file: Buffer, options: WorkbookOptions) => {
  const { rows, close } = await openWorkbook(bytesOf(file), 'liste.xlsx', options)
  try {
    return await Array.fromAsync(rows(0))
  } finally {
    await close()
  }
}

describe('the memory that reading may take', () => {
  test.each([
    [204, 51, 102],
    [4, 32, 80],
    [600, 150, 300],
    [31_700, 768, 1280],
  ])('of which %i MB are free is %i MB for a look and %i MB for a workbook', (free, lookMb, workbookMb) => {
    expect(readingMemory(free * MB)).toEqual({ lookMb, workbookMb })
  })
})

describe('a workbook', () => {
  test('of more texts than the memory holds is refused before a parser starts', async () => {
    const spawned = spyOnStarts()
    const reading = read(workbookOf({ texts: 200_000 }), { memoryMb: 100 })
    await expect(reading).rejects.toThrow(
      /^liste\.xlsx has 4000\d\d texts and cells, more than can be read with the memory that is free now; export it as CSV/,
    )
    expect(spawned).not.toHaveBeenCalled()
  })

  test('with its texts in a part of another name is refused as well', async () => {
    const file = workbookOf({ texts: 200_000, partOfTexts: 'worte.bin' })
    await expect(read(file, { memoryMb: 100 })).rejects.toThrow('texts and cells')
  })

  test('of more cells than the memory holds is refused, if all of them are retained (ODS)', async () => {
    const row = '<table:table-row><table:table-cell><text:p>w</text:p></table:table-cell></table:table-row>'
    await expect(read(odsOf(row.repeat(70_000)), { memoryMb: 100 })).rejects.toThrow(
      /has 2100\d\d texts and cells/,
    )
    expect(await read(odsOf(row.repeat(2)), { memoryMb: 100 })).toHaveLength(2)
  })

  test('whose process the system ends is refused with a sentence, and the next one is read', async () => {
    const spawned = spyOnStarts()
    const row = '<row><c t="inlineStr"><is><t>w</t></is></c></row>'
    const sheet = `<sheetData>${row.repeat(5000)}</sheetData>`
    const { rows, close } = await openWorkbook(bytesOf(workbookOf({ texts: 1, sheet })), 'liste.xlsx')
    const reading = rows(0)
    await reading.next()
    const [process] = spawned.mock.contexts
    process?.kill('SIGKILL')
    await expect(Array.fromAsync(reading)).rejects.toThrow(
      'liste.xlsx takes too much memory to read; export it as CSV',
    )
    // Nobody has closed the first one.
    expect(await read(workbookOf({ texts: 1 }), {})).toEqual([{ number: 1, cells: ['w'] }])
    await close()
  })

  test('for which the system starts no process may come again', async () => {
    spyOnStarts().mockImplementation(() => {
      throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
    })
    const reading = read(workbookOf({ texts: 1 }), {})
    await expect(reading).rejects.toBeInstanceOf(NotNow)
    await expect(reading).rejects.toThrow(
      'liste.xlsx was not read, because the system starts no other process',
    )
    vi.restoreAllMocks()
    expect(await read(workbookOf({ texts: 1 }), {})).toHaveLength(1)
  })

  test('that takes more than was counted ends its process, with a sentence, and the next one is read', async () => {
    const merged = '<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>'
    const cells = '<row><c t="inlineStr"><is><t>&amp;</t></is></c></row>'.repeat(15_000)
    const file = workbookOf({ texts: 1, sheet: `<sheetData>${cells}</sheetData>${merged}` })
    await expect(read(file, { memoryMb: 50 })).rejects.toThrow(
      'liste.xlsx takes too much memory to read; export it as CSV',
    )
    expect(await read(workbookOf({ texts: 1 }), { memoryMb: 80 })).toEqual([{ number: 1, cells: ['w'] }])
  })

  test('of a size that fits is read', async () => {
    expect(await read(workbookOf({ texts: 20_000 }), { memoryMb: 150 })).toEqual([
      { number: 1, cells: ['w'] },
    ])
  })
})

describe('the slot', () => {
  test('is free when the one before has ended', async () => {
    const order: string[] = []
    const first = await takeSlot('a.xlsx')
    const second = takeSlot('b.xlsx').then((release) => {
      order.push('second')
      release()
    })
    order.push('first ends')
    first()
    await second
    expect(order).toEqual(['first ends', 'second'])
  })

  test('is no longer waited for when the file is deleted', async () => {
    const first = await takeSlot('a.xlsx')
    const ended = new AbortController()
    const second = takeSlot('b.xlsx', { signal: ended.signal })
    const third = takeSlot('c.xlsx')
    ended.abort(new Error('deleted'))
    await expect(second).rejects.toThrow('deleted')
    first()
    const release = await third
    release()
  })

  test('is refused at once where 32 wait', async () => {
    const first = await takeSlot('a.xlsx')
    const ended = new AbortController()
    const waiting = Array.from({ length: 32 }, () => takeSlot('b.xlsx', { signal: ended.signal }))
    await expect(takeSlot('c.xlsx')).rejects.toBeInstanceOf(NotNow)
    ended.abort(new Error('deleted'))
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true)
    first()
    const release = await takeSlot('d.xlsx')
    release()
  })

  test('that is not free in time is a sentence, and the next one gets it', async () => {
    const first = await takeSlot('a.xlsx')
    await expect(takeSlot('b.xlsx', { waitMsMax: 1 })).rejects.toThrow(
      'b.xlsx was not read, because other files are being read; try it again later',
    )
    first()
    const third = await takeSlot('c.xlsx')
    third()
  })
})
