/** What a workbook shows besides the values of its cells: merged cells, errors, numbers with zeros, hidden sheets, parts. */
import { crc32, deflateRawSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { explainTables } from '../../../src/intake/explain/explain.ts'
import { readTables } from '../../../src/intake/tables/read-tables.ts'

async function* bytesOf(bytes: Uint8Array) {
  yield Buffer.from(bytes)
}

async function rowsOf(bytes: Uint8Array, sheet = 0) {
  const { table, close } = await readTables(bytesOf(bytes), 'f.xlsx')
  const rows = await Array.fromAsync(table(sheet).rows)
  await close()
  return rows.map(({ number, cells, problem }) => [number, problem ?? cells])
}

describe('merged cells', () => {
  const merged = async (value: string | number) =>
    rowsOf(
      await writeXlsx({
        sheets: [
          {
            name: 'A',
            rows: [
              ['Guest', 'Room'],
              [value, '1'],
              [null, '2'],
              ['Tom', '3'],
            ],
            merges: [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }],
          },
        ],
      }),
    )
  test('of texts count for all their rows', async () => {
    expect(await merged('Eva')).toEqual([
      [1, ['Guest', 'Room']],
      [2, ['Eva', '1']],
      [3, ['Eva', '2']],
      [4, ['Tom', '3']],
    ])
  })
  test('of numbers are a question to the user: they may be a sum', async () => {
    expect((await merged(400))[2]).toEqual([3, expect.stringMatching(/^shares a merged cell with a number/)])
  })
})

test('numbers are read as their format shows them: zeros and prefixes belong to codes', async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'A',
        columns: [{ numFmt: '"K-"000' }, { numFmt: '00000' }, { numFmt: '#,##0.00' }, { numFmt: '0' }],
        rows: [[7, 1067, 1234.5, 12]],
      },
    ],
  })
  expect(await rowsOf(bytes)).toEqual([[1, ['K-007', '01067', 1234.5, 12]]])
})

test('hidden sheets are reported and not read, unless a mapping names them', async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'Prices',
        rows: [
          ['Guest', 'Price'],
          ['Old One', 5],
        ],
        hidden: true,
      },
      {
        name: 'Guests',
        rows: [
          ['Guest', 'Arrival', 'Departure'],
          ['Ann Lee', '2026-05-01', '2026-05-04'],
        ],
      },
    ],
  })
  const text = await explainTables({
    open: () => readTables(bytesOf(bytes), 'f.xlsx'),
    name: 'f.xlsx',
    mappingName: 'f.yaml',
    now: new Date('2026-11-25'),
    seen: () => [],
  })
  expect(text).toContain('# Prices: hidden, not used; name it as sheet in the mapping if it has guests')
  expect(text).toContain('sheet: Guests')
  expect(text).not.toContain('Old One')
})

/** A ZIP file of these entries. Checksums are not looked at. */
function zip(entries: Record<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const [data, bytes] = [deflateRawSync(text), Buffer.from(name)]
    const sizes = (buffer: Buffer, at: number) => {
      buffer.writeUInt16LE(8, at)
      buffer.writeUInt32LE(crc32(Buffer.from(text)), at + 6)
      buffer.writeUInt32LE(data.length, at + 10)
      buffer.writeUInt32LE(Buffer.byteLength(text), at + 14)
      buffer.writeUInt16LE(bytes.length, at + 18)
    }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    sizes(local, 8)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    sizes(entry, 10)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, bytes, data)
    directory.push(entry, bytes)
    offset += local.length + bytes.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`
const workbook = ({
  main = 'xl/workbook.xml',
  sheet = 'xl/worksheets/sheet1.xml',
  cell = '<c r="A1" t="inlineStr"><is><t>Eva</t></is></c>',
  separator = '/',
} = {}) => {
  const name = (path: string) => path.replaceAll('/', separator)
  const [folder, file] = [main.slice(0, main.lastIndexOf('/') + 1), main.slice(main.lastIndexOf('/') + 1)]
  return zip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations('officeDocument', main),
    [name(main)]:
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    [name(`${folder}_rels/${file}.rels`)]: relations('worksheet', 'worksheets/sheet1.xml'),
    [name(sheet)]: `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
  })
}

describe('parts of a workbook', () => {
  test.each([
    ['under another name', { main: 'xl/book.xml' }],
    ['in another case', { sheet: 'xl/Worksheets/Sheet1.XML' }],
    ['with backslashes', { separator: '\\' }],
  ])('%s are found by their relations', async (_, parts) => {
    expect(await rowsOf(workbook(parts))).toEqual([[1, ['Eva']]])
  })
})

describe('an error', () => {
  test('of any name is the problem of its row', async () => {
    expect(await rowsOf(workbook({ cell: '<c r="A1" t="e"><v>#NEWERROR!</v></c>' }))).toEqual([
      [1, 'has a cell with the error #NEWERROR! of a formula'],
    ])
  })
  test('is none where somebody wrote a text like one', async () => {
    const cell = '<c r="A1" t="inlineStr"><is><t>#N/A</t></is></c>'
    expect(await rowsOf(workbook({ cell }))).toEqual([[1, ['#N/A']]])
  })
})

test('an ODS file that declares more cells than fit is refused before they take memory', async () => {
  const cell =
    '<table:table-cell office:value-type="string" table:number-columns-repeated="1024"><text:p>x</text:p></table:table-cell>'
  const bytes = zip({
    mimetype: '',
    'content.xml': `<office:document-content><table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">${cell}</table:table-row></table:table></office:document-content>`,
  })
  const ods = Buffer.from(bytes)
  await expect(readTables(bytesOf(withMimetype(ods)), 'f.ods')).rejects.toThrow(
    'f.ods declares more than 10000000 cells; export it as CSV, or in several files',
  )
})

/** The first entry of an ODS file is its type, not compressed; here it is only looked for. */
const withMimetype = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')])
