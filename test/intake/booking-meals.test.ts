/** The meals of terms and of bookings in records (ruling 43). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { exportRecords } from '../../src/core/intake/export/export-records.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, empty, importAll } from './import-lines.ts'

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
const MEALS = [
  { from: '2025-01-10', until: '2025-01-11', only: ['breakfast', 'dinner'], guests: 2 },
  { from: '2025-01-10', until: '2025-01-10', also: ['lunch'] },
]

describe('ruling 43: records', () => {
  test('meals of a term come in, go out, change nothing the second time, and are cleared by null', async () => {
    const record = term({ set: 'package', meals: ['breakfast', 'dinner'] })
    await importAll(database, [center(), record])
    expect(await exported('term')).toMatchObject({ meals: ['breakfast', 'dinner'] })
    const again = await importAll(database, [record])
    expect(again.summary.kinds.term).toMatchObject({ unchanged: 1, changed: 0 })
    await importAll(database, [term({ set: 'package', meals: [] })])
    expect(await exported('term')).toMatchObject({ meals: [] })
    await importAll(database, [term({ set: 'package', meals: null })])
    expect(await exported('term')).not.toHaveProperty('meals')
  })

  test('meals of a booking come in, go out, and an array replaces the array', async () => {
    await importAll(database, [center(), customer('k'), booking('b', { meals: MEALS })])
    expect(await exported('booking')).toMatchObject({ meals: MEALS })
    const again = await importAll(database, [booking('b', { meals: MEALS })])
    expect(again.summary.kinds.booking).toMatchObject({ unchanged: 1, changed: 0 })
    await importAll(database, [booking('b', { meals: MEALS.slice(1) })])
    expect(await exported('booking')).toMatchObject({ meals: MEALS.slice(1) })
    await importAll(database, [booking('b', { meals: null })])
    expect(await exported('booking')).not.toHaveProperty('meals')
  })

  const days = { from: '2025-01-10', until: '2025-01-11' }
  test.each([
    ['a room with meals', term({ set: 'room', meals: ['lunch'] }), 'meals', 'package and program'],
    [
      'a meal that there is not',
      term({ set: 'program', meals: ['supper'] }),
      'meals[0]',
      'breakfast, lunch, dinner',
    ],
    ['no array', booking('b', { meals: { lunch: 2 } }), 'meals', 'a list'],
    [
      'an end before the begin',
      booking('b', { meals: [{ ...days, until: '2025-01-09', only: [] }] }),
      'meals[0].until',
      'before from (2025-01-10)',
    ],
    [
      'days of which nothing is said',
      booking('b', { meals: [days] }),
      'meals[0]',
      'at least one of only, also, guests',
    ],
    [
      'a day that does not exist',
      booking('b', { meals: [{ ...days, from: '2025-02-30', only: [] }] }),
      'meals[0].from',
      'a date that exists',
    ],
    ['no people', booking('b', { meals: [{ ...days, guests: 0 }] }), 'meals[0].guests', 'from 1 to 1000'],
    ['half a person', booking('b', { meals: [{ ...days, guests: 1.5 }] }), 'meals[0].guests', 'whole number'],
    ['an unknown field', booking('b', { meals: [{ ...days, onyl: [] }] }), 'meals[0].onyl', 'is not a field'],
  ])('%s: refused with the line, the field and what is allowed', async (_, record, field, message) => {
    const { summary, problems } = await importAll(database, [center(), customer('k'), record])
    expect(summary.applied).toBe(false)
    expect(problems).toEqual([
      expect.objectContaining({ line: 3, field, message: expect.stringContaining(message) }),
    ])
  })
})
