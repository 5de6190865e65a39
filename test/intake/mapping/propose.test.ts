/** A proposal is a mapping that works as it is. */
import { PassThrough, Readable } from 'node:stream'
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
  return proposeMapping(table(0), 'f.csv', () => ['a CSV file'])
}

async function recordsOf(file: Buffer, mapping: string) {
  const options = { mapping: readMapping(mapping, 'm.yaml') }
  const lines = await readFiles(['f.csv'], { open: async () => bytesOf(file) }, options)
  return (await Array.fromAsync(lines)).map(({ value }) => value)
}

const known = DIALECTS.filter(({ name }) => name !== 'an old Windows system')

describe.each(known)('of $name', ({ bytes }) => {
  test('the proposal reads every guest with dates and names', async () => {
    const records = await recordsOf(bytes, await propose(bytes))
    const [first] = STORY_GUESTS
    expect(records).toHaveLength(2 * STORY_GUESTS.length)
    expect(records[0]).toMatchObject({
      kind: 'customer',
      firstName: first?.firstName,
      lastName: first?.lastName,
      dob: first?.born,
    })
    expect(records[1]).toMatchObject({
      kind: 'booking',
      id: first?.booking,
      role: 'patient',
      status: 'arrived',
      startDate: expect.stringContaining(first?.arrival ?? ''),
      endDate: expect.stringContaining(first?.departure ?? ''),
      financial: { total: 1000.5 },
      isOrderMainGuest: true,
    })
  })
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
