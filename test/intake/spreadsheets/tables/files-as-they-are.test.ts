/** Files as programs write them: line ends, quotes, rows in quotes; and files that are no tables, whatever their names say. */
import { describe, expect, test } from 'vitest'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'

async function* bytesOf(bytes: Buffer, size = bytes.length) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function rowsOf(text: string, size?: number) {
  const { table } = await readTables(bytesOf(Buffer.from(text), size), 'f.csv')
  return (await Array.fromAsync(table(0).rows)).map(({ number, cells }) => [number, ...cells])
}

describe('line ends', () => {
  test.each([1, 3, 1000])('of a lone CR end a row, in chunks of %d bytes', async (size) => {
    expect(await rowsOf('Name;Ort\rAda;Köln\rBea;Ulm', size)).toEqual([
      [1, 'Name', 'Ort'],
      [2, 'Ada', 'Köln'],
      [3, 'Bea', 'Ulm'],
    ])
  })
  test('a CR within a cell of a file with LF is part of the cell', async () => {
    expect(await rowsOf('a,b\n"x\ry",1\n')).toEqual([
      [1, 'a', 'b'],
      [2, 'x\ry', '1'],
    ])
  })
})

describe('quotation marks', () => {
  test('that do not open a cell are characters', async () => {
    expect(await rowsOf(`Name,Note\nTim "Bo" Ek,6'2" tall\n`)).toEqual([
      [1, 'Name', 'Note'],
      [2, 'Tim "Bo" Ek', `6'2" tall`],
    ])
  })
  test.each([
    ['"Anna "Anni" Muster",205', 'Anna "Anni" Muster', '205'],
    ['"Muster, "Anni"",205', 'Muster, "Anni"', '205'],
    ['"""Adler""",205', '"Adler"', '205'],
    ['Ada, "late, 10 pm"', 'Ada', 'late, 10 pm'],
  ])('within the quotes of a cell are characters: %s', async (line, ...cells) => {
    expect(await rowsOf(`Name,Note\n${line}\nBea,1\n`)).toEqual([
      [1, 'Name', 'Note'],
      [2, ...cells],
      [3, 'Bea', '1'],
    ])
  })
  test('that leave it open where a cell ends are refused', async () => {
    await expect(rowsOf('Name,Note\n"Anna "Anni", late",205\n')).rejects.toThrow(/broken quotes near line 2$/)
  })
  test('around each row hold a row', async () => {
    expect(await rowsOf('"Name,Room,Note"\n"Ada,12,""late, 10 pm"""\n')).toEqual([
      [1, 'Name', 'Room', 'Note'],
      [2, 'Ada', '12', 'late, 10 pm'],
    ])
  })
  test('around the only cell of each row are those of a cell', async () => {
    expect(await rowsOf('"Name"\n"Lee"\n')).toEqual([
      [1, 'Name'],
      [2, 'Lee'],
    ])
  })
})

test.each([
  ['%PDF-1.7\n%âãÏÓ', /is a PDF, not a spreadsheet; export the list as \.xlsx or CSV/],
  [
    '\ufeff<!DOCTYPE html>\n<html><table><tr><td>Ada</td></tr></table></html>',
    /is a web page \(HTML\).*save it as \.xlsx or CSV/,
  ],
  ['<table border=1><tr><th>Guest</th></tr></table>', /is a web page \(HTML\)/],
  [
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
    /is an Excel 2003 file in XML/,
  ],
  ['<?xml version="1.0"?><guests/>', /is an XML file/],
  ['{\\rtf1\\ansi Guests}', /is a text document \(RTF\)/],
  ['\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', /is an old Excel file \(\.xls\)/],
])('a file that begins with %j gets one sentence', async (text, sentence) => {
  const bytes = Buffer.from(text, text.charCodeAt(0) > 0xff ? 'utf8' : 'latin1')
  const reading = readTables(bytesOf(bytes), 'guests.xls').then(({ table }) => Array.fromAsync(table(0).rows))
  await expect(reading).rejects.toThrow(sentence)
})

test('an encrypted workbook is protected by a password, and no old file', async () => {
  const ole = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ])
  await expect(readTables(bytesOf(ole), 'guests.xlsx')).rejects.toThrow(
    'guests.xlsx is protected by a password; save it as .xlsx without one',
  )
})
