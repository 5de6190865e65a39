/** Workbooks as tables, and what hostile ones cost: one sentence. */
import { ChildProcess } from 'node:child_process'
import { deflateRawSync } from 'node:zlib'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test, vi } from 'vitest'
import { InputError } from '../../../../src/core/intake/input-error.ts'
import { readFiles } from '../../../../src/core/intake/lines/read-files.ts'
import { OWN_TERMS } from '../../../../src/core/intake/spreadsheets/mapping/terms.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { openWorkbook } from '../../../../src/core/intake/spreadsheets/tables/workbook.ts'

async function* bytesOf(file: Uint8Array) {
  yield Buffer.from(file)
}

async function rowsOf(file: Uint8Array, sheet = 0) {
  const { sheets, table, close } = await readTables(bytesOf(file), 'f.xlsx')
  try {
    return { sheets, rows: await Array.fromAsync(table(sheet).rows) }
  } finally {
    await close()
  }
}

const ROWS = [
  ['text', 'number', 'flag', 'date', 'moment', 'gap'],
  [' Ana ', 1000.5, true, new Date('2026-11-16T00:00:00Z'), new Date('2026-11-16T15:00:00Z')],
  [],
  [null, null, null, null, null, 'x'],
]
const SHEETS = {
  sheets: [
    { name: 'Empty', rows: [] },
    { name: 'Gäste & mehr', rows: ROWS },
  ],
}

test('a formula that nobody computed is the problem of its row, and no empty cell', async () => {
  const cells = new Map([
    ['1,1', { value: null, formula: 'A2+1' }],
    ['2,1', { value: 3, formula: 'A3+1', formulaResult: 3 }],
    ['4,0', { value: null, formula: 'A1' }],
  ])
  const rows = [
    ['A', 'B'],
    [1, null],
    [2, null],
    [3, null],
    [null, null],
  ]
  const file = await writeXlsx({
    sheets: [
      { name: 'Other', rows: [['x']] },
      { name: 'S', rows, cells },
    ],
  })
  const problem = { key: 'noResult' }
  expect((await rowsOf(file, 1)).rows).toEqual([
    { number: 1, cells: ['A', 'B'] },
    { number: 2, cells: [1, ''], problem },
    { number: 3, cells: [2, 3] },
    { number: 4, cells: [3] },
    { number: 5, cells: [''], problem },
  ])
})

describe.each([
  ['XLSX', writeXlsx],
  ['ODS', writeOds],
])('%s', (_, write) => {
  test('has sheets, whose rows have numbers, dates and flags, and are counted as the program counts them', async () => {
    expect(await rowsOf(await write(SHEETS), 1)).toEqual({
      sheets: ['Empty', 'Gäste & mehr'],
      rows: [
        { number: 1, cells: ROWS[0] },
        { number: 2, cells: ['Ana', 1000.5, true, '2026-11-16', '2026-11-16T15:00:00'] },
        { number: 4, cells: ['', '', '', '', '', 'x'] },
      ],
    })
  })
  test('without a mapping, sheets that are named after kinds are read', async () => {
    const file = await write({
      sheets: [
        {
          name: 'Customers',
          rows: [
            ['id', 'firstName'],
            ['k', 'Ana'],
          ],
        },
        { name: 'Notes', rows: [['anything']] },
      ],
    })
    const lines = (kind?: 'customer') =>
      readFiles(['f.xlsx'], { open: async () => bytesOf(file) }, kind === undefined ? {} : { kind })
    const expected = [
      {
        file: 'f.xlsx',
        sheet: 'Customers',
        line: 2,
        loose: true,
        terms: { ...OWN_TERMS, header: ['id', 'firstName'], table: 'customer' },
        value: { kind: 'customer', id: 'k', firstName: 'Ana' },
      },
    ]
    expect(await Array.fromAsync(await lines())).toEqual(expected)
    expect(await Array.fromAsync(await lines('customer'))).toEqual(expected)
  })
})

interface Packed {
  readonly name: string
  readonly data: Buffer
  readonly declared?: number
  /** The directory says nothing of its sizes, and leads to what is next to the data. */
  readonly sizesAfterwards?: boolean
}

/** A ZIP file of these entries, which declares what it is reported to. */
function zip(entries: readonly Packed[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, declared = data.length, sizesAfterwards = false } of entries) {
    const packed = deflateRawSync(data)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(declared, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt16LE(sizesAfterwards ? 8 : 0, 8)
    entry.writeUInt32LE(sizesAfterwards ? 0 : packed.length, 20)
    entry.writeUInt32LE(sizesAfterwards ? 0 : declared, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, Buffer.from(name))
    parts.push(head, Buffer.from(name), packed)
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const MEGABYTE = 1024 * 1024
const spaces = (megabytes: number) => Buffer.alloc(megabytes * MEGABYTE, ' ')
const book = (more: readonly Packed[]) =>
  zip([{ name: 'xl/workbook.xml', data: Buffer.from('<a/>') }, ...more])

/** Says that another directory, for large files, is the one to read. */
const withOtherDirectory = (file: Buffer) => {
  const changed = Buffer.from(file)
  changed.writeUInt32LE(0xffffffff, changed.length - 22 + 12)
  return changed
}

describe('a hostile file is refused in one sentence', () => {
  test.each([
    [
      'that declares 600 MB',
      book([{ name: 'xl/a.xml', data: spaces(1), declared: 600 * MEGABYTE }]),
      'unpacks to more than 256 MB',
    ],
    [
      'that declares less than it has',
      book([{ name: 'xl/a.xml', data: spaces(4), declared: 10 }]),
      'cannot be unpacked as it is declared',
    ],
    [
      'that declares more than it has',
      book([{ name: 'xl/a.xml', data: spaces(1), declared: 2 * MEGABYTE }]),
      'cannot be unpacked',
    ],
    [
      'that declares less than it has, in an entry that is not called XML',
      book([{ name: 'xl/a.bin', data: spaces(4), declared: 0 }]),
      'xl/a.bin cannot be unpacked as it is declared',
    ],
    [
      'whose directory keeps the sizes of an entry to itself',
      book([{ name: 'xl/a.xml', data: spaces(4), sizesAfterwards: true }]),
      'cannot be unpacked as it is declared',
    ],
    [
      'with two directories, only one of which is small',
      withOtherDirectory(book([{ name: 'xl/a.xml', data: spaces(1) }])),
      'its directory cannot be read',
    ],
    ['of another kind', zip([{ name: 'a.txt', data: spaces(1) }]), 'is a ZIP file, but not a workbook'],
    ['without its parts', book([]), 'is damaged, or not a workbook'],
    ['that is cut off', book([]).subarray(0, 60), 'its directory cannot be read'],
    [
      'of an old Excel',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'is an old Excel file (.xls) that cannot be read, or protected by a password',
    ],
  ])('%s', async (_, file, sentence) => {
    const before = process.memoryUsage().arrayBuffers
    const reading = rowsOf(file)
    await expect(reading).rejects.toThrow(InputError)
    await expect(reading).rejects.toThrow(sentence)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MEGABYTE)
  })
  test('of more sheets than are looked at', async () => {
    const file = await writeXlsx({
      sheets: Array.from({ length: 501 }, (_, at) => ({ name: `S${at}`, rows: [] })),
    })
    await expect(rowsOf(file)).rejects.toThrow('has 501 sheets, more than 500')
  })
  test('a sheet that takes minutes, a little for each of its batches', async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => [at])
    const file = await writeXlsx({ sheets: [{ name: 'A', rows }] })
    // Each batch of 500 rows seems to take two minutes.
    let now = 0
    const { rows: read, close } = await openWorkbook(bytesOf(file), 'f.xlsx', {
      clock: () => (now += 120_000),
    })
    const taken: number[] = []
    const reading = (async () => {
      for await (const { number } of read(0)) taken.push(number)
    })()
    await expect(reading).rejects.toThrow('f.xlsx takes too long to read; export it as CSV')
    await close()
    expect(taken).toHaveLength(1500)
  })
  test('a text that all cells share comes a few rows at a time, and a row of a megabyte is its problem', async () => {
    const text = 'x'.repeat(600_000)
    const file = await writeXlsx({
      sheets: [{ name: 'A', rows: [['a', 'b'], [text, text], ...Array.from({ length: 5 }, () => [text])] }],
    })
    expect(file.length).toBeLessThan(10_000)
    const emitted = vi.spyOn(ChildProcess.prototype, 'emit')
    const { rows } = await rowsOf(file)
    const batches = emitted.mock.calls.filter(([event, message]) => event === 'message' && message?.rows)
    emitted.mockRestore()
    expect(rows.slice(0, 2)).toEqual([
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: [], problem: { english: 'is longer than 1048576 bytes' } },
    ])
    expect(rows.slice(2).map(({ cells }) => cells)).toEqual(Array.from({ length: 5 }, () => [text]))
    expect(batches).toHaveLength(3)
  })
  test('a formula without a result is the problem of its row', async () => {
    const file = await writeXlsx({ sheets: [{ name: 'A', rows: [['a'], ['#REF!'], ['b']] }] })
    expect((await rowsOf(file)).rows[1]).toEqual({
      number: 2,
      cells: ['#REF!'],
      problem: { key: 'formulaError', values: { error: '#REF!' } },
    })
  })
})
