/** What an import has rejected is corrected where it was written, and imported again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { sojourn } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { center, customer, empty } from './import-lines.ts'

let database: Database
let folder: string
const path = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  folder = makeTemporaryFolder()
  await empty(database)
  writeFileSync(path('m.yaml'), MAPPING)
  expect(await run('-', `${JSON.stringify(center({ timezone: 'Europe/Berlin' }))}\n`)).toMatchObject({
    code: 0,
  })
})

const run = (args: string, stdin?: string) =>
  sojourn(
    ['import', '--center', 'c', ...args.split(' ').map((arg) => (/\.\w+$/.test(arg) ? path(arg) : arg))],
    {},
    stdin === undefined ? { database } : { database, stdin },
  )

const MAPPING = `
dates: DD.MM.YYYY
decimals: ","
records:
  customer: {id: Nr, firstName: Vorname, lastName: Name, dob: Geboren}
  booking:
    id: {columns: [Nr, Anreise], identifier: hash, prefix: b-}
    customerId: {idOf: customer}
    role: {value: patient}
    status: {column: Status, values: {Da: arrived}}
    startDate: {column: Anreise, time: "15:00"}
    endDate: Abreise
    financial.total: Preis
    formData.observations: Notiz
`
const HEADER = 'Nr;Vorname;Name;Geboren;Anreise;Abreise;Status;Preis;Notiz'
const guest = (nr: number, more: { born?: string; status?: string; note?: string } = {}) =>
  `${nr};Zoë;Groß;${more.born ?? '03.02.1941'};16.11.2026;20.11.2026;${more.status ?? 'Da'};1.000,50;${more.note ?? ''}`
const GOOD = [guest(1), guest(2), guest(3, { note: '=1+1' }), guest(4)]
const BAD = [guest(1), guest(2, { status: 'Weg' }), guest(3, { born: '32.02.1941', note: '=1+1' }), guest(4)]
const latin = (rows: readonly string[]) => Buffer.from(`${[HEADER, ...rows].join('\r\n')}\r\n`, 'latin1')

/** Everything of the guests that the files tell. */
const guests = () =>
  database.query(sql`
    select b.id, k.id as customer, k.first_name, k.dob::text, b.status, b.start_date, b.end_date, b.financial, b.form
    from bookings b join customers k on k.center_id = b.center_id and k.id = b.customer_id order by k.id`)

async function whole(args: string) {
  expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
  const all = await guests()
  await database.query(sql`delete from bookings`)
  await database.query(sql`delete from customers`)
  return all
}

const writeXlsxOf = async (name: string, rows: (string | number)[][]) =>
  writeFileSync(path(name), await writeXlsx({ sheets: [{ name: 'Sheet1', rows }] }))

describe('rows of a CSV file', () => {
  test('are in a table with their line and what is wrong, and go in through the same mapping once they are corrected', async () => {
    writeFileSync(path('g.csv'), latin(GOOD))
    const expected = await whole('--map m.yaml g.csv')
    writeFileSync(path('g.csv'), latin(BAD))
    const first = await run('--map m.yaml --skip-invalid g.csv')
    expect(first.code).toBe(0)
    expect(first.stdout).toContain(
      `Rejected 3 records. Correct them in g.csv.rejects.csv, then run:\n  sojourn import --center c --map ${path('m.yaml')} --retry ${path('g.csv.rejects.csv')}\n`,
    )
    expect(first.stdout).toContain('Read g.csv: Windows-1252 (detected), semicolons.\n')
    expect(await guests()).toHaveLength(2)

    const rejects = read('g.csv.rejects.csv')
    const [head, ...rows] = rejects.trimEnd().split('\r\n')
    // With the file's own separator, for the spreadsheet that opens it.
    expect(head).toBe(`\ufeffRejected row;Table;Records;Problem;${HEADER}`)
    expect(rows.map((row) => row.split(';').slice(0, 3))).toEqual([
      ['3', '', 'booking'],
      ['4', '', 'customer + booking'],
    ])
    expect(rows[0]).toContain('Status: is ""Weg""; expected one of registered')
    expect(rows[1]).toContain('Geboren: is ""32.02.1941""; expected a date that exists, such as DD.MM.YYYY')
    // A formula in the file is not one that runs where the rejects are opened.
    expect(rows[1]).toMatch(/;'=1\+1$/)

    // Another program saves it in its own encoding.
    const corrected = rejects
      .replace('\ufeff', '')
      .replace(';Weg;', ';Da;')
      .replaceAll('32.02.1941', '03.02.1941')
    writeFileSync(path('g.csv.rejects.csv'), Buffer.from(corrected, 'latin1'))
    expect(await run('--map m.yaml --retry g.csv.rejects.csv')).toMatchObject({ code: 0, stderr: '' })
    expect(await guests()).toEqual(expected)
  })
  test('are complained of where they are corrected, and nothing of them goes in while one is wrong', async () => {
    writeFileSync(path('g.csv'), latin(BAD))
    await run('--map m.yaml --skip-invalid g.csv')
    writeFileSync(path('g.csv.rejects.csv'), read('g.csv.rejects.csv').replaceAll('32.02.1941', '03.02.1941'))
    const again = await run('--map m.yaml --retry g.csv.rejects.csv')
    expect(again.code).toBe(1)
    expect(again.stderr).toMatch(/g\.csv\.rejects\.csv:2: Status \(status\): is "Weg"/)
    expect(await guests()).toHaveLength(2)
    const left = await run('--map m.yaml --skip-invalid --retry g.csv.rejects.csv')
    expect(left.stdout).toContain('g.csv.rejects-2.csv')
    expect(read('g.csv.rejects-2.csv').trimEnd().split('\r\n')).toHaveLength(2)
  })
  test('are known wherever records are expected, and reported with the command that imports them', async () => {
    // As the mapping has it, its mark and its separator would be something else.
    writeFileSync(path('m.yaml'), `encoding: cp850\ndelimiter: "|"\nheader: 4${MAPPING}`)
    writeFileSync(
      path('g.csv'),
      ['', '', '', HEADER, ...BAD].join('\n').replaceAll(';', '|').replaceAll(/[öß]/g, 'o'),
    )
    await run('--map m.yaml --skip-invalid g.csv')
    writeFileSync(path('any name.csv'), read('g.csv.rejects.csv'))
    await writeXlsxOf('any.xlsx', [
      ['Rejected row', 'Table', 'Records', 'Problem', 'Nr'],
      [2, '', '', '', 1],
    ])
    writeFileSync(
      path('any.ndjson'),
      `${JSON.stringify({ line: 2, reason: ['x'], record: customer('k') })}\n`,
    )
    const failed = () => database.query(sql`select count(*)::int as n from imports where outcome = 'failed'`)
    const before = await failed()
    const given = async (args: string) => (await run(args)).stderr.replaceAll(folder, 'F')
    expect(await run(`--map m.yaml g.csv.rejects.csv`)).toMatchObject({ code: 1, stdout: '' })
    expect(await given('--map m.yaml any.xlsx')).toBe(
      'F/any.xlsx contains rejected records of an import. Once they are corrected, run: sojourn import --center c --map F/m.yaml --retry F/any.xlsx\n',
    )
    expect(await given('any.ndjson')).toMatch(
      /Once they are corrected, run: sojourn import --center c --retry F\/any\.ndjson\n$/,
    )
    const args = ['import', '--center', 'c', '--kind', 'booking', path('any name.csv')]
    expect((await sojourn(args, {}, { database })).stderr).toContain(
      `--kind booking --retry '${path('any name.csv')}'\n`,
    )
    // It was no import: none is in the log.
    expect(await failed()).toEqual(before)
  })
  test('of an import of which nothing went in are a list, and no part of it', async () => {
    writeFileSync(path('g.csv'), latin(BAD))
    const first = await run('--map m.yaml --rejects bad.csv g.csv')
    expect(first.code).toBe(1)
    expect(first.stdout).toMatch(/^Read .+\nNothing was imported: 2 of 8 records are invalid/)
    expect(read('bad.csv')).toContain('Invalid row;Table;Records;Problem;')
    expect(first.stdout).not.toContain('created')
    expect(first.stdout).toContain('All of them are in bad.csv. Correct the file itself')
    for (const args of ['--map m.yaml --retry bad.csv', '--map m.yaml bad.csv']) {
      const again = await run(args)
      expect(again).toMatchObject({ code: 1, stdout: '' })
      expect(again.stderr).toContain('of which nothing was imported. Correct that file and import it')
    }
  })
  test('that a record collects are all there', async () => {
    writeFileSync(
      path('o.yaml'),
      `decimals: ","\nrecords: {order: {collect: items, uuid: O, orderDate: D, totalAmount: T, status: {value: paid}, items: [{itemId: I, name: I, quantity: {value: 1}, price: P}]}}`,
    )
    writeFileSync(path('o.csv'), 'O;D;T;I;P\no1;2026-11-16;3;a;1\no1;2026-11-16;3;b;x\no2;2026-11-16;3;c;3\n')
    await run('--map o.yaml --skip-invalid o.csv')
    expect(read('o.csv.rejects.csv').trimEnd().split('\r\n')).toHaveLength(3)
    writeFileSync(path('o.csv.rejects.csv'), read('o.csv.rejects.csv').replace('b;x', 'b;2'))
    expect(await run('--map o.yaml --retry o.csv.rejects.csv')).toMatchObject({ code: 0 })
    expect(
      await database.query(sql`select uuid, jsonb_array_length(items) as n from orders order by uuid`),
    ).toEqual([
      { uuid: 'o1', n: 2 },
      { uuid: 'o2', n: 1 },
    ])
  })
  test('leave a record whole that went in, of which another row was rejected for another record', async () => {
    writeFileSync(
      path('o.yaml'),
      `records:
  customer: {id: K, firstName: N, lastName: N}
  order:
    collect: items
    uuid: O
    orderDate: {column: D, rows: first}
    totalAmount: {column: P, rows: sum}
    status: {value: paid}
    items: [{itemId: K, name: N, quantity: {value: 1}, price: P}]
  booking: {id: K, customerId: {idOf: customer}, orderUuid: O, role: {value: guest}, status: S, startDate: D, endDate: D}
`,
    )
    const row = (key: string, order: string, status = 'paid', price = '1') =>
      `${key};A;${order};2026-11-1${key};${price};${status}`
    // Of o1 a booking is wrong, of o2 an item and a booking, and a row of o3 cannot be read.
    const rows = [
      row('1', 'o1'),
      row('2', 'o1', 'x'),
      row('3', 'o2'),
      row('4', 'o2', 'x', 'y'),
      row('5', 'o3'),
    ]
    writeFileSync(path('o.csv'), ['K;N;O;D;P;S', ...rows, `${row('6', 'o3')};1`, ''].join('\n'))
    await run('--map o.yaml --skip-invalid o.csv')
    const orders = () =>
      database.query(
        sql`select uuid, jsonb_array_length(items) as n, total_amount::float8 as total, order_date::date::text as on from orders order by uuid`,
      )
    expect(await orders()).toEqual([{ uuid: 'o1', n: 2, total: 2, on: '2026-11-10' }])
    const rejects = read('o.csv.rejects.csv')
    const reported = rejects
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(';').slice(0, 3).join(' '))
    expect(reported).toEqual([
      '\ufeffRejected row Table Records',
      '3  booking',
      '4  booking + order',
      '5  booking + order',
      '6  booking + order',
      '7  order',
    ])
    expect(rejects).toContain('order of the rows 6 to 7: a row of this order cannot be read (7)')
    const corrected = rejects
      .replaceAll(';x', ';paid')
      .replaceAll(';y;', ';1;')
      .replace(/;1\r\n$/, '\r\n')
    writeFileSync(path('o.csv.rejects.csv'), corrected)
    expect(await run('--map o.yaml --retry o.csv.rejects.csv')).toMatchObject({ code: 0, stderr: '' })
    expect(await orders()).toEqual(
      ['o1', 'o2', 'o3'].map((uuid, at) => ({ uuid, n: 2, total: 2, on: `2026-11-1${2 * at}` })),
    )
    expect(await database.query(sql`select id from bookings`)).toHaveLength(6)
  })
  test('of one record have to agree, unless the mapping says which of them counts', async () => {
    const mapping = (rows = '') =>
      `records: {order: {collect: items, uuid: O, orderDate: D, totalAmount: {column: T${rows}}, status: {value: paid}, items: [{itemId: I, name: I, quantity: {value: 1}, price: T}]}}`
    writeFileSync(
      path('o.csv'),
      'O;D;T;I\no1;2026-11-16;850;a\no1;2026-11-16;1000.1;b\no1;2026-11-16;0.2;c\n',
    )
    writeFileSync(path('o.yaml'), mapping())
    const refused = await run('--map o.yaml o.csv')
    expect(refused.stderr.replaceAll(`${folder}/`, '')).toBe(
      'o.csv:2: the rows of one order differ in T (totalAmount); say in o.yaml which of them it is: totalAmount: {column: T, rows: first}, or with last or sum\n',
    )
    for (const [rows, total] of [
      ['first', 850],
      ['last', 0.2],
      ['sum', 1850.3],
    ]) {
      writeFileSync(path('o.yaml'), mapping(`, rows: ${rows}`))
      expect(await run('--map o.yaml o.csv')).toMatchObject({ code: 0 })
      expect(await database.query(sql`select total_amount::float8 as total from orders`)).toEqual([{ total }])
    }
  })
  test('several tables of records are below their own headers, and name their kinds', async () => {
    writeFileSync(path('customers.csv'), 'id,firstName,lastName,dob\nk,A,B,1941-02-30\nl,A,B,\n')
    writeFileSync(path('sessions.csv'), 'id,name,startDate,endDate\ns,S,2026-11-16,x\n')
    await run('--skip-invalid --rejects bad.csv customers.csv sessions.csv')
    expect(read('bad.csv')).toContain('\r\nRejected row,Table,Records,Problem,id,name')
    writeFileSync(
      path('bad.csv'),
      read('bad.csv').replaceAll('1941-02-30', '1941-02-03').replace(',x\r', ',2026-11-20\r'),
    )
    const again = await run('--json --retry bad.csv')
    expect(JSON.parse(again.stdout).kinds).toMatchObject({
      customer: { created: 1 },
      session: { created: 1 },
    })
  })
})

test('rows of a workbook stay numbers and texts in a workbook', async () => {
  const cell = (text: string) => (text === '1.000,50' ? 12.345 : text)
  const sheet = (rows: readonly string[]) => [HEADER, ...rows].map((row) => row.split(';').map(cell))
  const write = async (name: string, rows: readonly (readonly (string | number | null)[])[]) =>
    writeFileSync(
      path(name),
      await writeXlsx({ sheets: [{ name: 'Gäste', rows: rows.map((row) => [...row]) }] }),
    )
  writeFileSync(path('m.yaml'), `sheet: Gäste${MAPPING}`)
  await write('g.xlsx', sheet(GOOD))
  const expected = await whole('--map m.yaml g.xlsx')
  await write('g.xlsx', sheet(BAD))
  await run('--map m.yaml --skip-invalid g.xlsx')
  const { sheets } = await readXlsx(readFileSync(path('g.xlsx.rejects.xlsx')))
  const rows = sheets[0]?.rows ?? []
  expect(rows.map((row) => row.slice(0, 3))).toEqual([
    ['Rejected row', 'Table', 'Records'],
    [3, 'Gäste', 'booking'],
    [4, 'Gäste', 'customer + booking'],
  ])
  expect(rows[1]?.[11]).toBe(12.345)
  const corrected = rows.map((row) =>
    row.map((value) => (value === 'Weg' ? 'Da' : value === '32.02.1941' ? '03.02.1941' : value)),
  )
  await write('g.xlsx.rejects.xlsx', corrected as (string | number | null)[][])
  expect(await run('--map m.yaml --retry g.xlsx.rejects.xlsx')).toMatchObject({ code: 0, stderr: '' })
  expect(await guests()).toEqual(expected)
})

describe('lines of JSON', () => {
  test('go in once their records are corrected, also those that were no JSON', async () => {
    const lines = [customer('k', { dob: '1941-02-30' }), customer('l')].map((record) =>
      JSON.stringify(record),
    )
    writeFileSync(path('a.ndjson'), [...lines, JSON.stringify(customer('m')).slice(0, -1)].join('\n'))
    await run('--skip-invalid a.ndjson')
    const rejects = read('a.ndjson.rejects.ndjson')
      .replaceAll('1941-02-30', '1941-02-03')
      .replace(/Pop\\""\}/, 'Pop\\"}"}')
    writeFileSync(path('a.ndjson.rejects.ndjson'), rejects)
    const again = await run('--json --retry a.ndjson.rejects.ndjson')
    expect(JSON.parse(again.stdout)).toMatchObject({ applied: true, kinds: { customer: { created: 2 } } })
  })
  test('of an import of which nothing went in are a list, and no part of it', async () => {
    writeFileSync(path('a.ndjson'), JSON.stringify(customer('k', { dob: 'x' })))
    await run('--rejects bad.ndjson a.ndjson')
    expect((await run('--retry bad.ndjson')).stderr).toContain('of which nothing was imported')
  })
})

describe('one sentence refuses', () => {
  test.each([
    ['--retry g.csv other.csv', 2, '--retry takes one file'],
    ['--retry g.csv', 1, 'is not a file of rejected rows: its first column is not "Rejected row"'],
    ['--retry a.ndjson', 1, 'is not a file of rejected lines: line 1 has no "record"'],
    ['--skip-invalid --rejects bad.csv a.ndjson', 2, 'expected a name that ends with .ndjson'],
  ])('%s', async (args, code, sentence) => {
    writeFileSync(path('g.csv'), latin(GOOD))
    writeFileSync(path('a.ndjson'), JSON.stringify(customer('k')))
    const ran = await run(args)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toContain(sentence)
  })
})
