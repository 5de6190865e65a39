/** Binary workbooks: XLS, as LibreOffice writes it (`two-guests.xls`), and XLSB, written here record by record. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { explainTables } from '../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { inEnglish } from '../../../../src/core/locale/said.ts'

const XLS = readFileSync(join(import.meta.dirname, 'two-guests.xls'))

async function* bytesOf(bytes: Uint8Array) {
  yield Buffer.from(bytes)
}

async function rowsOf(bytes: Uint8Array, name: string) {
  const { table, sheets, close } = await readTables(bytesOf(bytes), name)
  try {
    const rows = await Array.fromAsync(table(0).rows)
    return {
      sheets,
      rows: rows.map(({ number, cells, problem }) => [number, problem ? inEnglish(problem) : cells]),
    }
  } finally {
    await close()
  }
}

/** A record of a binary part: its type, its length, its bytes. */
const record = (type: number, ...parts: Buffer[]) => {
  const data = Buffer.concat(parts)
  const id = type < 128 ? [type] : [(type & 127) | 128, type >> 7]
  return Buffer.concat([Buffer.from([...id, data.length]), data])
}
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const f64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
const text = (value: string) => Buffer.concat([u32(value.length), Buffer.from(value, 'utf16le')])
const cell = (column: number, style = 0) => Buffer.concat([u32(column), u32(style)])

/** A ZIP file whose entries are stored. */
function zip(entries: Readonly<Record<string, Buffer>>): Buffer {
  const [local, central]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, data] of Object.entries(entries)) {
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt32LE(crc32(data), 10)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(data.length, 18)
    head.writeUInt16LE(name.length, 22)
    const rest = Buffer.alloc(18)
    rest.writeUInt32LE(offset, 14)
    local.push(Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), data)
    central.push(
      Buffer.from('PK\u0001\u0002'),
      Buffer.from([20, 0]),
      head,
      rest.subarray(4),
      Buffer.from(name),
    )
    offset += 30 + name.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(local.length / 4, 8)
  end.writeUInt16LE(local.length / 4, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

const relations = (...all: (readonly [id: string, type: string, target: string])[]) =>
  Buffer.from(
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
      .map(
        ([id, type, target]) =>
          `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`,
  )

const XLSB = zip({
  '_rels/.rels': relations(['r1', 'officeDocument', 'xl/workbook.bin']),
  'xl/workbook.bin': record(156, u32(0), u32(1), text('r1'), text('Winter')),
  'xl/_rels/workbook.bin.rels': relations(
    ['r1', 'worksheet', 'worksheets/sheet1.bin'],
    ['r2', 'styles', 'styles.bin'],
  ),
  // The second style is the date format 14.
  'xl/styles.bin': Buffer.concat([
    record(617),
    record(47, Buffer.from([0, 0, 0, 0])),
    record(47, Buffer.from([0, 0, 14, 0])),
    record(618),
  ]),
  'xl/worksheets/sheet1.bin': Buffer.concat([
    record(0, u32(0)),
    record(6, cell(0), text('Guest')),
    record(6, cell(1), text('Arrival')),
    record(6, cell(2), text('Nights')),
    record(0, u32(1)),
    record(6, cell(0), text('Łucja Ōta')),
    record(5, cell(1, 1), f64(46_400)),
    record(5, cell(2), f64(7)),
    record(0, u32(3)),
    record(6, cell(0), text('Ola Moe')),
    record(3, cell(1), Buffer.from([23])),
  ]),
})

test('an XLS file is read with its texts, dates, numbers and booleans', async () => {
  expect(await rowsOf(XLS, 'guests.xls')).toEqual({
    sheets: ['g'],
    rows: [
      [1, ['Booking', 'First name', 'Last name', 'Arrival', 'Departure', 'Phone', 'Single']],
      [2, ['R-1', 'Ana', 'Șerban', '2027-02-01T15:00:00', '2027-02-08T11:00:00', 721000111, true]],
      [3, ['R-2', 'Jörg', 'Weiß', '2027-02-03T15:00:00', '2027-02-10T11:00:00', 722000222, false]],
    ],
  })
})

test('an XLSB file is read, with an error of a formula as the problem of its row', async () => {
  expect(await rowsOf(XLSB, 'guests.xlsb')).toEqual({
    sheets: ['Winter'],
    rows: [
      [1, ['Guest', 'Arrival', 'Nights']],
      [2, ['Łucja Ōta', '2027-01-13', 7]],
      [4, 'has a cell with the error #REF! of a formula'],
    ],
  })
})

test('a proposal says what cannot be seen in a binary workbook', async () => {
  const explained = await explainTables({
    open: () => readTables(bytesOf(XLS), 'guests.xls'),
    name: 'guests.xls',
    mappingName: 'guests.yaml',
    now: new Date('2027-01-01T00:00:00Z'),
    seen: () => [],
  })
  expect(explained).toContain('booking.startDate')
  expect(explained).toContain(
    'binary workbook: what is hidden, and zeros that a format adds, cannot be seen in it',
  )
})

test.each([
  [
    'that ends early',
    XLS.subarray(0, 900),
    /is an old Excel file \(\.xls\) that cannot be read.*save it as \.xlsx/,
  ],
  [
    'whose records are encrypted',
    (() => {
      const locked = Buffer.from(XLS)
      const begin = locked.indexOf(Buffer.from('0908100000060500', 'hex'))
      locked.writeUInt16LE(0x2f, begin + 20)
      return locked
    })(),
    /is protected by a password; save it as \.xlsx without one/,
  ],
  [
    'with a part that is damaged',
    zip({ 'xl/workbook.bin': Buffer.from([1]) }),
    /binary Excel workbook.*save it as \.xlsx/,
  ],
])('a file %s gets one sentence', async (_, bytes, sentence) => {
  await expect(rowsOf(bytes, 'guests')).rejects.toThrow(sentence)
})
