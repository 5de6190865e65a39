/** Records of which one is invalid are refused before any of them is written, where that shows without writing. */
import { expect, test } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { type ImportOptions, importRecords } from '../../src/core/intake/import-records.ts'
import { recordLines } from '../../src/core/intake/lines/record-line.ts'
import type { ImportProblem } from '../../src/core/intake/rejects/problem-report.ts'
import type { ImportProgress } from '../../src/core/intake/run-options.ts'
import { openTestDatabase } from '../support/database.ts'
import { booking, center, customer, type Fields, order, session } from './import-lines.ts'

const WRITES = /^\s*(insert into|update|delete from) "?(customers|bookings|sessions|orders|terms)\b/

async function imported(database: Database, records: readonly unknown[], options: ImportOptions = {}) {
  const writes: string[] = []
  const watched: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          query(sql) {
            const [found] = WRITES.exec(sql.text) ?? []
            if (found !== undefined) writes.push(found.trim())
            return tx.query(sql)
          },
        }),
      ),
  }
  const problems: ImportProblem[] = []
  const summary = await importRecords(watched, recordLines(records), {
    ...options,
    onProblem(problem) {
      problems.push(problem)
    },
  })
  return { summary, writes, lines: [...new Set(problems.map(({ line }) => line))] }
}

const customers = (count: number, more: Fields = {}) =>
  Array.from({ length: count }, (_, n) => customer(`judged-${n}`, more))

test.each<[string, unknown]>([
  ['lacks a field', { kind: 'customer', centerId: 'c', id: 'last' }],
  ['has a wrong value', customer('last', { dob: 'yesterday' })],
  ['has a field that there is not', customer('last', { height: 180 })],
  ['is no record', 'no record'],
  [
    'has a custom field that there is not',
    { ...customer('last', { meta: { diet: 'vegan' } }), firstName: undefined, lastName: undefined },
  ],
])('of many records none is written if the last one %s', async (_, last) => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([center()]))
  const records = [...customers(2000), session('s-1'), order('o-1'), last]
  const { summary, writes, lines } = await imported(database, records)
  expect(summary).toMatchObject({ applied: false, rejected: 1 })
  expect(summary.kinds.customer.created).toBe(2000)
  expect(lines).toEqual([records.length])
  expect(writes).toEqual([])
})

test('every invalid record is reported, as if they had been written', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([center()]))
  const records = customers(500).map((record, n) => (n % 100 === 7 ? { ...record, email: 7 } : record))
  const { writes, lines } = await imported(database, records)
  expect(lines).toEqual([8, 108, 208, 308, 408])
  expect(writes).toEqual([])
})

test('a record that only says what changed is written where it is stored, and refused where it is not', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([center(), customer('known')]))
  const change = (id: string) => ({ kind: 'customer', centerId: 'c', id, email: 'new@example.com' })
  const good = await imported(database, [...customers(3), change('known')])
  expect(good.summary).toMatchObject({ applied: true, rejected: 0 })
  expect(good.summary.kinds.customer).toMatchObject({ created: 3, changed: 1 })
  // Several lines may make one record.
  const made = await imported(database, [change('new'), { ...change('new'), firstName: 'Ana' }])
  expect(made).toMatchObject({ summary: { applied: false }, lines: [1], writes: [] })
  const bad = await imported(database, [...customers(3, { firstName: 'Maria' }), change('unknown')])
  expect(bad).toMatchObject({ summary: { applied: false }, lines: [4], writes: [] })
})

test('where records refer to others, or some are removed, what is wrong with that is reported too', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([center(), customer('k'), booking('b')]))
  const wrong = customer('wrong', { dob: 'yesterday' })
  const referring = await imported(database, [wrong, booking('b-2', { customerId: 'nobody' })])
  expect(referring.lines.toSorted()).toEqual([1, 2])
  const removing = await imported(database, [
    wrong,
    { kind: 'customer', centerId: 'c', id: 'k', deleted: true },
  ])
  expect(removing.lines.toSorted()).toEqual([1, 2])
})

test('a dry run and one that leaves invalid records out say the same as without', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([center()]))
  const records = [...customers(3), { kind: 'customer', centerId: 'c', id: 'last' }]
  const tried = await imported(database, records, { dryRun: true })
  expect(tried).toMatchObject({ summary: { applied: false, rejected: 1 }, lines: [4] })
  const some = await imported(database, records, { skipInvalid: true })
  expect(some).toMatchObject({ summary: { applied: true, rejected: 1 }, lines: [4] })
  expect(some.summary.kinds.customer).toMatchObject({ created: 3 })
})

test('it is reported how far the checking is, as it is of the writing', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([center(), customer('known')]))
  const reported: string[] = []
  const onProgress = ({ phase, done, total }: ImportProgress) => reported.push(`${phase} ${done}/${total}`)
  const change = { kind: 'customer', centerId: 'c', id: 'known', email: 'new@example.com' }
  await imported(database, [...customers(1500), change], { onProgress })
  const before = ['reading 1000/undefined', 'checking 1199/1501', 'checking 1501/1501']
  expect(reported.slice(0, 3)).toEqual(before)
  expect(reported.at(-1)).toBe('writing 1501/1501')
})
