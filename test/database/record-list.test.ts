/** Identifiers as one text: all of them come back, and the text keeps nothing that they were cut out of. */
import { expect, test } from 'vitest'
import { garbageCollector } from '../../src/core/config/process-memory.ts'
import { recordListIds, recordListText } from '../../src/core/database/record-list.ts'

test('the identifiers come back', () => {
  for (const ids of [[], [''], ['a'], ['', 'a b', 'ß—😀', '']]) {
    expect(recordListIds(recordListText(ids))).toEqual(ids)
  }
})

test('each identifier can be searched for as a whole', () => {
  const text = recordListText(['b1', 'b11', 'b2'])
  for (const id of ['b1', 'b11', 'b2']) expect(text).toContain(`\n${id}\n`)
  expect(text).not.toContain('\nb\n')
})

test('identifiers cut out of a long text do not keep it', () => {
  const collect = garbageCollector()
  collect()
  const before = process.memoryUsage().heapUsed
  const stored = Array.from({ length: 100 }, (_, page) => {
    const id = `5f2b8c1e9d3a-${page}`.padEnd(24, '0')
    return recordListText(`${id}\u001f${'rows '.repeat(20_000)}`.split('\u001f').slice(0, 1))
  })
  collect()
  // 10 MB, if they did.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000)
  expect(stored).toHaveLength(100)
})
