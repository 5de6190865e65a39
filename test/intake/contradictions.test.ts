/** Rows of one file that make one record: what they add up to, and what is refused because it cannot be decided. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { sojourn } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { center, empty } from './import-lines.ts'

let database: Database
let folder: string
const path = (name: string) => join(folder, name)
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  folder = makeTemporaryFolder()
  await empty(database)
  await sojourn(['import', '-'], {}, { database, stdin: `${JSON.stringify(center())}\n` })
})

const MAPPING = `
records:
  customer: {id: Guest no, lastName: Surname, phone: Phone, dob: Born}
  booking:
    id: Booking
    customerId: {idOf: customer}
    role: {value: guest}
    status: {value: confirmed}
    startDate: In
    endDate: Out
    acc.roomId: Room
    financial.total: Paid`
const HEADER = 'Booking;Guest no;Surname;Phone;Born;In;Out;Room;Paid'
const table = (...rows: string[]) => [HEADER, ...rows].join('\n')

async function run(content: string, mapping = MAPPING, ...args: string[]) {
  writeFileSync(path('stays.csv'), content)
  writeFileSync(path('m.yaml'), mapping)
  const ran = await sojourn(
    ['import', '--center', 'c', '--map', path('m.yaml'), ...args, path('stays.csv')],
    {},
    { database },
  )
  const text = (output: string) => output.replaceAll(`${folder}/`, '').trimEnd()
  return { code: ran.code, complaints: text(ran.stderr).split('\n'), report: text(ran.stdout) }
}
const bookings = () =>
  database.query(sql`
    select id, accommodation ->> 'roomId' as room, (financial ->> 'total')::float8 as total from bookings
    where center_id = 'c' order by id`)

describe('rows of one file that make one record', () => {
  test('may repeat it and add to it: a guest in several rows', async () => {
    const { code } = await run(
      table(
        'b1;7;Holm;;1980-02-03;2026-01-05;2026-01-09;101;',
        'b2;7;HOLM ;+47 1;1980-02-03;2026-03-05;2026-03-09;101;',
        'b2;7;Holm;+47 1;;2026-03-05;2026-03-09;;90',
      ),
    )
    expect(code).toBe(0)
    expect(await bookings()).toEqual([
      { id: 'b1', room: '101', total: null },
      { id: 'b2', room: '101', total: 90 },
    ])
  })

  test('are refused if they give two rooms, with both rows, both values and the options', async () => {
    const { code, complaints } = await run(
      table(
        'b1;7;Holm;;;2026-01-05;2026-01-09;101;',
        'b2;8;Aas;;;2026-01-05;2026-01-09;103;',
        'b1;7;Holm;;;2026-01-05;2026-01-09;102;',
        'b3;9;Moe;;;2026-01-05;2026-01-09;104;',
        'b3;9;Moe;;;2026-01-05;2026-01-09;105;',
      ),
    )
    expect(code).not.toBe(0)
    expect(complaints).toEqual([
      '4 rows: Room (acc.roomId): is "101" in row 2 and "102" in row 4, which make one record; if one row counts, write "acc.roomId: {column: Room, rows: first}", or with last or, for a number, sum, in m.yaml; give the rows another identifier if they are two people, stays or orders (stays.csv:2, 4, 5 …)',
    ])
    expect(await bookings()).toEqual([])
  })

  test('are refused if a number is of two guests: neither name is served with the stay of the other', async () => {
    const { complaints } = await run(
      table(
        'b1;7;Holm;;1980-02-03;2026-01-05;2026-01-09;101;',
        'b2;7;Aas;;1991-05-06;2026-02-05;2026-02-09;102;',
      ),
    )
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain('2 rows: Surname (lastName): is "Holm" in row 2 and "Aas" in row 3')
  })

  test('compare every row, not only the first and the last one', async () => {
    const row = (phone: string) => `b1;7;Holm;${phone};;2026-01-05;2026-01-09;101;`
    const { complaints } = await run(table(row(''), row('+47 1'), row('+47 2'), row('')))
    expect(complaints[0]).toContain('4 rows: Phone (phone): is "+47 1" in row 3 and "+47 2" in row 4')
  })

  test.each([
    ['first', 'first', { room: '101', total: 10 }],
    ['last', 'sum', { room: '102', total: 40.3 }],
    ['last', 'last', { room: '102', total: 10 }],
  ])('count as the mapping says: rows: %s and %s', async (room, total, expected) => {
    const mapping = MAPPING.replace(': Room', `: {column: Room, rows: ${room}}`).replace(
      ': Paid',
      `: {column: Paid, rows: ${total}}`,
    )
    const row = (cells: string) => `b1;7;Holm;;;2026-01-05;2026-01-09;${cells}`
    const { code, complaints } = await run(table(row('101;10'), row('102;20.3'), row('102;10')), mapping)
    expect(code, complaints.join('\n')).toBe(0)
    expect(await bookings()).toEqual([{ id: 'b1', ...expected }])
  })

  test('are all left out with --skip-invalid, and written with the reason to the rejected rows', async () => {
    const { report } = await run(
      table(
        'b1;7;Holm;;;2026-01-05;2026-01-09;101;',
        'b2;8;Aas;;;2026-01-05;2026-01-09;103;',
        'b1;7;Holm;;;2026-01-05;2026-01-09;102;',
      ),
      MAPPING,
      '--skip-invalid',
    )
    expect(report).toContain('Rejected 2 records.')
    expect(await bookings()).toEqual([{ id: 'b2', room: '103', total: null }])
  })

  test('without a mapping too', async () => {
    writeFileSync(path('customers.csv'), 'id,lastName,email\nk,Holm,a@example.com\nk,Holm,b@example.com\n')
    const ran = await sojourn(['import', '--center', 'c', path('customers.csv')], {}, { database })
    expect(ran.stderr).toContain(
      'email: is "a@example.com" in row 2 and "b@example.com" in row 3, which make one record; correct the rows, or give the rows another identifier',
    )
  })

  test('a row that removes a record contradicts one that gives it', async () => {
    writeFileSync(path('customers.csv'), 'id,lastName,deleted\nk,Holm,\nk,,true\n')
    const ran = await sojourn(['import', '--center', 'c', path('customers.csv')], {}, { database })
    expect(ran.stderr).toContain('deleted: is "false" in row 2 and "true" in row 3')
  })

  test('two files are a sequence of changes, and so are rows with versions', async () => {
    writeFileSync(path('customers.csv'), 'id,lastName,version\nk,Holm,1\nk,Aas,2\n')
    writeFileSync(path('customer.csv'), 'id,lastName,version\nk,Moe,3\n')
    const files = [path('customers.csv'), path('customer.csv')]
    const ran = await sojourn(['import', '--center', 'c', ...files], {}, { database })
    expect(ran.code, ran.stderr).toBe(0)
    expect(await database.query(sql`select last_name from customers where center_id = 'c'`)).toEqual([
      { last_name: 'Moe' },
    ])
  })

  test('twenty thousand rows of one record are added up, in several batches', async () => {
    const mapping = MAPPING.replace(': Paid', ': {column: Paid, rows: sum}')
    const rows = Array.from({ length: 20_000 }, () => 'b1;7;Holm;;;2026-01-05;2026-01-09;101;1')
    expect((await run(table(...rows), mapping)).code).toBe(0)
    expect(await bookings()).toEqual([{ id: 'b1', room: '101', total: 20_000 }])
  })
})

describe('people without a booking', () => {
  test('are imported, counted and reported, because no list of guests shows them', async () => {
    const line = (id: string, fields = {}) =>
      JSON.stringify({ kind: 'customer', id, lastName: 'Holm', ...fields })
    const run = (...lines: string[]) =>
      sojourn(['import', '--center', 'c', '-'], {}, { database, stdin: lines.join('\n') })
    const booking = {
      kind: 'booking',
      id: 'b',
      customerId: 'k',
      role: 'guest',
      status: 'confirmed',
      startDate: '2026-01-05',
      endDate: '2026-01-09',
    }
    const first = await run(line('k'), line('k2'), line('k3'), JSON.stringify(booking))
    expect(first.stdout).toContain('2 people have no booking, so no list of guests shows them.')
    // A booking that was imported before counts too.
    expect((await run(line('k', { lastName: 'Aas' }))).stdout).not.toContain('no booking')
    const removed = await run(line('k4'), JSON.stringify({ kind: 'customer', id: 'k3', deleted: true }))
    expect(removed.stdout).toContain('1 person has no booking, so no list of guests shows this person.')
  })
})

describe('lines of JSON that give one record', () => {
  test('are applied in their order, counted and reported', async () => {
    const line = (fields: object) => JSON.stringify({ kind: 'customer', id: 'k', ...fields })
    const lines = [
      line({ lastName: 'Holm' }),
      line({ lastName: 'Aas' }),
      line({ id: 'other', lastName: 'Moe' }),
    ]
    const ran = await sojourn(['import', '--center', 'c', '-'], {}, { database, stdin: lines.join('\n') })
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('1 record was given more than once; its lines were applied in order.')
    const json = await sojourn(
      ['import', '--json', '--center', 'c', '-'],
      {},
      { database, stdin: lines.join('\n') },
    )
    expect(JSON.parse(json.stdout)).toMatchObject({ repeated: 1 })
  })
})
