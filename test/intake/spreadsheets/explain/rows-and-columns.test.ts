/** Which rows are guests, and which columns are their fields, in lists as programs print them and people keep them. */
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { linesOf, proposalOf, questionsOf } from './generated/read-as-proposed.ts'
import { encode } from './generated/write-file.ts'

/** The bookings of a file as its unchanged proposal reads them, each with its customer. */
async function guestsOf(file: string | Buffer, name = 'guests.csv') {
  const bytes = Buffer.from(file)
  const proposal = await proposalOf({ bytes, name })
  const lines = await linesOf({ bytes, name }, proposal)
  const records = lines.map(({ value, problem }) => ({ problem, ...Object(value) }))
  expect(records.flatMap(({ problem }) => problem ?? [])).toEqual([])
  const customers = new Map(records.filter(({ kind }) => kind === 'customer').map((one) => [one.id, one]))
  return records
    .filter(({ kind }) => kind === 'booking')
    .map(({ id, customerId, startDate, endDate, acc }) => ({
      id,
      name: [customers.get(customerId)?.firstName, customers.get(customerId)?.lastName].join(' ').trim(),
      days: [startDate, endDate].map((moment) => String(moment).slice(0, 10)).join(' '),
      ...(acc === undefined ? {} : { room: acc.roomId }),
    }))
}

const LINES = [
  'R101,Ana Ferreira,2026-03-01,2026-03-08,12',
  'R102,Bo Lindström,2026-03-02,2026-03-09,14',
  'R103,Cleo Roux,2026-04-03,2026-04-10,15',
]
const ALL = [
  { id: 'R101', name: 'Ana Ferreira', days: '2026-03-01 2026-03-08' },
  { id: 'R102', name: 'Bo Lindström', days: '2026-03-02 2026-03-09' },
  { id: 'R103', name: 'Cleo Roux', days: '2026-04-03 2026-04-10' },
]
const withRooms = (rooms: readonly string[]) => ALL.map((guest, at) => ({ ...guest, room: rooms[at] }))
const HEADINGS = 'Booking no,Guest name,Arrival,Departure,Room'

describe('rows that are no guests are left out', () => {
  test('titles of months, sums with a label and headings of each page', async () => {
    const file = [
      HEADINGS,
      'March 2026',
      LINES[0],
      LINES[1],
      HEADINGS,
      'April 2026',
      LINES[2],
      'Total,,,,3',
    ].join('\n')
    expect(await guestsOf(file)).toEqual(withRooms(['12', '14', '15']))
  })
  test('in a list that has as many titles as guests', async () => {
    const file = [HEADINGS, 'Monday', LINES[0], 'Tuesday', LINES[1], 'Friday', LINES[2]].join('\n')
    expect(await guestsOf(file)).toEqual(withRooms(['12', '14', '15']))
  })
  test('above a list that has no headings', async () => {
    const file = ['Guest list', 'printed 2026-02-01', ...LINES.map((line) => line.replace(/,\d+$/, ''))].join(
      '\n',
    )
    expect(await guestsOf(file)).toEqual(ALL)
  })
})

test('a cell that covers two rows of an ODS file is the room of both', async () => {
  const rows = [HEADINGS, ...LINES].map((line) => line.split(','))
  rows[2]![4] = ''
  const sheets = [{ name: 'A', rows, merges: [{ startRow: 1, startCol: 4, endRow: 2, endCol: 4 }] }]
  expect(await guestsOf(Buffer.from(await writeOds({ sheets })), 'guests.ods')).toEqual(
    withRooms(['12', '12', '15']),
  )
})

test('a list of prices next to the guests is no list of guests', async () => {
  const sheets = [
    { name: 'Guests', rows: [HEADINGS, ...LINES].map((line) => line.split(',')) },
    {
      name: 'Prices',
      rows: [
        ['Season', 'Price'],
        ['Summer', 120],
      ],
    },
  ]
  expect(await guestsOf(Buffer.from(await writeXlsx({ sheets })), 'guests.xlsx')).toEqual(
    withRooms(['12', '14', '15']),
  )
})

test.each([
  ['a weekday before it', 'Sun 01.03.2026', 'Di., 17.03.2026'],
  ['a weekday behind it', '2026-03-01 (Sun)', '2026-03-17 (вт)'],
  ['a time with a narrow space', '3/1/2026, 3:00\u202fPM', '3/17/2026, 11:00\u202fa.m.'],
])('a date with %s is a date', async (_, start, end) => {
  const file = `Booking no,Guest name,Arrival,Departure\nR1,Ana Ferreira,"${start}","${end}"\nR2,Bo Ek,"${start}","${end}"\n`
  expect((await guestsOf(file)).map(({ days }) => days)).toEqual(Array(2).fill('2026-03-01 2026-03-17'))
})

describe('a number of the file’s own program', () => {
  const file = (last: string) =>
    [
      'Number,Guest name,Arrival,Departure',
      ...['5501', '5502', '5503', '5504', last].map(
        (id, at) => `${id},Ana Roux${'abcde'[at]},2026-03-0${at + 1},2026-03-1${at + 1}`,
      ),
    ].join('\n')
  test('identifies its bookings', async () => {
    expect((await guestsOf(file('5505'))).map(({ id }) => id)).toEqual([
      '5501',
      '5502',
      '5503',
      '5504',
      '5505',
    ])
  })
  test('that is given twice is a question, with both rows', async () => {
    const proposal = await proposalOf({ bytes: Buffer.from(file('5502')), name: 'guests.csv' })
    expect(questionsOf(proposal)).toEqual([
      'Number "5502" is in rows 3 and 6. Is each row a booking of its own?',
    ])
  })
})

describe('an encoding of the west or the east of Europe', () => {
  const file = (names: string, encoding: string) => {
    const guests = names
      .split(',')
      .map((name, at) => `R${at + 1},${name},2026-03-01,2026-03-0${at + 2}`)
      .join('\n')
    return encode(`Booking no,Guest name,Arrival,Departure\n${guests}\n`, encoding)
  }
  test('is a question where its letters are those of two languages', async () => {
    const proposal = await proposalOf({
      bytes: file('Ana Kovač,Eva Horváth', 'windows-1250'),
      name: 'guests.csv',
    })
    expect(questionsOf(proposal)).toEqual([
      `In which encoding is the file? It reads in Windows-1252 ("Kovaè") and in Windows-1250 ("Kovač").`,
    ])
  })
  test.each([
    ['windows-1250', 'Łucja Wiśniewska,Małgorzata Żak'],
    ['windows-1250', 'Šárka Dvořáková,Jiří Černý'],
    ['windows-1252', 'Jürgen Müller,Søren Åkesson'],
    ['windows-1254', 'Ayşe Yılmaz,Çağla Öztürk'],
  ])('%s is recognized by letters of one language: %s', async (encoding, names) => {
    expect((await guestsOf(file(names, encoding))).map(({ name }) => name)).toEqual(names.split(','))
  })
})
