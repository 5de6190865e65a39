/** What a file leaves open is asked with the readings of its own cells, and nothing is imported before it is answered. */
import { describe, expect, test } from 'vitest'
import { readFiles } from '../../../../src/core/intake/lines/read-files.ts'
import { explainTables } from '../../../../src/core/intake/spreadsheets/explain/explain.ts'
import { readMapping } from '../../../../src/core/intake/spreadsheets/mapping/read-mapping.ts'
import { readTables } from '../../../../src/core/intake/spreadsheets/tables/read-tables.ts'

const NOW = new Date('2026-11-25T10:00:00Z')

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const propose = (file: string) =>
  explainTables({
    open: () => readTables(bytesOf(file), 'f.csv'),
    name: 'f.csv',
    mappingName: 'f.yaml',
    now: NOW,
    seen: () => [],
  })

async function bookings(file: string, mapping: string): Promise<Record<string, unknown>[]> {
  const options = { mapping: readMapping(mapping, 'm.yaml', { now: NOW }) }
  const lines = await readFiles(['f.csv'], { open: async () => bytesOf(file) }, options)
  return (await Array.fromAsync(lines)).flatMap(({ value }) =>
    Object(value).kind === 'booking' ? [Object(value)] : [],
  )
}

async function customers(file: string, mapping: string): Promise<Record<string, unknown>[]> {
  const options = { mapping: readMapping(mapping, 'm.yaml', { now: NOW }) }
  const lines = await readFiles(['f.csv'], { open: async () => bytesOf(file) }, options)
  return (await Array.fromAsync(lines)).flatMap(({ value }) =>
    Object(value).kind === 'customer' ? [Object(value)] : [],
  )
}

/** Answers the only question. */
const answered = (mapping: string, answer: string) => {
  expect(mapping.match(/answer: "\?"/g)).toHaveLength(1)
  return mapping.replace('answer: "?"', `answer: ${JSON.stringify(answer)}`)
}

const asked = (mapping: string) => [...mapping.matchAll(/^ *- ask: (.*)$/gm)].map(([, ask]) => ask)

describe('an amount that is thousands or decimals', () => {
  const file =
    'Numéro de réservation,Client,Arrivée,Départ,Prix\nR7,Léa Roux,2026-05-13,2026-05-20,"2,350"\nR8,Max Petit,2026-05-13,2026-05-20,980\n'
  test('is asked, and refused until it is answered', async () => {
    const mapping = await propose(file)
    expect(asked(mapping)).toEqual([`'Prix: is "2,350" 2350 or 2.35?'`])
    expect(mapping).toContain('# One question is open. Nothing is imported until each has an answer below.')
    expect(mapping).not.toContain('works as it is')
    await expect(bookings(file, mapping)).rejects.toThrow(
      /a question is open, so nothing is imported.*\n.*Prix: is "2,350" 2350 or 2\.35\? Write as answer: "2350" or "2\.35"\./,
    )
  })
  test.each([
    ['2350', [2350, 980]],
    ['2.35', [2.35, 980]],
  ])('is read as %s if that is the answer', async (answer, totals) => {
    const mapping = answered(await propose(file), answer)
    const read = await bookings(file, mapping)
    expect(read.map(({ financial }) => Object(financial).total)).toEqual(totals)
  })
  test('is not asked if another amount of the file proves the separator', async () => {
    const proven = file.replace('980', '"980.50"')
    const mapping = await propose(proven)
    expect(asked(mapping)).toEqual([])
    const read = await bookings(proven, mapping)
    expect(read.map(({ financial }) => Object(financial).total)).toEqual([2350, 980.5])
  })
  test('that a mapping without a separator meets next week is refused, not read as one of them', async () => {
    const whole = file.replace('"2,350"', '350')
    const mapping = await propose(whole)
    expect(asked(mapping)).toEqual([])
    const read = await bookings(file, mapping)
    expect(read.map(({ financial }) => Object(financial).total)).toEqual(['2,350', 980])
  })
})

describe('a date that is two days', () => {
  const rows = (...stays: [string, string][]) =>
    `Booking,Guest,Check-in,Check-out\n${stays.map(([from, to], at) => `B${at},Ann Lee,${from},${to}\n`).join('')}`
  test('is asked with both days', async () => {
    const mapping = await propose(rows(['03.04.2026', '05.04.2026'], ['06.04.2026', '07.04.2026']))
    expect(mapping).toContain('DD.MM.YYYY: {dates: DD.MM.YYYY} # check: 03.04.2026 is April 3, 2026')
    expect(mapping).toContain('MM.DD.YYYY: {dates: MM.DD.YYYY} # check: 03.04.2026 is March 4, 2026')
  })
  test.each([
    ['a day beyond 12', rows(['03/04/2026', '05/04/2026'], ['13/04/2026', '15/04/2026'])],
    ['departures before arrivals in the other reading', rows(['03/12/2026', '04/01/2027'])],
    ['stays of many months in the other reading', rows(['01/04/2026', '09/04/2026'])],
  ])('is not asked if %s decides', async (_, file) => {
    const mapping = await propose(file)
    expect(asked(mapping)).toEqual([])
    expect(mapping).toContain('dates: DD/MM/YYYY')
  })
})

describe('a name', () => {
  const file = 'Gast;Anreise;Abreise\nMaier, Rosa;16.11.2026;20.11.2026\nSuharto;16.11.2026;20.11.2026\n'
  test.each([
    ['family name', { lastName: 'Suharto' }],
    ['given name', { firstName: 'Suharto' }],
  ])('of one word next to names with a comma is asked: a %s', async (answer, expected) => {
    const mapping = await propose(file)
    expect(asked(mapping)).toHaveLength(1)
    const [first, second] = await customers(file, answered(mapping, answer))
    expect(first).toMatchObject({ firstName: 'Rosa', lastName: 'Maier' })
    expect(second).toMatchObject(expected)
    expect(Object.keys(second ?? {})).toEqual(
      expect.not.arrayContaining(answer === 'given name' ? ['lastName'] : ['firstName']),
    )
  })
  test('with a suffix after the comma keeps its order', async () => {
    const plain = 'Guest;Check-in;Check-out\n"Martin King, Jr.";2026-11-16;2026-11-20\n'
    const [first] = await customers(plain, await propose(plain))
    expect(first).toMatchObject({ firstName: 'Martin', lastName: 'King, Jr.' })
  })
})

describe('a number of bookings in two rows', () => {
  const file =
    'Reservation number,Guest,Arrival,Departure\nX1,Ann Lee,2026-05-13,2026-05-20\nX1,Tom Lee,2026-05-13,2026-05-20\n'
  test('is asked, and each row can be a booking', async () => {
    const mapping = await propose(file)
    expect(asked(mapping)).toEqual([
      `Reservation number "X1" is in rows 2 and 3. Is each row a booking of its own?`,
    ])
    const read = await bookings(file, answered(mapping, 'each row is a booking'))
    expect(new Set(read.map(({ id }) => id)).size).toBe(2)
  })
})

test('an answer that is none of the choices is refused with the choices', async () => {
  const mapping =
    'questions: [{ask: A or B?, answers: {a: {dates: DD.MM.YYYY}, b: {}}, answer: c}]\nrecords: {customer: {id: K}}\n'
  expect(() => readMapping(mapping, 'm.yaml')).toThrow('m.yaml:1:78: answer is "c"; expected "a" or "b"')
})
test('an answer replaces a part of the mapping, and null removes it', () => {
  const mapping =
    'questions: [{ask: Q, answers: {a: {records: {customer: {email: null, phone: {column: P}}}}}, answer: a}]\nrecords: {customer: {id: K, email: E, phone: T}}\n'
  const [table] = readMapping(mapping, 'm.yaml').tables
  const [record] = table?.records ?? []
  expect(record?.fields.map(({ name }) => name)).toEqual(['id', 'phone'])
  expect(record?.fields[1]?.source).toMatchObject({ from: 'cells', columns: [{ name: 'P' }] })
})
