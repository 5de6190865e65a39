/** A file that is wrong throughout is reported in a few lines, each with what to do. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { RowSet } from '../../src/core/intake/lines/row-set.ts'
import { sojourn } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { center, empty } from './import-lines.ts'
import { DIALECTS } from './story/dialects.ts'

let database: Database
let folder: string
const path = (name: string) => join(folder, name)
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => {
  folder = makeTemporaryFolder()
})

/** What an import of a file complains of, line by line. */
async function complaints(name: string, content: string | Buffer, mapping?: string, ...args: string[]) {
  writeFileSync(path(name), content)
  if (mapping !== undefined) writeFileSync(path('m.yaml'), mapping)
  const map = mapping === undefined ? [] : ['--map', path('m.yaml')]
  const ran = await sojourn(
    ['import', '--dry-run', '--center', 'c', ...map, ...args, path(name)],
    {},
    { database },
  )
  return ran.stderr.replaceAll(`${folder}/`, '').trimEnd().split('\n')
}

describe('the story', () => {
  beforeAll(async () => {
    await empty(database)
    await sojourn(['import', '-'], {}, { database, stdin: `${JSON.stringify(center())}\n` })
  })

  const [german, , , old] = DIALECTS
  /** The first twelve guests: there are as many causes as of all. */
  const beginning = (dialect = german) =>
    Buffer.from(dialect?.bytes.toString('latin1').split('B-1012')[0]?.trimEnd() ?? '', 'latin1')
  const bare = (mapping = '') => mapping.replace(/^(?:dates|decimals|booleans).*\n/gm, '')

  test('guests with a mapping that names no formats are three lines, and who does what they say has none', async () => {
    const reported = await complaints('g.csv', beginning(), bare(german?.mapping))
    expect(reported).toEqual([
      '12 rows: Geburtsdatum, Anreise and Abreise look like DD.MM.YYYY; write "dates: DD.MM.YYYY" in m.yaml (g.csv:2, 3, 4 …)',
      '12 rows: Preis (totalAmount, financial.total): looks like a number with a decimal comma; write \'decimals: ","\' in m.yaml (g.csv:2, 3, 4 …)',
      '12 rows: Hauptgast (isOrderMainGuest): is "Ja" or "Nein"; write "booleans: {true: Ja, false: Nein}" in m.yaml (g.csv:2, 3, 4 …)',
    ])
    const said = reported.map((line) => /write ["'](.+)["'] in m\.yaml/.exec(line)?.[1])
    const corrected = `${said.join('\n')}\n${bare(german?.mapping)}`
    expect(await complaints('g.csv', beginning(), corrected)).toEqual([''])
  })
  test('two forms of dates are named together, though they are two causes', async () => {
    const reported = await complaints('g.csv', beginning(old), bare(old?.mapping))
    expect(reported.filter((line) => line.includes('"dates: [DD.MM.YYYY, DD.MM.YY]"'))).toHaveLength(2)
  })
  test('programs receive the causes with the summary', async () => {
    writeFileSync(path('g.csv'), beginning())
    writeFileSync(path('m.yaml'), bare(german?.mapping))
    const args = ['import', '--json', '--center', 'c', '--map', path('m.yaml'), path('g.csv')]
    const { causes, problems } = JSON.parse((await sojourn(args, {}, { database })).stdout)
    expect(problems).toBe(72)
    expect(causes).toHaveLength(3)
    expect(causes[0]).toEqual({
      count: 12,
      message: `Geburtsdatum, Anreise and Abreise look like DD.MM.YYYY; write "dates: DD.MM.YYYY" in ${path('m.yaml')}`,
      places: expect.arrayContaining([
        { file: path('g.csv'), line: 2, kind: 'customer', id: expect.any(String) },
      ]),
    })
  })
  test('a table without a mapping is one sentence that says how to make one', async () => {
    expect(await complaints('g.csv', beginning(), undefined, '--kind', 'booking')).toEqual([
      'g.csv: invalid header: 12 columns are not fields of a booking.',
      'For columns with names of their own, "sojourn import --explain FILE" proposes a mapping.',
    ])
  })

  const MAPPING = `
records:
  customer: {id: Nr, firstName: First, lastName: Last, dob: Born}
  booking: {id: Nr, customerId: {idOf: customer}, role: {value: guest}, status: State, startDate: In, endDate: Out}`
  const table = (...rows: string[]) => ['Nr;First;Last;Born;State;In;Out', ...rows].join('\n')

  test.each([
    [
      '1;A;B;;arrived;01/02/2026;03/04/2026',
      'g.csv:2: In and Out look like DD/MM/YYYY or MM/DD/YYYY; say in m.yaml which one it is, such as "dates: DD/MM/YYYY"',
    ],
    [
      '1;A;B;;arrived;2026-11-16 3:00 PM;2026-11-17 3:00 PM',
      'g.csv:2: In and Out look like YYYY-MM-DD h:mm A; write "times: h:mm A" in m.yaml',
    ],
    [
      '1;A;B;;Bestätigt;2026-11-16;2026-11-17',
      /^g\.csv:2: State \(status\): is "Bestätigt"; expected one of registered, .*; write "status: \{column: State, values: \{Bestätigt: confirmed\}\}" in m\.yaml$/,
    ],
    ['1;A;B;;"a: b";2026-11-16;2026-11-17', /values: \{"a: b": …\}\}" in m\.yaml$/],
    [
      '1;A;B;;;2026-11-16;2026-11-17',
      'g.csv:2: State (status): is required; fill in the cells, or give status a "default" in m.yaml',
    ],
    [
      '1;;;;arrived;2026-11-16;2026-11-17',
      'g.csv:2: First + Last (firstName): a person needs a name: firstName, lastName or both',
    ],
    [
      '1;A;B;32.11.1960;arrived;2026-11-16;2026-11-17',
      /^g\.csv:2: Born \(dob\): is "32\.11\.1960"; expected a date that exists, such as YYYY-MM-DD$/,
    ],
    [
      '1;A;B;;arrived;2026-11-18;2026-11-17',
      'g.csv:2: Out (endDate): is before startDate (2026-11-17T00:00 is earlier than 2026-11-18T00:00)',
    ],
    ['1;A;B;;arrived;2026-11-16;2026-11-17;x', 'g.csv:2: has 8 cells; the header has 7'],
  ])('of a mapped row %j', async (row, expected) => {
    const reported = await complaints('g.csv', table(row), MAPPING)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatch(expected)
  })
  test('of rows that have one cause, with values of the first of them', async () => {
    const rows = [
      '1;A;B;32.11.1960;arrived;2026-11-18;2026-11-17',
      '2;A;B;33.11.1961;arrived;2026-11-20;2026-11-19',
    ]
    expect(await complaints('g.csv', table(...rows), MAPPING)).toEqual([
      '2 rows: Born (dob): is "32.11.1960", "33.11.1961"; expected a date that exists, such as YYYY-MM-DD (g.csv:2, 3)',
      '2 rows: Out (endDate): is before startDate (2026-11-17T00:00 is earlier than 2026-11-18T00:00) (g.csv:2, 3)',
    ])
  })
  test('a column written in two ways cannot be distinguished by a mapping', async () => {
    const reported = await complaints(
      'g.csv',
      table('1;A;B;;arrived;13/11/2026;2026-11-20', '2;A;B;;arrived;11/13/2026;2026-11-20'),
      MAPPING,
    )
    expect(reported).toEqual([
      '2 rows: In (startDate): looks like DD/MM/YYYY in some rows and MM/DD/YYYY in others. No mapping can tell what 03/04 is in such a column; write all of them in one way (g.csv:2, 3)',
    ])
  })
  test('a column of which the mapping reads one order, and some rows have the other', async () => {
    const rows = ['1;A;B;;arrived;25/12/2026;2026-12-30', '2;A;B;;arrived;12/25/2026;2026-12-30']
    expect(await complaints('g.csv', table(...rows), `dates: DD/MM/YYYY${MAPPING}`)).toEqual([
      'g.csv:3: In (startDate): looks like MM/DD/YYYY, and m.yaml reads DD/MM/YYYY; if the column has both, 03/04 may be either day: write all of them in one way. If all are MM/DD/YYYY, write "startDate: {column: In, dates: MM/DD/YYYY}" in m.yaml',
    ])
  })
  test('columns of two orders have formats of their own, and who does what the lines say has none left', async () => {
    const row = table('1;A;B;12/25/1950;arrived;25/12/2026;26/12/2026')
    const reported = await complaints('g.csv', row, MAPPING)
    expect(reported).toEqual([
      'g.csv:2: Born (dob): looks like MM/DD/YYYY; other columns have another order, so write "dob: {column: Born, dates: MM/DD/YYYY}" in m.yaml',
      'g.csv:2: In and Out look like DD/MM/YYYY; other columns have another order, so write "dates: DD/MM/YYYY" at each of these fields in m.yaml',
    ])
    const corrected = MAPPING.replace('dob: Born', 'dob: {column: Born, dates: MM/DD/YYYY}')
      .replace('startDate: In', 'startDate: {column: In, dates: DD/MM/YYYY}')
      .replace('endDate: Out', 'endDate: {column: Out, dates: DD/MM/YYYY}')
    expect(await complaints('g.csv', row, corrected)).toEqual([''])
    expect(await complaints('g.csv', row, `dates: [MM/DD/YYYY, DD/MM/YYYY]${MAPPING}`)).toEqual([
      'm.yaml:1:8: dates has MM/DD/YYYY and DD/MM/YYYY, which read 03/04 as two different days; leave one of them here, and name the other one at the fields that have it, such as {column: …, dates: DD/MM/YYYY}',
    ])
  })
  test('a field that the mapping lacks', async () => {
    const mapping = 'records: {session: {id: Nr, name: First, startDate: In}}'
    expect(await complaints('g.csv', table('1;A;B;;;2026-11-16;'), mapping)).toEqual([
      'g.csv:2: endDate: is required; name its column in m.yaml',
    ])
  })
  test('ruling 42: a mapping that gives no name, and one that gives a single one', async () => {
    const nameless = 'records: {customer: {id: Nr}}'
    expect(await complaints('g.csv', table('1;A;B;;;;'), nameless)).toEqual([
      'g.csv:2: firstName: a person needs a name: firstName, lastName or both',
    ])
    expect(
      await complaints('g.csv', table('1;A;;;;;'), nameless.replace('Nr', 'Nr, lastName: First')),
    ).toEqual([''])
  })

  test.each([
    [
      'dob',
      '03.02.1960',
      'customers.csv:2: dob: looks like DD.MM.YYYY; write YYYY-MM-DD, or use a mapping (--map) that has "dates: DD.MM.YYYY"',
    ],
  ])('of a table of records: %s', async (field, value, expected) => {
    expect(await complaints('customers.csv', `id,firstName,lastName,${field}\nk,A,B,${value}\n`)).toEqual([
      expected,
    ])
  })
  test('of amounts and flags in a table of records', async () => {
    const head = 'id,customerId,role,status,startDate,endDate,isOrderMainGuest,financial.total'
    const row = 'b,k,guest,arrived,2026-11-16,2026-11-17,Ja,"1.000,50"'
    expect((await complaints('bookings.csv', `${head}\n${row}\n`)).slice(0, 2)).toEqual([
      'bookings.csv:2: isOrderMainGuest: is "Ja"; write true or false, or use a mapping (--map) that has "booleans: {true: Ja}"',
      'bookings.csv:2: financial.total: looks like a number with a decimal comma; write it as 1000.50, or use a mapping (--map) that has \'decimals: ","\'',
    ])
  })
  test('of lines of JSON, with the kind and a few of what differs', async () => {
    const lines = Array.from({ length: 5 }, (_, n) =>
      JSON.stringify({
        kind: 'booking',
        id: `b${n}`,
        customerId: `k${n}`,
        role: 'guest',
        status: 'arrived',
        startDate: '2026-11-16',
        endDate: '2026-11-17',
      }),
    )
    expect(
      await complaints(
        'b.ndjson',
        [...lines, '{', '{"kind":"customer","id":"k","dob":"03.02.1960"}'].join('\n'),
      ),
    ).toEqual([
      '5 lines: booking.customerId: is "k0", "k1", "k2" …; there is no such customer, neither in the database nor among these records (b.ndjson:1, 2, 3 …)',
      expect.stringMatching(/^b\.ndjson:6: is not JSON/),
      'b.ndjson:7: customer.dob: looks like DD.MM.YYYY; write YYYY-MM-DD',
      'b.ndjson:7: customer.firstName: a person needs a name: firstName, lastName or both',
    ])
  })
})

test('a set of rows counts each once, in whatever order they come', () => {
  const set = new RowSet()
  for (const row of [5, 1, 8192, 5, 8193, 1]) set.add('a', row)
  set.add('b', 5)
  const other = new RowSet()
  for (const row of [5, 6, 100_000]) other.add('a', row)
  set.addAll(other)
  expect([set.size, set.add('a', 6), set.add('a', 7)]).toEqual([7, false, true])
})
