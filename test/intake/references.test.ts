import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import {
  booking,
  center,
  customer,
  empty,
  everything,
  importAll,
  importTexts,
  metaField,
  order,
  removed,
  session,
} from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await empty(database)
  await importAll(database, [center(), customer('k'), session('s'), order('o')])
})

const bookingIds = async () =>
  (await database.query<{ id: string }>(sql`select id from bookings where center_id = 'c' order by id`)).map(
    ({ id }) => id,
  )

describe('references are checked at the end of an import', () => {
  test.each([
    ['customerId', { customerId: 'nobody' }],
    ['orderUuid', { orderUuid: 'nothing' }],
    ['sessionIds', { sessionIds: ['s', 'never'] }],
  ])('%s that leads nowhere is reported with the line and field', async (field, fields) => {
    const before = await everything(database)
    const { problems, summary } = await importAll(database, [booking('good'), booking('bad', fields)])
    expect(problems).toMatchObject([{ line: 2, field, kind: 'booking', id: 'bad' }])
    expect(summary).toMatchObject({ applied: false, rejected: 1 })
    expect(await everything(database)).toEqual(before)
  })

  test('all of them, each session once', async () => {
    const { places } = await importAll(database, [
      booking('bad', { customerId: 'nobody', orderUuid: 'nothing', sessionIds: ['x', 's', 'y'] }),
      booking('bad2', { customerId: 'nobody' }),
    ])
    expect(places).toEqual(['1 customerId', '1 orderUuid', '1 sessionIds', '1 sessionIds', '2 customerId'])
  })

  test('a reference to another center’s record leads nowhere', async () => {
    const { places } = await importAll(database, [
      center({ id: 'd' }),
      { ...customer('theirs'), centerId: 'd' },
      booking('bad', { customerId: 'theirs' }),
    ])
    expect(places).toEqual(['3 customerId'])
  })

  test('a reference given and taken back in the same import is none', async () => {
    const { summary } = await importAll(database, [
      booking('b', { customerId: 'nobody' }),
      { kind: 'booking', centerId: 'c', id: 'b', customerId: 'k' },
      booking('b2', { orderUuid: 'nothing' }),
      { kind: 'booking', centerId: 'c', id: 'b2', orderUuid: null },
      booking('b3', { customerId: 'nobody' }),
      removed('booking', { id: 'b3' }),
    ])
    expect(summary.applied).toBe(true)
  })

  test('the line that gave the reference is the one reported', async () => {
    await importAll(database, [booking('b')])
    const { places } = await importAll(database, [
      { kind: 'booking', centerId: 'c', id: 'b', customerId: 'nobody' },
      { kind: 'booking', centerId: 'c', id: 'b', doctorName: 'D' },
    ])
    expect(places).toEqual(['1 customerId'])
  })

  test('a reference to a record that is itself refused is not reported twice', async () => {
    const { places } = await importAll(database, [
      booking('b', { customerId: 'bad' }),
      customer('bad', { dob: 'x' }),
    ])
    expect(places).toEqual(['2 dob'])
  })
})

describe('a removed record that is still referred to is refused', () => {
  beforeEach(async () => {
    await importAll(database, [booking('b', { orderUuid: 'o', sessionIds: ['s'] })])
  })
  test.each([
    ['customer', { id: 'k' }],
    ['order', { uuid: 'o' }],
    ['session', { id: 's' }],
  ])('a %s of a booking', async (kind, key) => {
    const { problems } = await importAll(database, [removed(kind, key)])
    expect(problems).toMatchObject([{ line: 1, kind }])
    expect(problems[0]!.message).toContain('booking "b"')
  })
  test('not when the booking goes, too, or lets go of it', async () => {
    const { summary } = await importAll(database, [
      removed('session', { id: 's' }),
      removed('order', { uuid: 'o' }),
      { kind: 'booking', centerId: 'c', id: 'b', orderUuid: null, sessionIds: [] },
    ])
    expect(summary.applied).toBe(true)
    expect(
      (await importAll(database, [removed('customer', { id: 'k' }), removed('booking', { id: 'b' })])).summary
        .applied,
    ).toBe(true)
  })
  test('a center that still has records', async () => {
    const { problems } = await importAll(database, [{ kind: 'center', id: 'c', deleted: true }])
    expect(problems).toMatchObject([{ line: 1, kind: 'center', id: 'c' }])
    expect(problems[0]!.message).toContain('session, order, customer, booking')
  })
  test('not a center whose records go with it, in any order, and doing so twice changes nothing', async () => {
    const records = [
      { kind: 'center', id: 'c', deleted: true },
      removed('customer', { id: 'k' }),
      removed('order', { uuid: 'o' }),
      removed('session', { id: 's' }),
      removed('booking', { id: 'b' }),
    ]
    expect((await importAll(database, records)).summary).toMatchObject({ applied: true })
    expect(await database.query(sql`select center_id from centers`)).toEqual([])
    expect((await importAll(database, records)).summary).toMatchObject({ applied: true, rejected: 0 })
  })
  test('what comes in for a center that is removed is refused', async () => {
    await importAll(database, [center({ id: 'd' })])
    const { places } = await importAll(database, [
      { ...customer('x'), centerId: 'd' },
      { kind: 'center', id: 'd', deleted: true },
    ])
    expect(places).toEqual(['1 centerId'])
  })
  test('a center removed and given again begins anew and keeps its records', async () => {
    const { summary } = await importAll(database, [
      { kind: 'center', id: 'c', deleted: true },
      center({ name: 'New' }),
    ])
    expect(summary.applied).toBe(true)
    expect(await bookingIds()).toEqual(['b'])
  })
})

describe('with skipInvalid', () => {
  test('a record with a bad reference is rejected, and the rest goes in', async () => {
    const { summary, places } = await importAll(
      database,
      [booking('a'), booking('bad', { customerId: 'nobody' }), booking('z')],
      { skipInvalid: true },
    )
    expect(places).toEqual(['2 customerId'])
    expect(summary).toMatchObject({ applied: true, rejected: 1, lines: 3 })
    expect(summary.kinds.booking.created).toBe(2)
    expect(await bookingIds()).toEqual(['a', 'z'])
  })

  test('what refers to a rejected record is rejected with that reason', async () => {
    const { problems } = await importAll(
      database,
      [booking('b', { customerId: 'bad' }), customer('bad', { dob: 'x' }), booking('good')],
      { skipInvalid: true },
    )
    expect(problems.map(({ line }) => line)).toEqual([1, 2])
    expect(problems[0]!.message).toContain('it was refused')
    expect(await bookingIds()).toEqual(['good'])
  })

  test('a removal that cannot be is rejected, and the record stays', async () => {
    await importAll(database, [booking('b')])
    const { places } = await importAll(database, [removed('customer', { id: 'k' }), customer('k2')], {
      skipInvalid: true,
    })
    expect(places).toEqual(['1'])
    expect(await database.query(sql`select id from customers order by id`)).toEqual([
      { id: 'k' },
      { id: 'k2' },
    ])
  })

  test('good lines about the same record stay, also when they came after the bad one', async () => {
    await importAll(database, [booking('b')])
    const { places } = await importAll(
      database,
      [
        { kind: 'booking', centerId: 'c', id: 'b', orderUuid: 'nothing', doctorName: 'X' },
        { kind: 'booking', centerId: 'c', id: 'b', therapistName: 'Y' },
      ],
      { skipInvalid: true },
    )
    expect(places).toEqual(['1 orderUuid'])
    expect(await database.query(sql`select doctor_name, therapist_name from bookings`)).toEqual([
      { doctor_name: null, therapist_name: 'Y' },
    ])
  })

  test('a chain of rejections ends, and every line is either in or reported', async () => {
    const lines = [
      center({ id: 'bad', timezone: 'nowhere' }),
      { ...metaField('m'), centerId: 'bad' },
      { ...customer('k1'), centerId: 'bad' },
      { ...booking('b1', { customerId: 'k1' }), centerId: 'bad' },
      { kind: 'booking', centerId: 'c', id: 'b2', doctorName: 'X' },
      booking('b2', { customerId: 'nobody' }),
      booking('b3', { meta: { gone: 1 } }),
      booking('b4'),
    ]
    const { summary, problems } = await importAll(database, lines, { skipInvalid: true })
    expect([...new Set(problems.map(({ line }) => line))]).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(summary).toMatchObject({ applied: true, lines: 8, rejected: 7 })
    expect(await bookingIds()).toEqual(['b4'])
  })

  test('thousands of bad references are all reported, in the order of their lines', async () => {
    const lines = Array.from({ length: 7000 }, (_, index) =>
      booking(`b${index}`, index % 7 === 0 ? {} : { customerId: `no${index}` }),
    )
    const { summary, problems } = await importAll(database, lines, { skipInvalid: true })
    expect(summary).toMatchObject({ applied: true, rejected: 6000 })
    expect(summary.kinds.booking.created).toBe(1000)
    const reported = problems.map(({ line }) => line)
    expect(reported).toEqual(reported.toSorted((a, b) => a - b))
    expect(new Set(reported).size).toBe(6000)
  })
})

describe('problems', () => {
  test('never show what could be personal', async () => {
    const secret = 'Zweistein'
    const { problems } = await importTexts(database, [
      JSON.stringify(
        customer('x', {
          firstName: `${secret}\u0000`,
          email: [secret],
          dob: secret,
          address: secret,
          meta: { [secret]: secret },
        }),
      ),
      `{"kind":"customer","firstName":"${secret}`,
      JSON.stringify(
        booking('y', { medicalData: { notes: { a: secret } }, formData: { mobility: [secret] } }),
      ),
    ])
    expect(problems.length).toBeGreaterThan(5)
    for (const { message } of problems) expect(message).not.toContain(secret)
  })

  test('carry the record as it was given, for the rejects file', async () => {
    const text = '{ "kind":"customer", "centerId":"c", "id":"x" }'
    expect((await importTexts(database, [text])).problems[0]!.record).toBe(text)
  })

  test('all of a record are reported at once, of fields, references and custom values', async () => {
    const { places } = await importAll(database, [
      booking('x', {
        customerId: 'nobody',
        role: 'boss',
        startDate: '2025-02-30',
        meta: { no: 1 },
        color: 'red',
      }),
    ])
    expect(places.toSorted()).toEqual(['1 color', '1 customerId', '1 meta.no', '1 role', '1 startDate'])
  })
})
