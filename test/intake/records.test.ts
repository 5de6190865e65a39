import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { recordLines } from '../../src/core/intake/lines/record-line.ts'
import { openTestDatabase } from '../support/database.ts'
import {
  booking,
  bookingRow,
  center,
  customer,
  customerRow,
  empty,
  everything,
  importAll,
  importTexts,
  metaField,
  order,
  removed,
  row,
  session,
} from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => empty(database))

const revision = async () =>
  (await row(database, sql`select revision from center_revisions where center_id = 'c'`)).revision

describe('kind says what the record is; centerId says whose it is', () => {
  test('centerId may be left out where the import names a center', async () => {
    const { centerId: _, ...ana } = customer('k')
    const { summary } = await importAll(database, [center(), ana], { center: 'c' })
    expect(summary.applied).toBe(true)
    expect((await customerRow(database, 'k')).first_name).toBe('Ana')
  })

  test('a centerId in the record goes before the one the import names', async () => {
    await importAll(database, [center(), center({ id: 'd' }), customer('k')], { center: 'd' })
    expect((await customerRow(database, 'k')).center_id).toBe('c')
  })

  test('without either, the record is refused', async () => {
    const { centerId: _, ...ana } = customer('k')
    const { places } = await importAll(database, [center(), ana])
    expect(places).toEqual(['2 centerId'])
  })

  test('an unknown kind is refused with what was meant', async () => {
    const { problems } = await importAll(database, [{ ...center(), kind: 'centre' }])
    expect(problems[0]).toMatchObject({ line: 1, field: 'kind' })
    expect(problems[0]!.message).toContain('Did you mean center?')
  })

  test('a record of a center that is nowhere is refused', async () => {
    const { problems } = await importAll(database, [customer('k')])
    expect(problems).toMatchObject([{ line: 1, field: 'centerId', id: 'k', kind: 'customer' }])
  })
})

describe('a record is an upsert with merge semantics', () => {
  beforeEach(async () => {
    await importAll(database, [
      center(),
      customer('k', { email: 'a@example.com', address: { street: 'S', city: 'C' } }),
      session('s1'),
      session('s2'),
      booking('b', {
        sessionIds: ['s1', 's2'],
        acc: { roomId: 'r', floor: '1' },
        formData: { accommodationDetails: 'quiet', mobility: 'good' },
        medicalLetter: { ekg: 'ok', diagnoses: 'none' },
        medicalData: { notes: 'n' },
        weight1: 70.5,
        financial: { total: 10, deposit: { amount: 5, notes: 'cash' } },
        skippingMeals: { lunch: ['2025-01-12'], dinner: ['2025-01-13'] },
      }),
    ])
  })

  test('a field left out stays as it is', async () => {
    await importAll(database, [{ kind: 'customer', centerId: 'c', id: 'k', lastName: 'Ion' }])
    expect(await customerRow(database, 'k')).toMatchObject({
      first_name: 'Ana',
      last_name: 'Ion',
      email: 'a@example.com',
      address: { street: 'S', city: 'C' },
    })
  })

  test('null clears a field', async () => {
    const { summary } = await importAll(database, [{ kind: 'customer', centerId: 'c', id: 'k', email: null }])
    expect(summary.kinds.customer.changed).toBe(1)
    expect((await customerRow(database, 'k')).email).toBeNull()
  })

  test('objects within merge, and null clears within them', async () => {
    await importAll(database, [
      {
        kind: 'booking',
        centerId: 'c',
        id: 'b',
        acc: { roomId: 'r2' },
        formData: { mobility: null },
        medicalLetter: { ekg: null, customRec: 'rest' },
        financial: { deposit: { notes: null, paymentType: 'card' } },
        skippingMeals: { lunch: null, breakfast: ['2025-01-14'] },
      },
    ])
    expect(await bookingRow(database, 'b')).toMatchObject({
      accommodation: { roomId: 'r2', floor: '1', accommodationDetails: 'quiet' },
      form: null,
      medical: {
        medicalLetter: { diagnoses: 'none', customRec: 'rest' },
        medicalData: { notes: 'n' },
        weight1: 70.5,
      },
      financial: { total: 10, deposit: { amount: 5, paymentType: 'card' } },
      skipping_meals: { breakfast: ['2025-01-14'], lunch: [], dinner: ['2025-01-13'] },
    })
  })

  test('null for a whole group clears what is in it, and nothing next to it', async () => {
    await importAll(database, [
      { kind: 'booking', centerId: 'c', id: 'b', acc: null, medicalLetter: null, skippingMeals: null },
    ])
    expect(await bookingRow(database, 'b')).toMatchObject({
      accommodation: { accommodationDetails: 'quiet' },
      form: { mobility: 'good' },
      medical: { medicalData: { notes: 'n' }, weight1: 70.5 },
      skipping_meals: { breakfast: [], lunch: [], dinner: [] },
    })
    await importAll(database, [{ kind: 'booking', centerId: 'c', id: 'b', formData: null }])
    expect(await bookingRow(database, 'b')).toMatchObject({ accommodation: null, form: null })
  })

  test('an array replaces the array', async () => {
    await importAll(database, [{ kind: 'booking', centerId: 'c', id: 'b', sessionIds: ['s2'] }])
    expect((await bookingRow(database, 'b')).session_ids).toEqual(['s2'])
    expect(await database.query(sql`select session_id from booking_sessions where center_id = 'c'`)).toEqual([
      { session_id: 's2' },
    ])
  })

  test('null on a required field is refused', async () => {
    const { places, summary } = await importAll(database, [
      { kind: 'session', centerId: 'c', id: 's1', name: null },
    ])
    expect(places).toEqual(['1 name'])
    expect(summary.applied).toBe(false)
  })

  test('required fields are required on the merged record only', async () => {
    const { places } = await importAll(database, [{ kind: 'session', centerId: 'c', id: 'new', name: 'x' }])
    expect(places).toEqual(['1 startDate', '1 endDate'])
  })

  test('a record given several times merges in order', async () => {
    const { summary } = await importAll(database, [
      { kind: 'customer', centerId: 'c', id: 'k2', firstName: 'A', lastName: 'B', email: '1' },
      { kind: 'customer', centerId: 'c', id: 'k2', email: '2', phone: '3' },
      { kind: 'customer', centerId: 'c', id: 'k2', email: null, gender: 'female' },
    ])
    expect(summary.kinds.customer).toEqual({ created: 1, changed: 2, unchanged: 0, removed: 0, older: 0 })
    expect(await customerRow(database, 'k2')).toMatchObject({ email: null, phone: '3', gender: 'female' })
  })

  test('what an optional field of a center is cleared to is its default', async () => {
    await importAll(database, [
      center({ locale: 'ro', maximumPageLength: 7, bookingIdFormat: 'YYSNBN', apiAccess: false }),
    ])
    await importAll(database, [
      {
        kind: 'center',
        id: 'c',
        locale: null,
        maximumPageLength: null,
        bookingIdFormat: null,
        apiAccess: null,
      },
    ])
    expect(await row(database, sql`select * from centers`)).toMatchObject({
      locale: 'en',
      maximum_page_length: 100,
      booking_id_format: 'YY-SN-BN',
      api_access: true,
      automatic_booking_ids: false,
      meal_report_excluded_statuses: ['cancelled', 'waitingList', 'review'],
    })
  })
})

describe('deleted removes the record', () => {
  beforeEach(async () => {
    await importAll(database, [center(), customer('k'), booking('b')])
  })

  test('by its identifier', async () => {
    const { summary } = await importAll(database, [
      removed('booking', { id: 'b' }),
      removed('customer', { id: 'k' }),
    ])
    expect(summary.kinds.booking.removed).toBe(1)
    expect(summary.kinds.customer.removed).toBe(1)
    expect(await database.query(sql`select id from customers where center_id = 'c'`)).toEqual([])
  })

  test('each kind by its own key', async () => {
    await importAll(database, [
      { kind: 'term', centerId: 'c', set: 'room', id: 'r', name: 'Room' },
      metaField('m'),
      order('o'),
      session('s'),
    ])
    const { summary } = await importAll(database, [
      removed('term', { set: 'room', id: 'r' }),
      removed('metaField', { key: 'm' }),
      removed('order', { uuid: 'o' }),
      removed('session', { id: 's' }),
    ])
    const { term, metaField: fields, order: orders, session: sessions } = summary.kinds
    expect([term, fields, orders, sessions].map((counts) => counts.removed)).toEqual([1, 1, 1, 1])
  })

  test('removing what does not exist changes nothing and is no error', async () => {
    const { summary } = await importAll(database, [
      removed('customer', { id: 'nobody' }),
      { kind: 'customer', centerId: 'nowhere', id: 'x', deleted: true },
    ])
    expect(summary).toMatchObject({ applied: true, rejected: 0 })
    expect(summary.kinds.customer).toEqual({ created: 0, changed: 0, unchanged: 2, removed: 0, older: 0 })
  })

  test('a record removed and given again begins anew', async () => {
    await importAll(database, [customer('k', { email: 'old' })])
    await importAll(database, [removed('customer', { id: 'k' }), customer('k', { phone: '1' })])
    expect(await customerRow(database, 'k')).toMatchObject({ email: null, phone: '1' })
  })

  test('a removal that also gives fields is refused', async () => {
    const { places } = await importAll(database, [{ ...customer('k'), deleted: true }])
    expect(places).toEqual(['1 firstName', '1 lastName'])
  })

  test('deleted must be true', async () => {
    const { places } = await importAll(database, [
      { kind: 'customer', centerId: 'c', id: 'k', deleted: 'yes' },
    ])
    expect(places).toEqual(['1 deleted'])
  })
})

test('records may come in any order within one import', async () => {
  const { summary } = await importAll(database, [
    booking('b', { sessionIds: ['s'], orderUuid: 'o', meta: { m: 'x' } }),
    order('o'),
    session('s'),
    customer('k'),
    metaField('m'),
    center(),
  ])
  expect(summary).toMatchObject({ applied: true, rejected: 0 })
})

describe('identifiers are 1 to 64 characters of A-Z a-z 0-9 _ . : -', () => {
  test.each(['a', 'A_b.c:d-9', 'x'.repeat(64)])('%s is one', async (id) => {
    expect((await importAll(database, [center(), customer(id)])).summary.applied).toBe(true)
  })
  test.each(['', 'x'.repeat(65), 'a b', 'ü', 'a/b', 'a\u0000', "a'", '__proto__'])(
    '%j is none',
    async (id) => {
      expect((await importAll(database, [center(), customer(id)])).places).toEqual(['2 id'])
    },
  )
  test.each([5, null, true, ['a'], {}])('%j is none', async (id) => {
    expect((await importAll(database, [center(), { ...customer('x'), id }])).places).toEqual(['2 id'])
  })
  test('unique per center and kind', async () => {
    await importAll(database, [
      center(),
      center({ id: 'd' }),
      customer('k'),
      { ...customer('k'), centerId: 'd', firstName: 'Other' },
    ])
    expect((await customerRow(database, 'k')).first_name).toBe('Ana')
  })
})

describe('dates are YYYY-MM-DD and exist', () => {
  test.each([
    '2025-02-30',
    '2025-2-3',
    '15.01.2025',
    'now',
    'infinity',
    '0000-01-01',
    '2025-01-15T00:00',
    '',
  ])('%j is refused, and as a date of birth not shown', async (dob) => {
    const { problems } = await importAll(database, [center(), customer('k', { dob })])
    expect(problems).toMatchObject([{ line: 2, field: 'dob' }])
    if (dob !== '') expect(problems[0]!.message).not.toContain(dob)
  })
  test('29 February of a leap year is taken', async () => {
    await importAll(database, [center(), customer('k', { dob: '2024-02-29' })])
    expect((await customerRow(database, 'k')).dob).toBe('2024-02-29')
  })
})

describe('moments are ISO 8601', () => {
  const begin = async (startDate: string, zone = 'Europe/Bucharest') => {
    const { summary, places } = await importAll(database, [
      center({ timezone: zone }),
      session('s', { startDate, endDate: '2030-01-01' }),
    ])
    if (!summary.applied) return places
    return new Date(
      Number((await row(database, sql`select start_date from sessions`)).start_date),
    ).toISOString()
  }
  test.each([
    ['2025-01-15T08:00:00Z', '2025-01-15T08:00:00.000Z'],
    ['2025-01-15T08:00:00.123Z', '2025-01-15T08:00:00.123Z'],
    ['2025-01-15T08:00:00.123456Z', '2025-01-15T08:00:00.123Z'],
    ['2025-01-15T08:00:00+02:00', '2025-01-15T06:00:00.000Z'],
    ['2025-01-15T24:00:00.000Z', '2025-01-16T00:00:00.000Z'],
  ])('%s with an offset is %s', async (given, stored) => {
    expect(await begin(given)).toBe(stored)
  })
  test.each([
    ['2025-01-15T08:00', '2025-01-15T06:00:00.000Z'],
    ['2025-07-15T08:00:30', '2025-07-15T05:00:30.000Z'],
    ['2025-01-15', '2025-01-14T22:00:00.000Z'],
  ])("%s without one is read in the center's time zone: %s", async (given, stored) => {
    expect(await begin(given)).toBe(stored)
  })
  test.each([
    '2025-02-30T08:00:00Z',
    '2025-01-15T25:00:00Z',
    '2025-01-15T08:00:00+99:00',
    'now',
    'infinity',
    '1736928000000',
  ])('%s is refused', async (given) => {
    expect(await begin(given)).toEqual(['2 startDate'])
  })
  test('the time zone is that of the center after this import, wherever the center is in it', async () => {
    await importAll(database, [center({ timezone: 'America/New_York' })])
    const records = [session('s', { startDate: '2025-01-15', endDate: '2025-01-16' }), center()]
    await importAll(database, records)
    expect((await row(database, sql`select start_date from sessions`)).start_date).toBe(
      Date.parse('2025-01-14T22:00:00Z'),
    )
    expect((await importAll(database, records)).summary.kinds.session.unchanged).toBe(1)
  })
  test('moments within objects are read the same way', async () => {
    await importAll(database, [
      center(),
      customer('k'),
      booking('b', {
        financial: { deposit: { paidAt: '2025-01-02' }, fullPayment: { paidAt: '2025-01-02T10:00' } },
      }),
    ])
    expect((await bookingRow(database, 'b')).financial).toEqual({
      deposit: { paidAt: '2025-01-01T22:00:00.000Z' },
      fullPayment: { paidAt: '2025-01-02T08:00:00.000Z' },
    })
  })
})

describe('amounts', () => {
  const total = async (totalAmount: unknown, more: object = {}) =>
    (await importAll(database, [center(), order('o', { totalAmount, ...more })])).places
  test.each([0, 10, -5.5, 10.1234, 1e12])('%d fits a currency with two decimals', async (amount) => {
    expect(await total(amount)).toEqual([])
    expect((await row(database, sql`select total_amount from orders`)).total_amount).toBe(amount)
  })
  test.each([10.12345, 1e-7, 1.1e12, '10', null, true])('%j does not', async (amount) => {
    expect(await total(amount)).toEqual(['2 totalAmount'])
  })
  test('a number too large for JavaScript is refused', async () => {
    const line = JSON.stringify(order('o')).replace('100', '1e999')
    expect((await importTexts(database, [JSON.stringify(center()), line])).places).toEqual(['2 totalAmount'])
  })
  test("the order's own currency counts before the center's", async () => {
    expect(await total(10.123, { currency: 'JPY' })).toEqual(['2 totalAmount'])
    expect(await total(10.12345, { currency: 'BHD' })).toEqual([])
  })
  test('a currency that the amounts there do not fit is refused', async () => {
    await total(10.1234)
    const { places } = await importAll(database, [
      { kind: 'order', centerId: 'c', uuid: 'o', currency: 'JPY' },
    ])
    expect(places).toEqual(['1 totalAmount'])
  })
  test('items and payments are looked at as well', async () => {
    const { places } = await importAll(database, [
      center(),
      customer('k'),
      order('o', { items: [{ itemId: 'i', name: 'n', quantity: 1, price: 1.12345 }] }),
      booking('b', { financial: { subtotal: 1.12345, deposit: { amount: 1.12345 } } }),
    ])
    expect(places).toEqual(['3 items[0].price', '4 financial.subtotal', '4 financial.deposit.amount'])
  })
})

describe('every rule of a field', () => {
  const refused = async (record: Record<string, unknown>) => {
    const { places } = await importAll(database, [center(), customer('k'), record])
    return places.map((place) => place.replace(/^3 /, ''))
  }
  test.each([
    ['a time zone', { timezone: '+02:00' }],
    ['a time zone', { timezone: 'Mars/Base' }],
    ['a currency', { currency: 'ABC' }],
    ['a currency', { currency: 'eur' }],
    ['a language', { locale: 'xx' }],
    ['a page length', { maximumPageLength: 0 }],
    ['a page length', { maximumPageLength: 1.5 }],
    ['a pattern with BN', { bookingIdFormat: 'YY-SN' }],
    ['what SN is', { bookingIdSession: 'id' }],
    ['statuses', { mealReportExcludedStatuses: ['canceled'] }],
    ['true or false', { apiAccess: 'yes' }],
  ])('center: %s is checked: %j', async (_, fields) => {
    const places = await refused(center(fields))
    expect(places.map((place) => place.replace(/\[.*/, ''))).toEqual(Object.keys(fields))
  })
  test.each([
    ['role', { role: 'Patient' }],
    ['status', { status: 'canceled' }],
    ['unique sessions', { sessionIds: ['s', 's'] }],
    ['an end after the begin', { endDate: '2025-01-01T00:00:00Z' }],
    ['measurements', { weight1: '70' }],
    ['an unknown field', { medicalNotes: 'x' }],
  ])('booking: %s is checked', async (_, fields) => {
    expect(await refused(booking('b', fields))).toEqual(Object.keys(fields))
  })
  test('booking: days without a meal are stored sorted, each once', async () => {
    await importAll(database, [
      center(),
      customer('k'),
      booking('b', { skippingMeals: { lunch: ['2025-01-13', '2025-01-12', '2025-01-13'] } }),
    ])
    expect((await bookingRow(database, 'b')).skipping_meals).toEqual({
      breakfast: [],
      lunch: ['2025-01-12', '2025-01-13'],
      dinner: [],
    })
  })
  test.each([
    ['NUL', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('%s in a text is refused', async (_, text) => {
    expect(await refused(customer('x', { firstName: text, meta: { y: text } }))).toContain('firstName')
    expect(await refused(customer('x', { address: { notes: text } }))).toEqual(['address.notes'])
  })
  test('a number that many systems store in one field is stored as text', async () => {
    await importAll(database, [center(), customer('k', { pin: 1234 }), session('s', { number: 7 })])
    expect((await customerRow(database, 'k')).pin).toBe('1234')
    expect((await row(database, sql`select number from sessions`)).number).toBe('7')
  })
  test('item fields are required', async () => {
    expect(await refused(order('o', { items: [{ itemId: 'i', name: 'n', price: 1 }] }))).toEqual([
      'items[0].quantity',
    ])
  })
  test('a term may be plain text', async () => {
    await importAll(database, [center(), customer('k', { religion: 'Prefers not to say' })])
    expect((await customerRow(database, 'k')).religion).toBe('Prefers not to say')
  })
  test('names of terms are stored by base language, each once', async () => {
    const term = { kind: 'term', centerId: 'c', set: 'room', id: 'r', name: 'Room' }
    await importAll(database, [center(), { ...term, names: { 'nb-NO': 'Rom', ro: 'Cameră' } }])
    expect((await row(database, sql`select names from terms`)).names).toEqual({ no: 'Rom', ro: 'Cameră' })
    expect(await refused({ ...term, names: { nb: 'Rom', no: 'Rom' } })).toEqual(['names'])
    expect(await refused({ ...term, set: 'rooms' })).toEqual(['set'])
  })
})

describe('custom values belong to custom fields', () => {
  const withFields = [
    center(),
    metaField('text'),
    metaField('count', { type: 'number' }),
    metaField('flag', { type: 'boolean' }),
    metaField('day', { type: 'date' }),
    metaField('own', { of: 'customer' }),
  ]
  test('of their type are taken', async () => {
    const meta = { text: 'x', count: 1.5, flag: false, day: '2025-01-15' }
    const { summary } = await importAll(database, [
      ...withFields,
      customer('k', { meta: { own: 'y' } }),
      booking('b', { meta }),
    ])
    expect(summary.applied).toBe(true)
    expect((await bookingRow(database, 'b')).meta).toEqual(meta)
  })
  test.each([
    { text: 1 },
    { count: '1' },
    { flag: 'true' },
    { day: '2025-02-30' },
    { own: 'x' },
    { txt: 'x' },
    { count: 1e300 },
  ])('%j is refused', async (meta) => {
    const { places } = await importAll(database, [...withFields, customer('k'), booking('b', { meta })])
    expect(places).toEqual([`8 meta.${Object.keys(meta)[0]}`])
  })
  test('a custom field in use cannot be removed or get another type', async () => {
    await importAll(database, [
      ...withFields,
      customer('k'),
      booking('b', { meta: { text: 'x', flag: true } }),
    ])
    expect((await importAll(database, [removed('metaField', { key: 'text' })])).places).toEqual(['1'])
    expect((await importAll(database, [metaField('flag', { type: 'date' })])).places).toEqual(['1'])
    const clearing = { kind: 'booking', centerId: 'c', id: 'b', meta: { text: null } }
    expect(
      (await importAll(database, [removed('metaField', { key: 'text' }), clearing])).summary.applied,
    ).toBe(true)
  })
})

describe('one import is one transaction', () => {
  const good = Array.from({ length: 1000 }, (_, index) => customer(`k${index}`))

  test('of 1,000 good and 3 bad records nothing goes in, and the 3 are named', async () => {
    await importAll(database, [center()])
    const before = await everything(database)
    const { summary, places } = await importAll(database, [
      ...good.slice(0, 300),
      customer('bad1', { dob: '2025-13-01' }),
      ...good.slice(300, 600),
      { kind: 'customer', centerId: 'c', id: 'bad2' },
      ...good.slice(600),
      customer('bad3', { nickname: 'x' }),
    ])
    expect(places).toEqual(['301 dob', '602 firstName', '1003 nickname'])
    expect(summary).toMatchObject({ applied: false, lines: 1003, rejected: 3, problems: 3 })
    expect(await everything(database)).toEqual(before)
  })

  test('with skipInvalid the 1,000 go in and the 3 come back', async () => {
    const { summary, problems } = await importAll(
      database,
      [center(), ...good, customer('bad1', { dob: 'x' }), '{', customer('bad3', { firstName: '' })],
      { skipInvalid: true },
    )
    expect(summary).toMatchObject({ applied: true, rejected: 3 })
    expect(summary.kinds.customer.created).toBe(1000)
    expect(problems.map(({ line, record }) => [line, typeof record])).toEqual([
      [1002, 'string'],
      [1003, 'string'],
      [1004, 'string'],
    ])
  })

  test('a dry run says what would happen and changes nothing', async () => {
    await importAll(database, [center()])
    const before = await everything(database)
    const { summary } = await importAll(database, [customer('k'), booking('b')], { dryRun: true })
    expect(summary).toMatchObject({ applied: false, rejected: 0 })
    expect(summary.kinds.booking.created).toBe(1)
    expect(await everything(database)).toEqual(before)
  })

  test('an input that breaks off leaves nothing behind', async () => {
    const before = await everything(database)
    async function* broken() {
      yield center()
      for (const record of good) yield record
      yield* good.map((record) => ({ ...record, id: `${record.id}x` }))
      throw new Error('gone')
    }
    await expect(importRecords(database, recordLines(broken()))).rejects.toThrow('gone')
    expect(await everything(database)).toEqual(before)
    expect((await importAll(database, [center()])).summary.applied).toBe(true)
  })
})

describe('importing the same file twice changes nothing the second time', () => {
  test('with every kind of record', async () => {
    const records = [
      center({ automaticBookingIds: true }),
      metaField('m'),
      { kind: 'term', centerId: 'c', set: 'room', id: 'r', name: 'Room', names: { ro: 'Cameră' } },
      session('s', { number: 3, programIds: ['p'], startDate: '2025-01-10' }),
      order('o', {
        items: [{ itemId: 'i', name: 'n', quantity: 2, price: 3.5 }],
        createdAt: '2025-01-01T10:00',
      }),
      customer('k', { address: { street: 'S' }, meta: {} }),
      booking('b', {
        status: 'arrived',
        sessionIds: ['s'],
        meta: { m: 'x' },
        financial: { total: 1, deposit: null },
      }),
      removed('customer', { id: 'nobody' }),
    ]
    await importAll(database, records)
    const before = await everything(database)
    const { summary } = await importAll(database, records)
    for (const counts of Object.values(summary.kinds)) {
      expect(counts).toMatchObject({ created: 0, changed: 0, removed: 0 })
    }
    expect(await everything(database)).toEqual(before)
    expect(await revision()).toBe(1)
    expect((await bookingRow(database, 'b')).booking_id).toBe('25-3-01')
  })

  test('also where a record is given several times, however far apart', async () => {
    const records = [
      center(),
      customer('k', { email: 'first' }),
      ...Array.from({ length: 1500 }, (_, index) => customer(`k${index}`)),
      customer('k', { email: 'second' }),
    ]
    await importAll(database, records)
    expect((await customerRow(database, 'k')).email).toBe('second')
    const { summary } = await importAll(database, records)
    expect(summary.kinds.customer).toEqual({ created: 0, changed: 0, unchanged: 1502, removed: 0, older: 0 })
    expect(await revision()).toBe(1)
  })
})

test('long records go in as well, in smaller batches', async () => {
  const notes = 'long '.repeat(19_000)
  const records = [
    center(),
    customer('k'),
    ...Array.from({ length: 120 }, (_, index) => booking(`b${index % 100}`, { medicalData: { notes } })),
  ]
  const { summary } = await importAll(database, records)
  expect(summary.kinds.booking).toEqual({ created: 100, changed: 0, unchanged: 20, removed: 0, older: 0 })
})

test('automatic booking identifiers count in the order of the file', async () => {
  await importAll(database, [
    center({ automaticBookingIds: true }),
    session('s', { number: '7' }),
    customer('k'),
    ...['z', 'a', 'm'].map((id) => booking(id, { status: 'arrived', sessionIds: ['s'] })),
  ])
  const rows = await database.query(
    sql`select id, booking_id from bookings where center_id = 'c' order by booking_id`,
  )
  expect(rows.map((found) => [found.id, found.booking_id])).toEqual([
    ['z', '25-7-01'],
    ['a', '25-7-02'],
    ['m', '25-7-03'],
  ])
})
