import { afterEach, expect, test, vi } from 'vitest'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { LINE_SCHEMAS } from '../../src/core/intake/lines/line-schemas.ts'
import { recordLines } from '../../src/core/intake/lines/record-line.ts'
import { Complaints } from '../../src/core/intake/port/complaints.ts'
import { findProblems, PROBLEMS_PER_RECORD_MAX } from '../../src/core/intake/rejects/problems.ts'
import { openTestDatabase } from '../support/database.ts'
import { spa } from '../support/world.ts'

afterEach(() => vi.restoreAllMocks())

/** Counts the iterations of the event loop until it is informed that the work is over. */
function countIterations() {
  const counted = { rounds: 0, isOver: false }
  const next = () => {
    counted.rounds += 1
    if (!counted.isOver) setImmediate(next)
  }
  setImmediate(next)
  return counted
}

test('lines that come at once and are all wrong are read a few at a time, with others in between', async () => {
  const database = await openTestDatabase()
  const LINES = 5000
  const read = { sinceOthers: 0, most: 0 }
  function* lines() {
    for (let line = 1; line <= LINES; line += 1) {
      read.sinceOthers += 1
      read.most = Math.max(read.most, read.sinceOthers)
      yield { line, text: 'x' }
    }
  }
  let isOver = false
  const others = () => {
    read.sinceOthers = 0
    if (!isOver) setImmediate(others)
  }
  setImmediate(others)
  const summary = await importRecords(database, lines(), { dryRun: true }).finally(() => {
    isOver = true
  })
  expect(summary).toMatchObject({ applied: false, rejected: LINES })
  expect(read.most).toBeLessThanOrEqual(201)
})

test('records that take long to check are checked a few at a time, however many are written together, and reported a few at a time', async () => {
  const database = await openTestDatabase()
  const RECORDS = 600
  const wrong = (id: string) => ({
    kind: 'customer',
    id,
    firstName: 'Ana',
    lastName: 'Pop',
    email: 5,
    colour: 'red',
  })
  const lines = [
    spa(),
    ...Array.from({ length: RECORDS }, (_, at) => wrong(at % 2 === 0 ? `c${at}` : 'again')),
  ]
  let now = 0
  // Each look at the clock takes a millisecond, so a slice has a few records.
  vi.spyOn(performance, 'now').mockImplementation(() => now++)
  const counted = countIterations()
  const complaints = new Complaints()
  const summary = await importRecords(database, recordLines(lines), {
    center: 'spa',
    onProblem: (problem) => complaints.add(problem),
  }).finally(() => {
    counted.isOver = true
  })
  expect(summary).toMatchObject({ applied: false, rejected: RECORDS, problems: 2 * RECORDS })
  // Three milliseconds of each: to read the lines, to check them, and to tell two problems of each.
  expect(counted.rounds).toBeGreaterThan((4 * RECORDS) / 4)
})

test('what a name may have meant is searched for the first ones of a record', () => {
  const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`firstName${at}`, 'x']))
  const { schema } = LINE_SCHEMAS.customer.record
  const problems = findProblems(schema, { kind: 'customer', ...unknown })
  expect(problems).toHaveLength(PROBLEMS_PER_RECORD_MAX)
  expect(problems.filter(({ message }) => message.includes('Did you mean firstName?'))).toHaveLength(10)
})

test('with so many problems an import ends, whether they are found in reading, in checking or among references', async () => {
  const database = await openTestDatabase()
  await importRecords(database, recordLines([spa()]))
  const given = { center: 'spa', problemsMax: 50 }
  const read = await importRecords(database, recordLines(Array.from({ length: 500 }, () => 'x')), given)
  expect(read).toMatchObject({ applied: false, lines: 50, problems: 50 })
  const records = (kind: string, more: object) =>
    Array.from({ length: 1100 }, (_, at) => ({ kind, id: `r${at}`, ...more }))
  const wrong = [...records('customer', { email: 5 }), ...records('session', {})]
  const checked = await importRecords(database, recordLines(wrong), given)
  expect(checked).toMatchObject({ applied: false, lines: 2200, rejected: 1100 })
  const stay = {
    customerId: 'none',
    role: 'patient',
    status: 'confirmed',
    startDate: '2025-01-01',
    endDate: '2025-01-02',
  }
  const broken = await importRecords(database, recordLines(records('booking', stay)), given)
  expect(broken).toMatchObject({ applied: false, lines: 1100, rejected: 1000 })
})
