/** What a workbook shows besides the values of its cells: merged cells, errors, numbers with zeros, hidden sheets, parts. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { InputError } from '../../../../src/core/intake/input-error.ts'
import { explainTables } from '../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { inEnglish } from '../../../../src/core/locale/said.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { zip } from '../../../support/zip.ts'

async function* bytesOf(bytes: Uint8Array) {
  yield Buffer.from(bytes)
}

async function rowsOf(bytes: Uint8Array, sheet = 0) {
  const { table, close } = await readTables(bytesOf(bytes), 'f.xlsx')
  const rows = await Array.fromAsync(table(sheet).rows)
  await close()
  return rows.map(({ number, cells, problem }) => [number, problem ? inEnglish(problem) : cells])
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

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`
const workbook = ({
  main = 'xl/workbook.xml',
  sheet = 'xl/worksheets/sheet1.xml',
  cell = '<c r="A1" t="inlineStr"><is><t>Eva</t></is></c>',
  separator = '/',
  before = '',
  more = {} as Record<string, string>,
} = {}) => {
  const name = (path: string) => path.replaceAll('/', separator)
  const [folder, file] = [main.slice(0, main.lastIndexOf('/') + 1), main.slice(main.lastIndexOf('/') + 1)]
  return zip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations('officeDocument', main),
    [name(main)]:
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    [name(`${folder}_rels/${file}.rels`)]: relations('worksheet', 'worksheets/sheet1.xml'),
    ...more,
    [name(sheet)]:
      `${before}<worksheet xmlns="${MAIN}"><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
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

test('a tab that has no cells is no sheet: a chart, a dialog, macros', async () => {
  for (const type of ['chartsheet', 'dialogsheet', 'xlMacrosheet']) {
    for (const [first, last] of [
      ['/>', '/>'],
      ['></sheet>', '/>'],
      ['/>', ' state="visible"></sheet>'],
    ]) {
      const relation = (id: string, of: string, target: string) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${of}" Target="${target}"/>`
      const bytes = workbook({
        main: 'xl/book.xml',
        more: {
          'xl/book.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Sales" sheetId="7" r:id="r7"${first}<sheet name="A" sheetId="1" r:id="r1"/><sheet name="More" sheetId="8" r:id="r8"${last}</sheets></workbook>`,
          'xl/_rels/book.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('r7', type, 'other/a.xml')}${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r8', type, 'other/b.xml')}</Relationships>`,
          'xl/other/a.xml': '<x/>',
          'xl/other/b.xml': '<x/>',
        },
      })
      const { sheets, table, close } = await readTables(bytesOf(bytes), 'f.xlsx')
      expect(sheets, type).toEqual(['A'])
      expect((await Array.fromAsync(table(0).rows)).map(({ cells }) => cells)).toEqual([['Eva']])
      await close()
    }
  }
})

describe('a workbook that refers to something else', () => {
  const entities = (declaration: string) =>
    `<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY secret ${declaration}>]>`
  const cell = '<c r="A1" t="inlineStr"><is><t>a&secret;b</t></is></c>'

  test.each([
    ['a file', `SYSTEM "file://${import.meta.filename}"`],
    ['an address', 'SYSTEM "http://127.0.0.1:9/secret"'],
    ['a text of its own', '"expanded"'],
  ])('by an entity for %s is read without it, or refused', async (_, declaration) => {
    const rows = await rowsOf(workbook({ cell, before: entities(declaration) })).catch((error: Error) => [
      [1, [error.name]],
    ])
    const text = JSON.stringify(rows)
    expect(['InputError', 'a&secret;b'].some((part) => text.includes(part))).toBe(true)
    expect(text).not.toMatch(/expanded|describe|import /)
  })

  test('by the name of a part reads and writes nothing outside of it', async () => {
    const outside = `../../../../../../../../${makeTemporaryFolder().slice(1)}/written.txt`
    const more = { [outside]: 'written', [`/${outside}`]: 'written' }
    expect(await rowsOf(workbook({ more }))).toEqual([[1, ['Eva']]])
    expect(existsSync(resolve(process.cwd(), outside))).toBe(false)
    const target = '../../../../../../../../etc/hostname'
    await expect(rowsOf(workbook({ main: `${target}/workbook.xml`, sheet: 'other.xml' }))).rejects.toThrow(
      InputError,
    )
  })
})

describe('what a file is follows from its content, whatever its name says', () => {
  const text = 'Name;Room\nEva;12\n'
  const files: Readonly<Record<string, () => Promise<Uint8Array>>> = {
    xlsx: () =>
      writeXlsx({
        sheets: [
          {
            name: 'A',
            rows: [
              ['Name', 'Room'],
              ['Eva', '12'],
            ],
          },
        ],
      }),
    ods: () =>
      writeOds({
        sheets: [
          {
            name: 'A',
            rows: [
              ['Name', 'Room'],
              ['Eva', '12'],
            ],
          },
        ],
      }),
    csv: async () => Buffer.from(text),
    png: async () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    zip: async () => zip({ 'a.txt': 'Eva' }),
  }
  const pairs = Object.keys(files).flatMap((is) =>
    ['csv', 'xlsx', 'ods', 'txt', 'tsv'].map((named) => [is, named] as const),
  )

  test.each(pairs)('%s with the name of %s', async (is, named) => {
    const read = async () => {
      const { table, close } = await readTables(bytesOf(await files[is]!()), `f.${named}`)
      const rows = await Array.fromAsync(table(0).rows)
      await close()
      return rows.map(({ cells }) => cells)
    }
    const rows = await read().catch((error: Error) => error)
    if (rows instanceof Error) expect([is, named, rows.name]).toEqual([is, named, 'InputError'])
    else
      expect([is, named, rows]).toEqual([
        is,
        named,
        [
          ['Name', 'Room'],
          ['Eva', '12'],
        ],
      ])
    if (['png', 'zip'].includes(is)) expect(rows).toBeInstanceOf(InputError)
    if (is === named) expect(rows).toBeInstanceOf(Array)
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

const inline = (content: string) => workbook({ cell: `<c r="A1" t="inlineStr"><is>${content}</is></c>` })

describe('a phonetic guide', () => {
  test.each([
    ['after the text', '<t>札幌</t><rPh sb="0" eb="2"><t>サッポロ</t></rPh><phoneticPr fontId="1"/>', '札幌'],
    [
      'after each of several runs',
      '<r><t>山</t></r><r><t>田</t></r><rPh sb="0" eb="1"><t>ヤマ</t></rPh><rPh sb="1" eb="2"><t>ダ</t></rPh>',
      '山田',
    ],
    ['that is not closed', '<t>札幌</t><rPh sb="0" eb="2"/>', '札幌'],
  ])('%s is no text of the cell', async (_, content, text) => {
    expect(await rowsOf(inline(content))).toEqual([[1, [text]]])
  })
  test('of half a million cells takes no longer than reading them', async () => {
    const rows = await rowsOf(inline(`<t>A</t>${'<rPh sb="0" eb="1"><t>x</t></rPh>'.repeat(200_000)}`))
    expect(rows).toEqual([[1, ['A']]])
  })
})

test('a time without a date is a time in workbooks that count days from 1904, too', async () => {
  const day = (date: string) => new Date(`${date}Z`)
  for (const dateSystem of ['1900', '1904'] as const) {
    const bytes = await writeXlsx({
      dateSystem,
      sheets: [
        {
          name: 'A',
          columns: [{ numFmt: 'yyyy-mm-dd' }, { numFmt: 'hh:mm' }],
          rows: [[day('2026-05-01T00:00'), dateSystem === '1904' ? day('1904-01-01T15:30') : 0.6458333333]],
        },
      ],
    })
    expect(await rowsOf(bytes), dateSystem).toEqual([[1, ['2026-05-01', '15:30:00']]])
  }
})

test('February 29, 1900, a day of Excel alone, is the problem of its row', async () => {
  const bytes = await writeXlsx({
    sheets: [{ name: 'A', columns: [{ numFmt: 'yyyy-mm-dd' }], rows: [[60], [61], [1]] }],
  })
  expect(await rowsOf(bytes)).toEqual([
    [1, expect.stringMatching(/^has February 28 or 29, 1900/)],
    [2, ['1900-03-01']],
    [3, ['1900-01-01']],
  ])
})

describe('an error of an ODS file', () => {
  const ods = (cells: string) =>
    zip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><office:body><office:spreadsheet><table:table table:name="A"><table:table-row>${cells}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    })
  const cell = (text: string, type = 'error') =>
    `<table:table-cell table:formula="of:=X" office:value-type="string" office:string-value="" calcext:value-type="${type}"><text:p>${text}</text:p></table:table-cell>`
  test.each(['#WERT!', '#¡VALOR!', '#NOM?', '#ЗНАЧ!', 'Fehler:502', 'Hiba:508', '#NV'])(
    'is recognized by its type in any language: %s',
    async (name) => {
      expect(await rowsOf(ods(cell('Eva', 'string') + cell(name)))).toEqual([
        [1, `has a cell with the error ${name} of a formula`],
      ])
    },
  )
  test('is none where somebody wrote a text like one', async () => {
    expect(await rowsOf(ods(cell('#N/A', 'string')))).toEqual([[1, ['#N/A']]])
  })
  test('without a text is one, too', async () => {
    const bare = cell('').replace('<text:p></text:p>', '')
    expect(await rowsOf(ods(cell('Eva', 'string') + bare))).toEqual([
      [1, 'has a cell with the error without a name of a formula'],
    ])
  })
  test('is recognized by its English name in a file whose cells have no types', async () => {
    const untyped = cell('#REF!').replace(/ calcext:value-type="\w+"/, '')
    expect(await rowsOf(ods(untyped))).toEqual([[1, 'has a cell with the error #REF! of a formula']])
  })
  test('a time of day is a time', async () => {
    const time =
      '<table:table-cell office:value-type="time" office:time-value="PT15H30M00S" calcext:value-type="time"><text:p>15:30</text:p></table:table-cell>'
    expect(await rowsOf(ods(time))).toEqual([[1, ['15:30']]])
  })
})
