/** A proposal is a mapping that was tried on the whole file; what the file leaves open is a question. */
import { PassThrough, Readable } from 'node:stream'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { explainFile } from '../../../../src/commands/explain-file.ts'
import { localFiles } from '../../../../src/core/intake/lines/files.ts'
import { readFiles } from '../../../../src/core/intake/lines/read-files.ts'
import { explainTables } from '../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { readMapping } from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'
import { DIALECTS } from '../../story/dialects.ts'
import { STORY_GUESTS } from '../../story/guests.ts'

async function* bytesOf(file: Buffer) {
  yield file
}

const NOW = new Date('2026-11-25T10:00:00Z')

async function propose(file: Buffer | string, name = 'f.csv'): Promise<string> {
  const open = () => readTables(bytesOf(Buffer.from(file)), name)
  return explainTables({ open, name, mappingName: 'f.yaml', now: NOW, seen: () => ['a CSV file'] })
}

async function recordsOf(file: Buffer, mapping: string) {
  const options = { mapping: readMapping(mapping, 'm.yaml', { isTrial: true }) }
  const lines = await readFiles(['f.csv'], { open: async () => bytesOf(file) }, options)
  return (await Array.fromAsync(lines)).map(({ value }) => value)
}

describe.each(DIALECTS)('of $name', ({ bytes }) => {
  test('the proposal reads every guest with dates and names, in under 40 lines', async () => {
    const mapping = await propose(bytes)
    const lines = mapping.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.length).toBeLessThan(40)
    const records = await recordsOf(bytes, mapping)
    const ofKind = (kind: string) => records.filter((record) => Object(record).kind === kind)
    const [first] = STORY_GUESTS
    expect(ofKind('customer')).toHaveLength(STORY_GUESTS.length)
    expect(ofKind('customer')[0]).toMatchObject({
      firstName: first?.firstName,
      lastName: first?.lastName,
      dob: expect.stringMatching(`^${first?.born}`),
    })
    expect(ofKind('booking')[0]).toMatchObject({
      id: first?.booking,
      role: 'patient',
      startDate: `${first?.arrival}T15:00:00`,
      endDate: `${first?.departure}T11:00:00`,
      financial: { total: 1000.5 },
      acc: { roomId: first?.room },
      status: 'arrived',
      isOrderMainGuest: true,
      orderUuid: first?.order,
    })
    expect(ofKind('order')).toHaveLength(STORY_GUESTS.length / 2)
    expect(ofKind('order')[0]).toMatchObject({ uuid: first?.order, totalAmount: 1000.5 })
    const said = ofKind('booking').map((record) => [Object(record).role, Object(record).status])
    expect(said).toEqual(STORY_GUESTS.map(({ role, status }) => [role, status]))
  })
})

const old = DIALECTS.find(({ file }) => file === 'EXPORT.TXT')?.bytes ?? Buffer.of()

test('a header below a title, and forms of dates that differ, are said', async () => {
  const text = await propose(old)
  expect(text).toContain('#   the header is row 4\n')
  expect(text).toMatch(/^header: 4\ndates: \[DD\.MM\.YYYY, DD\.MM\.YY\]$/m)
})
test('columns whose names say nothing are recognized by their cells, and marked as what to check', async () => {
  const text = await propose(
    Buffer.from(old.toString('latin1').replace(';HG;', ';Q;').replace(';ST;', ';Z;'), 'latin1'),
  )
  expect(text).toMatch(/^# {3}Q: yes or no \(.*\) → booking\.isOrderMainGuest$/m)
  expect(text).toContain(
    'isOrderMainGuest: Q # check: recognized by the cells of the column, not by its name',
  )
  expect(text).toContain(
    'status: {column: Z, values: {AN: arrived, OK: confirmed, ST: cancelled}} # check: is this what the words mean?',
  )
  expect(text).toContain(
    'startDate: {column: AN, time: 15:00} # check: AN has no time of day; write yours in place of 15:00',
  )
})
test('where no column says whose row has the order, none is proposed, and that is said', async () => {
  const text = await propose(
    Buffer.from('Name,Check-in,Price,Invoice,Paid\nA B,2026-01-02,1,R1,yes\nC D,2026-01-02,1,R1,yes\n'),
  )
  expect(text).toContain(
    '#   Invoice: 1 different text ("R1"), not used: rows share orders, and no column says which row has the order',
  )
  expect(text).toContain('#   Paid: yes or no ("yes"), not used')
})
test('a time of day that every arrival has stays as it is, and midnight after every date is none', async () => {
  const proposed = async (time: string) =>
    (await propose(Buffer.from(`Name;Anreise\nA B;16.11.2026${time}\n`))).split('\n')
  expect(await proposed(' 14:30')).toContain('    startDate: Anreise')
  const midnight = await proposed(' 00:00:00')
  expect(midnight.join('\n')).toContain('startDate: {column: Anreise, time: 15:00}')
  const file = Buffer.from('Name;Anreise\nA B;16.11.2026 00:00:00\nC D;17.11.2026 09:00:00\n')
  const bookings = (await recordsOf(file, midnight.join('\n'))).filter(
    (record) => Object(record).kind === 'booking',
  )
  expect(bookings).toMatchObject([{ startDate: '2026-11-16T15:00:00' }, { startDate: '2026-11-17T09:00:00' }])
})
test('the first of two columns of one field is taken, and a second phone is a second phone', async () => {
  const text = await propose(
    Buffer.from(
      'Name,Tel.,Mobile,Check-in,ARRIVAL_DATE\nA B,030 1234567,0171 7654321,2026-01-02,2026-01-03\n',
    ),
  )
  expect(text).toContain('phone: Tel.\n    secondaryPhone: Mobile\n')
  expect(text).toContain(
    '#   ARRIVAL_DATE: looks like YYYY-MM-DD ("2026-01-03"), not used: Check-in is taken',
  )
})
test('an invoice that some rows lack is the order of the others', async () => {
  const file = Buffer.from('Name,Check-in,Price,Invoice\nA B,2026-01-02,1,R1\nC D,2026-01-02,1,\n')
  const text = await propose(file)
  expect(text).toContain('when: Invoice')
  expect((await recordsOf(file, text)).filter((record) => Object(record).kind === 'order')).toHaveLength(1)
})

describe('dates', () => {
  test('of a column that has both readings are read as another column has them', async () => {
    const text = await propose(Buffer.from('Guest;Born;Check-in\nA B;12/25/1950;01/02/2026\n'))
    expect(text).toMatch(/^dates: MM\/DD\/YYYY$/m)
  })
  test('that nothing tells the order of are a question, with both readings', async () => {
    const text = await propose(Buffer.from('Guest;Born;Check-in\nA B;03/04/1950;01/02/2026\n'))
    expect(text).toContain('Born and Check-in: which day is "03/04/1950"?')
    expect(text).toContain('DD/MM/YYYY: {dates: DD/MM/YYYY} # check: 03/04/1950 is April 3, 1950')
    expect(text).toContain('MM/DD/YYYY: {dates: MM/DD/YYYY} # check: 03/04/1950 is March 4, 1950')
    expect(() => readMapping(text, 'm.yaml')).toThrow(/m\.yaml: a question is open, so nothing is imported/)
  })
  test('of two columns that differ in their order have formats of their own', async () => {
    const file = Buffer.from('Guest;Born;Check-in\nA B;12/25/1950;25/12/2026\n')
    const text = await propose(file)
    expect(text).toMatch(/^dates: MM\/DD\/YYYY$/m)
    expect(text).toContain('startDate: {column: Check-in, dates: DD/MM/YYYY, time: 15:00}')
    expect(await recordsOf(file, text)).toMatchObject([
      { dob: '1950-12-25' },
      { startDate: '2026-12-25T15:00:00' },
    ])
  })
  test('of one column in two orders are said, and those of the second are not read wrongly', async () => {
    const file = Buffer.from('Guest;Born\nA B;03/04/1950\nC D;25/12/1950\nE F;12/25/1950\n')
    const text = await propose(file)
    const form = 'dates in two orders, DD/MM/YYYY in some rows and MM/DD/YYYY in others'
    expect(text).toMatch(/^# {3}Born: dates in two orders \(.*\) → customer\.dob$/m)
    expect(text).toContain(`dob: Born # check: ${form}; write all of them in one way first`)
    expect(await recordsOf(file, text)).toMatchObject([
      { dob: '1950-04-03' },
      { dob: '1950-12-25' },
      { dob: '12/25/1950' },
    ])
  })
})

test('every sheet is looked at, and those that are used are tables of one mapping', async () => {
  const file = Buffer.from(
    await writeXlsx({
      sheets: [
        { name: 'Cover', rows: [['Kurhaus'], ['2026']] },
        {
          name: 'Guests',
          rows: [
            ['List'],
            [],
            ['Guest id', 'Name', 'Born'],
            ['k1', 'Ana Pop', '03.02.1960'],
            ['k2', 'Ana Pop', '03.02.1961'],
          ],
        },
        {
          name: 'Stays',
          rows: [
            ['Booking', 'Guest id', 'Check-in', 'Check-out', 'Invoice', 'Price'],
            ['b 1', 'k1', new Date('2026-11-16'), new Date('2026-11-20'), 'R/1', 12.5],
          ],
        },
      ],
    }),
  )
  const text = await propose(file, 'f.xlsx')
  expect(text).toContain('# Cover: 1 row, not used: no column is recognized\n')
  const options = { mapping: readMapping(text, 'm.yaml', { isTrial: true }) }
  const lines = await readFiles(['f.xlsx'], { open: async () => bytesOf(file) }, options)
  expect((await Array.fromAsync(lines)).map(({ value }) => value)).toMatchObject([
    { kind: 'customer', id: 'k1', firstName: 'Ana', lastName: 'Pop', dob: '1960-02-03' },
    { kind: 'customer', id: 'k2' },
    { kind: 'customer', id: 'k1' },
    { kind: 'order', uuid: 'r-1', number: 'R/1', orderDate: '2026-11-16', totalAmount: 12.5 },
    { kind: 'booking', id: 'b-1', customerId: 'k1', orderUuid: 'r-1', startDate: '2026-11-16T15:00:00' },
  ])
})

test('what it sees is a comment, with both readings of a date that has two', async () => {
  const text = await propose(
    Buffer.from('Guest;Check-in;Colour\nAna Pop;01/02/2026;red\nAna Pop;03/04/2026;red\n'),
  )
  expect(text).toContain(
    '#   Check-in: looks like DD/MM/YYYY or MM/DD/YYYY ("01/02/2026", "03/04/2026") → booking.startDate',
  )
  expect(text).toContain('#   Colour: 1 different text ("red"), not used')
  expect(await recordsOf(Buffer.from('Guest;Check-in;Colour\n'), text)).toEqual([])
})
test('a file that has nothing it knows has a valid proposal, which claims nothing', async () => {
  const file = Buffer.from('x y\n1\n')
  const text = await propose(file)
  expect(await recordsOf(file, text)).toHaveLength(1)
  expect(text).toContain('No column is recognized as startDate, endDate or customerId')
  expect(text).not.toContain('works as it is')
})

describe('import --explain', () => {
  const explain = async (files: string[], content: Buffer | string = '') => {
    const stdout = new PassThrough()
    const interrupts = () => new AbortController().signal
    await explainFile({ files: localFiles(Readable.from([Buffer.from(content)])), stdout, interrupts }, files)
    return String(stdout.read())
  }
  test('prints the encoding and the separator that it found', async () => {
    const [excel] = DIALECTS
    expect(await explain(['-'], excel?.bytes)).toMatch(
      /^# standard input: Windows-1252, semicolons, 300 rows\n/,
    )
  })
  test.each([
    [['a', 'b'], '--explain takes one file.'],
    [['/nowhere/x.csv'], 'there is no such file'],
    [['-'], 'standard input has no rows'],
  ])('of %j is one sentence', async (files, sentence) => {
    await expect(explain(files)).rejects.toThrow(sentence)
  })
})
