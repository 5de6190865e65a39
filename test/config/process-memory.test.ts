import { expect, test } from 'vitest'
import { findAllocator, garbageCollector, trimIfGrown } from '../../src/config/process-memory.ts'

const isGlibc =
  process.platform === 'linux' &&
  'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header

test.runIf(isGlibc)('memory that was freed between pieces in use goes back to the system', async () => {
  const allocator = findAllocator()
  const collect = garbageCollector()
  // Shorter than what gets memory of its own.
  let pieces = Array.from({ length: 4000 }, () => Buffer.allocUnsafeSlow(20_000).fill(1))
  const before = process.memoryUsage.rss()
  pieces = pieces.filter((_, at) => at % 10 === 0)
  collect()
  // Buffers are freed by another thread.
  await expect
    .poll(() => {
      allocator?.trim()
      return before - process.memoryUsage.rss()
    })
    .toBeGreaterThan(30_000_000)
  expect(pieces).toHaveLength(400)
})

test('memory is given back where the process needs more than ever, and after a minute at the latest', () => {
  const MB = 1024 * 1024
  let resident = 100 * MB
  let trims = 0
  const look = trimIfGrown(
    {
      trim() {
        trims += 1
        resident -= 20 * MB
        return true
      },
    },
    () => resident,
  )
  look()
  expect(trims).toBe(1)
  resident += 20 * MB
  look()
  expect(trims, 'what it needs again').toBe(1)
  resident += 7 * MB
  look()
  expect(trims).toBe(1)
  resident += 1 * MB
  look()
  expect(trims).toBe(2)
  for (let n = 0; n < 11; n += 1) look()
  expect(trims).toBe(2)
  look()
  expect(trims).toBe(3)
})

test('nobody is warned of it', () => {
  const warnings: unknown[] = []
  const { emitWarning } = process
  process.emitWarning = (warning: unknown) => void warnings.push(warning)
  const wrapped = process.emitWarning
  try {
    findAllocator()
    expect(process.emitWarning).toBe(wrapped)
  } finally {
    process.emitWarning = emitWarning
  }
  expect(warnings).toEqual([])
})
