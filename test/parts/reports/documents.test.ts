/** What reports say: the numbers of the interface, in the words of the console, in every format. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../src/core/access/keys/scopes.ts'
import { showReport } from '../../../src/parts/reports/manage-reports.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { guest, metaField, SPA, spa, type TestRecord, term } from '../../support/world.ts'
import { type Clock, type Reporting, startReporting } from './reporting.ts'

const SIX = Date.parse('2025-01-12T04:00:00Z')
const DIETS = [
  { value: 'vegetarian' },
  { value: 'no nuts', isAllergy: true },
  { value: 'none', isNone: true },
]
const RECORDS: readonly TestRecord[] = [
  spa({ mealRules: { dietFields: [{ field: 'diet', values: DIETS }] } }),
  metaField('diet', { label: 'Diet' }),
  term('room', '101', 'Room 101', { beds: 2 }),
  term('room', '104', 'Room 104'),
  ...guest(
    'a',
    { acc: { roomId: '101' }, skippingMeals: { breakfast: ['2025-01-12'] } },
    { meta: { diet: 'no nuts, mystery' } },
  ),
  ...guest(
    'b',
    { acc: { roomId: '102' } },
    { firstName: 'Ștefan', lastName: 'Ionescu', meta: { diet: 'vegetarian' } },
  ),
  ...guest(
    'c',
    { startDate: '2025-01-12T15:30', acc: { roomId: '103' } },
    { firstName: 'Wen', lastName: '\uF8E7' },
  ),
  ...guest('off', { startDate: '2025-01-12T12:00', status: 'cancelled' }, { lastName: 'Nobody' }),
  {
    kind: 'order',
    centerId: SPA,
    uuid: 'o-1',
    number: 'A-1',
    orderDate: '2025-01-03T10:00',
    totalAmount: 1250.5,
    status: 'confirmed',
    paymentStatus: 'paid',
  },
]

interface Sent {
  readonly reporting: Reporting
  readonly id: string
  readonly bytes: Buffer
  readonly name: string
}

async function sendOne(
  input: Parameters<Reporting['add']>[0],
  scopes?: readonly Scope[],
  records = RECORDS,
): Promise<Sent> {
  const clock: Clock = { now: SIX - 60_000 }
  const reporting = await startReporting({ clock, records })
  const key = scopes === undefined ? undefined : (await reporting.api.createKey({ scopes })).appId
  const { id } = await reporting.add({ ...input, ...(key === undefined ? {} : { key }) })
  clock.now = SIX + 1000
  await reporting.look()
  const [name = ''] = readdirSync(join(reporting.folder, 'spa', 'kitchen'))
  return { reporting, id, bytes: readFileSync(join(reporting.folder, 'spa', 'kitchen', name)), name }
}

const text = async (kind: string, scopes?: readonly Scope[]) =>
  (await sendOne({ kind }, scopes)).bytes.toString()

it('a day sheet has the portions of the interface, diets, and who skips', async () => {
  const { reporting, bytes } = await sendOne({ kind: 'day' })
  const { body } = await reporting.api.get(
    '/v1/meals/portions?startDate=2025-01-12&endDate=2025-01-12&includeGuests=true',
  )
  const [day] = body.days as { meals: Record<string, { portions: number; present: number }> }[]
  const sheet = bytes.toString()
  const portions = ['breakfast', 'lunch', 'dinner'].map((meal) => day?.meals[meal]?.portions)
  expect(portions).toEqual([1, 2, 3])
  expect(sheet).toMatch(new RegExp(`Portions +${portions.join(' +')}\n`))
  expect(sheet).toMatch(/! no nuts +0 +1 +1\n/)
  expect(sheet).toMatch(/! Unknown: mystery +0 +1 +1\n/)
  // Other rooms of the day are called 102 and 103, so that of Room 101 is not shortened.
  expect(sheet).toMatch(/Room 101 +Ana Pop +! Unknown: mystery, ! no nuts +× +• +•\n/)
  expect(sheet).toContain('As of 06:00')
  expect(sheet).toContain('It is not known when bookings were last received')
})

it('a week sheet has seven days, and who skips next to the number', async () => {
  const sheet = await text('week')
  expect(sheet).toMatch(/Sun 12 · arriving: 1 +1 · Room 101 A. Pop +2 +3\n/)
  expect(sheet).toMatch(/Sat 18 +0 +0 +0\n/)
})

it('a text has lines of at most 78 characters, no soft hyphens, and every word', async () => {
  const long = 'strictly according to the list that the ward has sent on the day of arrival'
  const records = [...RECORDS, ...guest('d', { acc: { roomId: '105' } }, { meta: { diet: long } })]
  for (const kind of ['day', 'week']) {
    const { bytes } = await sendOne({ kind, language: 'is' }, undefined, records)
    const sheet = bytes.toString()
    expect(sheet).not.toContain('\u00ad')
    expect(sheet.split('\n').filter((line) => line.length > 78)).toEqual([])
    const words = new Set(sheet.split(/\s+/))
    expect(long.split(' ').filter((word) => !words.has(word))).toEqual([])
  }
})

it('a text of more columns than a line has room for has a line for each value, in 78 characters too', async () => {
  const project =
    'name,email,phone,status,role,startDate,endDate,bookingId,acc.roomId,doctorName,therapistName,dob'
  const question = `/guests?startDate=today&endDate=today&active=true&sort=lastName&project=${project}`
  const { bytes } = await sendOne({ kind: 'query', name: 'All', question })
  const list = bytes.toString()
  expect(list.split('\n').filter((line) => line.length > 78)).toEqual([])
  const [, first] = list.split(/\n\n(?=Name: )/)
  expect(first).toMatch(/^Name: Ștefan Ionescu\nE-mail: –\n(?:.*\n)*Status: Confirmed\n/)
  expect(list.match(/^Name: /gm)).toHaveLength(3)
})

it('arrivals are the active bookings of the day, with their rooms', async () => {
  const list = await text('arrivals')
  expect(list).toMatch(/Arriving · 1\n/)
  expect(list).toMatch(/103 +Wen \uF8E7 +01\/15\/2025 +Confirmed\n/)
  expect(list).toMatch(/Leaving · 0\n/)
  expect(list).not.toContain('Nobody')
})

it('the rooms of the day are those of the interface, by what is to be done, without names', async () => {
  const list = await text('rooms', ['rooms'])
  expect(list).toContain('In the house: 3')
  expect(list).toMatch(/-- Guests come · 1\n103 /)
  expect(list).toMatch(/-- Free · 1\nRoom 104/)
  expect(list).not.toContain('Pop')
})

it('contradictions say that not everything is evaluated, and which kinds are not reported', async () => {
  const list = await text('contradictions')
  expect(list).toContain('! Not everything is evaluated yet')
  expect(list).toContain('Not reported, as set for this center: Guest without an order')
})

it('orders are those of the month, with totals by currency', async () => {
  const list = await text('orders')
  expect(list).toContain('Orders 01/01/2025 – 01/31/2025')
  expect(list).toMatch(/A-1 +01\/03\/2025 +Confirmed +Paid +€1,250.50\n/)
})

describe('the totals of orders', () => {
  const order = (uuid: string, status: string, totalAmount: number, currency = 'EUR'): TestRecord => ({
    kind: 'order',
    centerId: SPA,
    uuid,
    number: uuid,
    orderDate: '2025-01-03T10:00',
    totalAmount,
    currency,
    status,
    paymentStatus: uuid === 'A-1' ? 'paid' : 'unpaid',
  })
  const records = [
    spa({
      orderRules: {
        orderStatuses: { valid: ['confirmed'], open: ['pending'], void: ['cancelled'] },
        paymentStatuses: { valid: ['paid'], open: ['unpaid'] },
      },
    }),
    order('A-1', 'confirmed', 1000),
    order('A-2', 'pending', 200),
    order('A-3', 'cancelled', 50),
    order('A-4', 'draft', 7),
    order('A-5', 'confirmed', 3, 'RON'),
  ]

  it('are those of the interface by group: a void order is in no total, and a status that is not decided is said', async () => {
    const { reporting, bytes } = await sendOne({ kind: 'orders' }, undefined, records)
    const list = bytes.toString()
    const { body } = await reporting.api.get('/v1/orders/control?startDate=2025-01-01&endDate=2025-01-31')
    const euro = (body.currencies as { currency: string; groups: { group: string; total: number }[] }[]).find(
      ({ currency }) => currency === 'EUR',
    )
    expect(euro?.groups.map(({ group, total }) => [group, total])).toEqual([
      ['valid', 1000],
      ['open', 200],
      ['notDecided', 7],
      ['void', 50],
    ])
    expect(list).toMatch(/Valid and open, together +1,200\.00 +3\.00 +3\n/)
    expect(list).toMatch(/-- Void in no total\nCanceled, Unpaid +50\.00 +– +1\n/)
    expect(list).toMatch(/has not decided what these statuses mean: Draft\./)
    expect(list).toMatch(/Of it paid|of it paid/)
    expect(list).toMatch(/Mismatches: 5/)
  })

  it('say that what is paid is not permitted, for a key that may not read payments', async () => {
    const list = (await sendOne({ kind: 'orders' }, ['orders'], records)).bytes.toString()
    expect(list).toMatch(/of it paid +not permitted +not permitted/i)
    expect(list).toContain('Payments')
  })
})

it('a query is any answer of the interface, with relative days', async () => {
  const list = await sendOne({
    kind: 'query',
    name: 'In house',
    question: '/guests?startDate=today&endDate=today&project=name,acc.roomId',
  })
  expect(list.name).toBe('In house 2025-01-12 0600.txt')
  expect(list.bytes.toString()).toMatch(/Ștefan Ionescu +102/)
})

it('a query is one table in a language with semicolons and decimal commas, and codes stay texts', async () => {
  const records = RECORDS.concat(
    guest(
      'q',
      { acc: { roomId: '3-4' }, bookingId: '25-01-09', financial: { total: 980.75 } },
      { firstName: 'Ida', lastName: 'Roth; "Mia", 5', address: { zip: '04109' } },
    ),
  )
  const send = (format: 'csv' | 'text' | 'xlsx') =>
    sendOne(
      {
        kind: 'query',
        name: 'Q',
        question:
          '/guests?startDate=today&endDate=today&q=Roth&project=lastName,bookingId,acc.roomId,address.zip,financial.total&format=csv&delimiter=tab',
        language: 'de',
        format,
      },
      undefined,
      records,
    )
  const [, line] = (await send('csv')).bytes.toString().split('\r\n')
  expect(line).toBe('"Roth; ""Mia"", 5";"=""04109""";"=""25-01-09""";"=""3-4""";980,75')
  expect((await send('text')).bytes.toString()).toMatch(/Roth; "Mia", 5 +04109 +25-01-09 +3-4 +980,75/)
  expect((await send('xlsx')).bytes.subarray(0, 2).toString()).toBe('PK')
})

it('what the key may not read is said to be withheld, and never missing without a word', async () => {
  const sheet = await text('day', ['meals'])
  expect(sheet).toContain('! Diets and allergies are not on this sheet.')
  expect(sheet).not.toContain('vegetarian')
})

it('a CSV has one table with stable headings', async () => {
  const { bytes, name } = await sendOne({ kind: 'day', format: 'csv' })
  expect(name).toBe('Kitchen 2025-01-12 0600.csv')
  const lines = bytes.toString().split('\r\n')
  expect(lines[0]).toBe('\uFEFFdate,meal,row,label,room,count')
  expect(lines).toContain('2025-01-12,dinner,portions,,,3')
  expect(lines).toContain('2025-01-12,breakfast,skips,Ana Pop,Room 101,1')
})

it('an XLSX is a workbook whose days are dates', async () => {
  const { bytes } = await sendOne({ kind: 'arrivals', format: 'xlsx' })
  const [sheet, remarks] = (await readXlsx(bytes)).sheets
  expect(sheet!.rows).toEqual([
    ['what', 'name', 'room', 'startDate', 'endDate', 'status', 'program'],
    ['arriving', 'Wen \uF8E7', '103', new Date('2025-01-12'), new Date('2025-01-15'), 'confirmed', null],
  ])
  expect(remarks!.rows.flat()).toContain('As of 06:00')
})

it('a PDF is tagged, has its language and title, and its table is read cell by cell', async () => {
  const { bytes, reporting, id } = await sendOne({ kind: 'day', format: 'pdf', language: 'ro' })
  const info = pdfinfo(bytes)
  expect(info).toMatch(/Title: +Bucătărie: duminică 12\.01\.2025 · Izvorul Alb/i)
  expect(info).toMatch(/Tagged: +yes/)
  expect(bytes.toString('latin1')).toContain('/Lang (ro)')
  const cells = [...pdfinfo(bytes, '-struct-text').matchAll(/^ +"(.*)"$/gm)].map(([, cell]) => cell)
  const at = cells.indexOf('1')
  expect(cells.slice(at, at + 3)).toEqual(['1', '2', '3'])
  const person = cells.indexOf('Ana Pop')
  expect(cells.slice(person - 1, person + 2)).toEqual([
    'Room 101',
    'Ana Pop',
    expect.stringContaining('! no nuts'),
  ])
  const words = textOfPdf(bytes)
  expect(words).toContain('Ștefan Ionescu')
  expect(words).toContain('Wen (U+F8E7)')
  const [run] = (await showReport(reporting.api.database, id)).runs
  expect(run).toMatchObject({ state: 'sent', missing: 'U+F8E7' })
})

it('a PDF in which a name would be codes is not sent, and its run says what to do', async () => {
  // A letter of Kirat Rai, which hardly any font has.
  const records = [...RECORDS, ...guest('k', { startDate: '2025-01-12T15:00' }, { firstName: '\u{16D43}' })]
  const clock: Clock = { now: SIX - 60_000 }
  const reporting = await startReporting({ clock, records })
  const { id } = await reporting.add({ kind: 'arrivals', format: 'pdf' })
  clock.now = SIX + 1000
  await reporting.look()
  const [run] = (await showReport(reporting.api.database, id)).runs
  expect(run).toMatchObject({
    state: 'refused',
    problem: expect.stringMatching(/\(U\+16D43\), so it was not sent.*choose xlsx, csv or text/),
  })
})

it('a cell that is longer than a page is printed whole, next to the others, on as many pages as it needs', async () => {
  const word = (at: number) => `w${String(at).padStart(4, '0')}`
  const long = Array.from({ length: 1600 }, (_, at) => word(at)).join(' ')
  const unbroken = Array.from({ length: 700 }, (_, at) => word(at)).join('')
  const records = [
    ...RECORDS,
    ...guest('d', { acc: { roomId: '105' } }, { firstName: 'Petra', meta: { diet: long } }),
    ...guest('e', { acc: { roomId: '106' } }, { firstName: 'Jonas', meta: { diet: unbroken } }),
  ]
  const { bytes } = await sendOne({ kind: 'day', format: 'pdf' }, undefined, records)
  const printed = textOfPdf(bytes)
  const found = new Set(printed.match(/w\d{4}/g))
  expect(Array.from({ length: 1600 }, (_, at) => word(at)).filter((one) => !found.has(one))).toEqual([])
  expect(printed.replaceAll(/\s/g, '').includes('Jonas')).toBe(true)
  expect(Number(/Pages: +(\d+)/.exec(pdfinfo(bytes))?.[1])).toBeGreaterThan(3)
  // In one cell for those who hear it, also where it goes on.
  const elements = pdfinfo(bytes, '-struct-text').split(/^ *(?=T[DHR]\b|P\b|H\d\b)/m)
  expect(elements.some((one) => /^T[DH]/.test(one) && one.includes('w0001') && one.includes('w1599'))).toBe(
    true,
  )
})

function pdfinfo(bytes: Buffer, ...options: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('pdfinfo', [...options, '-'], { input: bytes })
  if (status !== 0) throw error ?? new Error(`pdfinfo: ${stderr}`)
  return stdout.toString()
}

it('a document with too many pages is refused, and the service lives on', async () => {
  const people = Array.from({ length: 6100 }, (_, at) => ({
    kind: 'order',
    centerId: SPA,
    uuid: `o-${at}`,
    orderDate: '2025-01-03T10:00',
    totalAmount: 1,
    status: 'confirmed',
  }))
  const clock: Clock = { now: SIX - 60_000 }
  const reporting = await startReporting({ clock, records: [spa(), ...people] })
  const { id } = await reporting.add({ kind: 'orders', format: 'pdf' })
  clock.now = SIX + 1000
  await reporting.look()
  const [run] = (await showReport(reporting.api.database, id)).runs
  expect(run).toMatchObject({ state: 'refused', problem: expect.stringMatching(/too long/) })
  expect((await reporting.api.get('/v1/me')).status).toBe(200)
})
