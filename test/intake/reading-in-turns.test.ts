import { expect, test } from 'vitest'
import { importRecords } from '../../src/intake/import-records.ts'
import { openTestDatabase } from '../support/database.ts'

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
