/** Rows, columns and sheets of which no record is made are reported: an import never looks complete when it is not. */
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { leftOutLines } from '../../../../src/commands/left-out-lines.ts'
import type { KindName } from '../../../../src/core/intake/kinds/kind.ts'
import type { LeftOut } from '../../../../src/core/intake/lines/left-out.ts'
import { readFiles } from '../../../../src/core/intake/lines/read-files.ts'
import { readMapping } from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'

async function leftOutOf(
  file: Uint8Array | string,
  { mapping, kind }: { mapping?: string; kind?: KindName },
): Promise<LeftOut | undefined> {
  async function* bytes() {
    yield Buffer.from(file)
  }
  let found: LeftOut | undefined
  const lines = await readFiles(
    [typeof file === 'string' ? 'f.csv' : 'f.xlsx'],
    { open: async () => bytes() },
    {
      ...(mapping === undefined ? {} : { mapping: readMapping(mapping, 'm.yaml') }),
      ...(kind === undefined ? {} : { kind }),
      onLeftOut(_, leftOut) {
        found = leftOut
      },
    },
  )
  await Array.fromAsync(lines)
  return found
}

const GUESTS = 'Id;Name;Note;Nothing\n1;Ana;;\n;Sum;2;\n2;Ben;late;\n;;;\n'
const ROW = 'customer: {when: Id, id: Id, lastName: Name}'

describe('of a CSV file', () => {
  test('rows that meet no condition are counted, and columns with values that no field uses are named', async () => {
    const found = await leftOutOf(GUESTS, { mapping: `records: {${ROW}}` })
    expect(found).toEqual({ tables: [{ rows: { count: 1, first: [3] }, columns: ['Note'] }], sheets: [] })
    expect(leftOutLines('/tmp/f.csv', found!)).toEqual([
      'f.csv: 1 row left out by "when": 3.',
      'f.csv: 1 column not used: "Note".',
    ])
  })
  test('a row that becomes another record is used, and so is a column that is only a condition', async () => {
    const other = 'term: {when: {column: Note, is: "2"}, set: {value: room}, id: Name, name: Name}'
    const found = await leftOutOf(GUESTS, { mapping: `records: {${ROW}, ${other}}` })
    expect(found?.tables).toEqual([{ rows: { count: 0, first: [] }, columns: [] }])
    expect(leftOutLines('f.csv', found!)).toEqual([])
  })
  test('a row that is refused is reported as refused only', async () => {
    const found = await leftOutOf('Id;Name\n;A;too wide\n', { mapping: `records: {${ROW}}` })
    expect(found?.tables[0]?.rows.count).toBe(0)
  })
  test('many rows and columns are counted, and the first of them named', async () => {
    const header = ['Id', 'Name', ...Array.from({ length: 12 }, (_, at) => `X${at}`)].join(';')
    const row = `;${Array.from({ length: 13 }, () => 'x').join(';')}\n`
    const found = await leftOutOf(`${header}\n${row.repeat(30)}`, { mapping: `records: {${ROW}}` })
    expect(found?.tables[0]?.rows.first).toHaveLength(20)
    expect(leftOutLines('f.csv', found!)).toEqual([
      'f.csv: 30 rows left out by "when": 2, 3, 4, 5, 6 and 25 more.',
      'f.csv: 12 columns not used: "X0", "X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9" and 2 more.',
    ])
  })
})

describe('of a workbook', () => {
  const sheet = (name: string, hidden = false) => ({
    name,
    rows: [
      ['id', 'lastName', 'Room'],
      ['k', 'Ana', '7'],
      ['', 'Ben', '8'],
    ],
    hidden,
  })
  test('sheets that are not read are named with the reason', async () => {
    const file = await writeXlsx({ sheets: [sheet('Old', true), sheet('May'), sheet('June')] })
    const found = await leftOutOf(file, { mapping: 'records: {customer: {id: id, lastName: lastName}}' })
    expect(leftOutLines('f.xlsx', found!)).toEqual([
      'f.xlsx:May: 1 column not used: "Room".',
      'f.xlsx: sheet "Old" was not read: it is hidden; name it as sheet in the mapping if it has guests.',
      'f.xlsx: sheet "June" was not read: the mapping does not name it.',
    ])
  })
  test('what two parts of a mapping read is left out only if both leave it out', async () => {
    const file = await writeXlsx({ sheets: [sheet('May')] })
    const mapping =
      'tables: [{sheet: May, records: {customer: {when: id, id: id, lastName: lastName}}}, {sheet: May, records: {term: {when: {column: id, not: k}, set: {value: room}, id: Room, name: Room}}}]'
    const found = await leftOutOf(file, { mapping })
    expect(found?.tables).toEqual([{ sheet: 'May', rows: { count: 0, first: [] }, columns: [] }])
  })
  test('without a mapping, hidden sheets and sheets that are named after no kind are not read', async () => {
    const named = (name: string, hidden = false) => ({
      ...sheet(name, hidden),
      rows: [
        ['id', 'lastName'],
        ['k', 'Ana'],
      ],
    })
    const file = await writeXlsx({ sheets: [named('customers'), named('customer', true), named('Notes')] })
    expect((await leftOutOf(file, {}))?.sheets).toEqual([
      { sheet: 'customer', reason: 'it is hidden' },
      { sheet: 'Notes', reason: 'it is not named after a kind' },
    ])
    expect((await leftOutOf(file, { kind: 'customer' }))?.sheets).toEqual([
      { sheet: 'customer', reason: 'it is hidden' },
      { sheet: 'Notes', reason: '--kind reads the first sheet only' },
    ])
  })
})
