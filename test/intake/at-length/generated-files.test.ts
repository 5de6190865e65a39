/**
 * 150 generated files, and 75 that leave something open: each
 * is imported with its unchanged proposal, and compared with the truth about its guests.
 */
import { describe, expect, test } from 'vitest'
import { SEED } from '../../support/seed.ts'
import { reportOf, runFiles } from '../spreadsheets/explain/generated/run.ts'

describe('files of booking systems and lists that people keep', () => {
  test(`are imported as they are, or asked about (SEED=${SEED})`, { timeout: 1_800_000 }, async () => {
    const counts = await runFiles(SEED, 150)
    const report = `SEED=${SEED}\n${reportOf(counts)}`
    expect(counts.wrong, report).toEqual([])
    expect(counts.failed, report).toEqual([])
    expect(counts.unasked, report).toEqual([])
    expect(counts.unanswerable, report).toEqual([])
    expect(counts.unnecessary.length / counts.questions, report).toBeLessThanOrEqual(0.02)
    expect(counts.complete / counts.files, report).toBeGreaterThanOrEqual(0.8)
  })

  test.each([
    [
      'departures a day later',
      /addDays: 1\b|endDate: \{column: ([^,}]+)/,
      'endDate: {addDays: 1, column: $1',
    ],
    ['the separators of amounts exchanged', /^(\s*)decimals: (?:"[,.]"|[,.])$/m, '$1decimals: "@"'],
    [
      'first and last names exchanged',
      /lastName: (.+)\n(\s*)firstName: (.+)/,
      'lastName: $3\n$2firstName: $1',
    ],
  ])('a proposal that reads %s is noticed', { timeout: 900_000 }, async (_, from, to) => {
    const tamper = (proposal: string) => {
      const other = proposal.includes('decimals: ","') ? '.' : ','
      return proposal.replace(from, to.replace('@', other))
    }
    const counts = await runFiles(SEED, 12, tamper)
    expect(counts.complete).toBeLessThan(counts.files)
    expect(counts.wrong.length + counts.incomplete.length + counts.failed.length).toBeGreaterThan(0)
  })
})
