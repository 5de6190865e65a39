import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CsvDialect,
  csvLine,
  spreadsheetDialect,
  writtenText,
} from '../../../src/core/answer/files/csv.ts'
import { Day, headings } from '../../../src/core/answer/files/table.ts'
import { writeFile } from '../../../src/core/answer/files/write-file.ts'
import { rejectsWriter } from '../../../src/core/intake/rejects/rejects-writer.ts'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'

const DIALECTS: readonly CsvDialect[] = [
  { delimiter: ',', decimal: '.', bom: false },
  { delimiter: ';', decimal: ',', bom: false },
  { delimiter: '\t', decimal: ',', bom: false },
]

/** As a spreadsheet would: what is in the cells of a line. */
const cellsIn = (line: string, { delimiter }: CsvDialect): string[] => {
  const [cells = [], ...others] = parse(line, { delimiter, record_delimiter: '\r\n' }) as string[][]
  expect(others).toEqual([])
  return cells
}
/** What a spreadsheet takes for a formula: a number that is written with a sign is none. */
const isFormula = (text: string) => /^[=@＝＠\t\r\n]/.test(text) || /^[+\-＋－](?![0-9 ()[\].]*$)/.test(text)

describe.each(DIALECTS)('a line of $delimiter', (dialect) => {
  it('is read as what was written, whatever it contains, and no cell is a formula', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '"',
        "'",
        ',',
        ';',
        ' ',
        '1',
        'A',
        '(',
        ')',
        '|',
        '＝',
        'ă',
        '😀',
      ),
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 2, maxLength: 5 }), (texts) => {
        const read = cellsIn(csvLine(texts, dialect), dialect)
        expect(
          read.map((cell, at) => (cell === `'${texts[at]}` && isFormula(texts[at]!) ? texts[at] : cell)),
        ).toEqual(texts)
        for (const cell of read) expect(isFormula(cell)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a text', () => {
  const written = (text: string) => cellsIn(csvLine([text, ''], DIALECTS[0]!), DIALECTS[0]!)[0]

  it.each([
    '=1+1',
    "=cmd|' /C calc'!A0",
    '@SUM(1)',
    '+cmd|x!A1',
    '-2+3+cmd',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1+x',
    // A spreadsheet would show -1319 for the first of them.
    '+49-170-1198',
    '+40 722/000/111',
    '-5*3',
    '-2^2',
    '+1,5',
    '-5,50',
    '-12:30',
    '+7\t8',
    '-1\n-2',
    '+٤٠',
  ])('that a spreadsheet would run is a text: %j', (text) => {
    expect(written(text)).toBe(`'${text}`)
  })

  it.each([
    '+40 722 000 111',
    '-5',
    '-5.50',
    '+49 (170) 12.34',
    '+[47] 22\u00a033 44',
    '-',
    'a=b',
    '5-3',
    '030-1234',
    "'=1",
    ' =1',
    'Ana',
  ])('that is none stays as it is: %j', (text) => expect(written(text)).toBe(text))
})

it('numbers, days, booleans and nothing are written as spreadsheets read them', () => {
  const cells = [1000.5, -3, true, null, new Day('2025-01-31')]
  expect(csvLine(cells, DIALECTS[1])).toBe('1000,5;-3;true;;2025-01-31\r\n')
  expect(csvLine(cells)).toBe('1000.5,-3,true,,2025-01-31\r\n')
})

it('a language that writes decimals with a comma separates cells with a semicolon', () => {
  const comma = LANGUAGES.filter((language) => spreadsheetDialect(language).delimiter === ';')
  expect(LANGUAGES.filter((language) => !comma.includes(language))).toEqual(['en'])
  for (const language of comma) expect(spreadsheetDialect(language).decimal).toBe(',')
})

it('columns that share a label are distinguished by their names', () => {
  const column = (name: string, label?: string) =>
    ({ name, label, kind: 'text', shown: [], raw: [] }) as const
  const columns = [column('a', 'Notes'), column('b', 'Notes'), column('c', 'Total'), column('d')]
  expect(headings(columns, 'shown')).toEqual(['Notes (a)', 'Notes (b)', 'Total', 'd'])
  expect(headings(columns, 'raw')).toEqual(['a', 'b', 'c', 'd'])
})

it('a text that a spreadsheet would change is written so that it stays, and comes back as it was', () => {
  const changed = (
    "007|04109|2026-03|26/4/9|3.2|1/2|12-3-|123456789012|49171555014000007|+491715550140|12,50|1.250|1'250|5E3|10:30|" +
    '7:05 pm|50%|(12)|3-Mar|MAR12|12 Okt|Juni 2026|2026-Sep-01|-0123'
  ).split('|')
  const unchanged = [
    '12',
    '101A',
    'A-12',
    '12-A',
    '12345678901',
    'May',
    'Anna 5',
    '+49 171',
    '26-05-12-1',
    '',
    '1 2 3',
    '1:a',
    '5"',
  ]
  for (const [texts, isInFormula] of [
    [changed, true],
    [unchanged, false],
  ] as const) {
    for (const text of texts) {
      for (const dialect of DIALECTS) {
        const [cell = ''] = cellsIn(csvLine([text, ''], dialect, true), dialect)
        expect(cell === `="${text}"`, text).toBe(isInFormula)
        expect(writtenText(cell)).toBe(text)
      }
      expect(csvLine([text, '']), text).not.toContain('=')
    }
  }
})

it('a file of a form that has no writer is refused, and is not written as CSV', () => {
  const form = 'ods' as 'csv'
  async function* none(): AsyncGenerator<never[]> {}
  const asked = { format: form, values: 'shown', dialect: DIALECTS[0]! } as const
  const written = { name: 'guests', columns: [], zone: 'UTC' }
  expect(() => writeFile(asked, written, none(), { rows: 0, received: [] } as never)).toThrow('"ods"')
  const options = { form, namesFiles: false, othersGoIn: true, delimiter: () => ';' as const }
  expect(() => rejectsWriter(options, () => Promise.reject(new Error('a file was created')))).toThrow('"ods"')
})
