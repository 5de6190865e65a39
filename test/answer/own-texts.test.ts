/** What is kept of an answer does not keep what it was cut out of. */
import { expect, test } from 'vitest'
import { ownTexts } from '../../src/answer/own-texts.ts'
import { garbageCollector } from '../../src/database/garbage-collector.ts'

test('the texts are the same', () => {
  for (const texts of [[], [''], ['a'], ['', 'a\nb', 'ß—😀', '']]) expect(ownTexts(texts)).toEqual(texts)
})

test('pieces of a long text do not keep it', () => {
  const collect = garbageCollector()
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: 100 }, (_, page) => {
    const id = `5f2b8c1e9d3a-${page}`.padEnd(24, '0')
    return ownTexts(`${id}\u001f${'rows '.repeat(20_000)}`.split('\u001f').slice(0, 1))
  })
  collect()
  // 10 MB, if they did.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000)
  expect(kept).toHaveLength(100)
})
