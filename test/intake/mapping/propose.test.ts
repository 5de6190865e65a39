/** A proposal is a mapping that works as it is. */
import { PassThrough, Readable } from 'node:stream'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { explainFile } from '../../../src/commands/explain-file.ts'
import { localFiles } from '../../../src/intake/files.ts'
import { proposeMapping } from '../../../src/intake/mapping/propose.ts'
import { readMapping } from '../../../src/intake/mapping/read-mapping.ts'
import { readFiles } from '../../../src/intake/read-files.ts'
import { readTables } from '../../../src/intake/tables/read-tables.ts'
import { DIALECTS } from '../story/dialects.ts'
import { STORY_GUESTS } from '../story/guests.ts'

async function* bytesOf(file: Buffer) {
  yield file
}

async function propose(file: Buffer): Promise<string> {
  const { table } = await readTables(bytesOf(file), 'f.csv')
  return proposeMapping([table(0)], 'f.csv', () => ['a CSV file'])
}

async function recordsOf(file: Buffer, mapping: string) {
  const options = { mapping: readMapping(mapping, 'm.yaml') }
  const lines = await readFiles(['f.csv'], { open: async () => bytesOf(file) }, options)
  return (await Array.fromAsync(lines)).map(({ value }) => value)
}

describe.each(DIALECTS)('of $name', ({ name, bytes }) => {
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
      startDate: expect.stringContaining(first?.arrival ?? ''),
      endDate: expect.stringContaining(first?.departure ?? ''),
      financial: { total: 1000.5 },
    })
    // Its columns have names that say little, and none says who pays.
    if (name === 'an old Windows system') return
    expect(ofKind('booking')[0]).toMatchObject({
      status: 'arrived',
      isOrderMainGuest: true,
      orderUuid: first?.order,
    })
    expect(ofKind('order')).toHaveLength(STORY_GUESTS.length / 2)
    expect(ofKind('order')[0]).toMatchObject({ uuid: first?.order, totalAmount: 1000.5 })
    const roles = ofKind('booking').map((record) => Object(record).role)
    expect(roles).toEqual(STORY_GUESTS.map(({ role }) => role))
  })
})

test('a header below a title, and forms of dates that differ, are said', async () => {
  const text = await propose(DIALECTS.find(({ file }) => file === 'EXPORT.TXT')?.bytes ?? Buffer.of())
  expect(text).toContain('#   the header is row 4\n')
  expect(text).toContain(
    'RECHNR: text, not used: rows share orders, and no column says which row has the order',
  )
  expect(text).toMatch(/^header: 4\ndates: \[DD\.MM\.YYYY, DD\.MM\.YY\]$/m)
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
  const { sheets = [], table, close } = await readTables(bytesOf(file), 'f.xlsx')
  const text = await proposeMapping(
    sheets.map((_, at) => table(at)),
    'f.xlsx',
    () => ['a workbook'],
  )
  await close()
  expect(text).toContain('# Cover: 1 row, not used\n')
  const options = { mapping: readMapping(text, 'm.yaml') }
  const lines = await readFiles(['f.xlsx'], { open: async () => bytesOf(file) }, options)
  expect((await Array.fromAsync(lines)).map(({ value }) => value)).toMatchObject([
    { kind: 'customer', id: 'k1', firstName: 'Ana', lastName: 'Pop', dob: '1960-02-03' },
    { kind: 'customer', id: 'k2' },
    { kind: 'customer', id: 'k1' },
    { kind: 'order', uuid: 'r-1', number: 'R/1', orderDate: '2026-11-16', totalAmount: 12.5 },
    { kind: 'booking', id: 'b-1', customerId: 'k1', orderUuid: 'r-1', startDate: '2026-11-16' },
  ])
})

test('what it sees is a comment, with both readings of a date that has two', async () => {
  const text = await propose(
    Buffer.from('Guest;Check-in;Colour\nAna Pop;01/02/2026;red\nAna Pop;03/04/2026;red\n'),
  )
  expect(text).toContain('#   Check-in: looks like DD/MM/YYYY or MM/DD/YYYY → booking.startDate')
  expect(text).toContain('#   Colour: 1 different words, not used')
  expect(await recordsOf(Buffer.from('Guest;Check-in;Colour\n'), text)).toEqual([])
})
test('a file that has nothing it knows has a proposal too', async () => {
  const file = Buffer.from('x y\n1\n')
  expect(await recordsOf(file, await propose(file))).toHaveLength(2)
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
