/** The segments of a stay in several rooms, and the beds of rooms, in records (records.md: `accSegments`, `beds`). */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { exportRecords } from '../../src/core/intake/export/export-records.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, empty, importAll, row } from './import-lines.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => empty(database))

const term = (fields: Record<string, unknown>) => ({
  kind: 'term',
  centerId: 'c',
  id: 't',
  name: 'T',
  ...fields,
})
const exported = async (kind: string) =>
  (await Array.fromAsync(exportRecords(database, { center: 'c' }))).flat().find((one) => one.kind === kind)
const SEGMENTS = [
  { from: '2025-01-10', until: '2025-01-13', roomId: '101', bedType: 'double', floor: '1' },
  { from: '2025-01-13', until: '2025-01-20', roomId: '204' },
]

describe('records: segments of a stay', () => {
  test('come in, go out, change nothing the second time; an array replaces the array, and null clears it', async () => {
    await importAll(database, [
      center(),
      customer('k'),
      booking('b', { accSegments: SEGMENTS, acc: { roomId: '101' } }),
    ])
    expect(await exported('booking')).toMatchObject({ accSegments: SEGMENTS, acc: { roomId: '101' } })
    const again = await importAll(database, [booking('b', { accSegments: SEGMENTS })])
    expect(again.summary.kinds.booking).toMatchObject({ unchanged: 1, changed: 0 })
    await importAll(database, [booking('b', { accSegments: SEGMENTS.slice(1) })])
    expect(await exported('booking')).toMatchObject({ accSegments: SEGMENTS.slice(1) })
    await importAll(database, [booking('b', { accSegments: null })])
    expect(await exported('booking')).not.toHaveProperty('accSegments')
    expect(await exported('booking')).toMatchObject({ acc: { roomId: '101' } })
  })

  test('a number of a floor is stored as text, and segments may touch, in any order', async () => {
    const [first, second] = SEGMENTS
    await importAll(database, [
      center(),
      customer('k'),
      booking('b', { accSegments: [second, { ...first, floor: 1, roomSize: 24.5 }] }),
    ])
    expect(await exported('booking')).toMatchObject({
      accSegments: [second, { ...first, floor: '1', roomSize: '24.5' }],
    })
  })

  const days = { from: '2025-01-10', until: '2025-01-13', roomId: '101' }
  test.each([
    ['no array', { from: '2025-01-10' }, 'accSegments', 'a list'],
    ['no end', [{ from: '2025-01-10', roomId: '1' }], 'accSegments[0].until', 'is required'],
    [
      'an end that is not after the begin',
      [{ ...days, until: '2025-01-10' }],
      'accSegments[0].until',
      'is "2025-01-10", which is not after from (2025-01-10); until is the day after the last night',
    ],
    [
      'an overlap',
      [days, { ...days, from: '2025-01-12', until: '2025-01-14' }],
      'accSegments[1]',
      'is from 2025-01-12 until 2025-01-14, which overlaps accSegments[0] (2025-01-10 until 2025-01-13)',
    ],
    [
      'an overlap with an earlier one that is given later',
      [days, { ...days, from: '2025-01-08', until: '2025-01-11' }],
      'accSegments[0]',
      'overlaps accSegments[1] (2025-01-08 until 2025-01-11)',
    ],
    [
      'a day that does not exist',
      [{ ...days, from: '2025-02-30' }],
      'accSegments[0].from',
      'a date that exists',
    ],
    ['an unknown field', [{ ...days, room: '1' }], 'accSegments[0].room', 'is not a field'],
  ])('%s: refused with the line, the field and what is allowed', async (_, accSegments, field, message) => {
    const { summary, problems } = await importAll(database, [
      center(),
      customer('k'),
      booking('b', { accSegments }),
    ])
    expect(summary.applied).toBe(false)
    expect(problems).toEqual([
      expect.objectContaining({ line: 3, field, message: expect.stringContaining(message) }),
    ])
  })

  test('more segments than a stay of months has are refused', async () => {
    const accSegments = Array.from({ length: 201 }, () => days)
    const { problems } = await importAll(database, [center(), customer('k'), booking('b', { accSegments })])
    expect(problems).toEqual([expect.objectContaining({ field: 'accSegments' })])
  })

  test.each([
    ['before the first', '2025-01-09', 'a'],
    ['in the first', '2025-01-10', 'a'],
    ['in a gap, the room before it', '2025-01-12', 'a'],
    ['on the day of the move', '2025-01-14', 'b'],
    ['after the last', '2025-02-01', 'b'],
  ])('the database finds the segment of a day: %s', async (_, day, roomId) => {
    const segments = [
      { from: '2025-01-14', until: '2025-01-20', roomId: 'b' },
      { from: '2025-01-10', until: '2025-01-12', roomId: 'a' },
      ...[7, null, 'text', {}, [], { from: 3 }],
    ]
    expect(
      await row(database, sql`select segment_on(${JSON.stringify(segments)}, ${day}) ->> 'roomId' as room`),
    ).toEqual({ room: roomId })
  })
})

describe('records: beds of a room', () => {
  test('come in, go out, change nothing the second time, and are cleared by null', async () => {
    await importAll(database, [center(), term({ set: 'room', beds: 2 })])
    expect(await exported('term')).toMatchObject({ beds: 2 })
    const again = await importAll(database, [term({ set: 'room', beds: 2 })])
    expect(again.summary.kinds.term).toMatchObject({ unchanged: 1, changed: 0 })
    await importAll(database, [term({ set: 'room', beds: null })])
    expect(await exported('term')).not.toHaveProperty('beds')
  })

  test.each([
    ['of another set', term({ set: 'program', beds: 2 }), 'only terms of the set room have beds'],
    ['half a bed', term({ set: 'room', beds: 1.5 }), 'a whole number from 0 to 1000'],
    ['a text', term({ set: 'room', beds: 'two' }), 'a whole number from 0 to 1000'],
    ['fewer than none', term({ set: 'room', beds: -1 }), 'a whole number from 0 to 1000'],
  ])('%s: refused with what is allowed', async (_, record, message) => {
    const { problems } = await importAll(database, [center(), record])
    expect(problems).toEqual([
      expect.objectContaining({ line: 2, field: 'beds', message: expect.stringContaining(message) }),
    ])
  })
})
