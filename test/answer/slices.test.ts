/** How much is done without a break: counted in rows, because time depends on the machine. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOfPieces, inSlices } from '../../src/core/answer/in-slices.ts'
import type { SkippingRow } from '../../src/core/api/meal-skipping/count-skips.ts'
import { presentReport } from '../../src/core/api/meal-skipping/present-report.ts'
import { eachInSlices, ITEMS_PER_SLICE, type Sliced, sortedInSlices } from '../../src/core/request/slices.ts'

/** The most that `count` moved by between two breaks, with what the work came to. */
function mostAtOnce<T>(work: Sliced<T>, count: () => number): { most: number; result: T } {
  let most = 0
  while (true) {
    const before = count()
    const { done, value } = work.next()
    most = Math.max(most, count() - before)
    if (done === true) return { most, result: value }
  }
}

test('items are gone through a slice at a time, each once and in order', () => {
  const items = Array.from({ length: 1234 }, (_, n) => n)
  const seen: number[] = []
  const { most } = mostAtOnce(
    eachInSlices(items, (item) => seen.push(item)),
    () => seen.length,
  )
  expect(most).toBe(ITEMS_PER_SLICE)
  expect(seen).toEqual(items)
})

test('an item that is much work is as many items', () => {
  let done = 0
  const { most } = mostAtOnce(
    eachInSlices(
      Array.from({ length: 100 }, () => ITEMS_PER_SLICE / 2),
      () => {
        done += 1
      },
      (weight) => weight,
    ),
    () => done,
  )
  expect(most).toBe(2)
})

test('the bytes of a long answer are written and hashed with breaks, and are the same', () => {
  const pieces = Array.from({ length: 50 }, (_, n) => 'ă'.repeat(20_000) + n)
  const work = bytesOfPieces(pieces)
  let breaks = 0
  let step = work.next()
  for (; step.done !== true; step = work.next()) breaks += 1
  expect(breaks).toBeGreaterThan(2)
  expect(step.value.bytes.toString()).toBe(pieces.join(''))
  expect(step.value.sha256).toBe(createHash('sha256').update(pieces.join('')).digest('base64url'))
})

test('what is little is done without a break', () => {
  expect(sortedInSlices([2, 1], (a, b) => a - b).next()).toEqual({ done: true, value: [1, 2] })
  expect(eachInSlices([1, 2], () => {}).next().done).toBe(true)
  expect(bytesOfPieces(['[', ']']).next().done).toBe(true)
})

test('sorting in slices is sorting, and what is alike keeps its order', () => {
  const item = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.string())
  fc.assert(
    fc.property(fc.array(item, { maxLength: 2500, size: 'max' }), (items) => {
      const compare = ([a]: [number, string], [b]: [number, string]) => a - b
      let comparisons = 0
      const { most, result } = mostAtOnce(
        sortedInSlices(items, (a, b) => {
          comparisons += 1
          return compare(a, b)
        }),
        () => comparisons,
      )
      expect(result).toEqual([...items].sort(compare))
      expect(most).toBeLessThan(ITEMS_PER_SLICE * 40)
    }),
    { numRuns: 10 },
  )
})

test('a report of 5,000 guests never goes through more than a slice of them without a break', () => {
  const read = new Set<number>()
  const rows = Array.from({ length: 5000 }, (_, n): SkippingRow => {
    const start = Date.UTC(2020, 0, 1 + (n % 900), 12)
    const day = new Date(start).toISOString().slice(0, 10)
    const skips = {
      get lunch() {
        read.add(n)
        return [day]
      },
    }
    return [`b${n}`, 'Ana', `Pop ${(n * 7919) % 5000}`, start, start + 864e5, skips, null]
  })
  const scope = { sessionId: undefined, days: undefined, zone: 'UTC', startDays: new Map() }
  const { most, result } = mostAtOnce(presentReport(5000, rows, scope, 'json'), () => read.size)
  expect(read.size).toBe(5000)
  expect(most).toBe(ITEMS_PER_SLICE)
  expect(result.ids).toHaveLength(5000)
  expect(Math.max(...result.pieces.map(({ length }) => length))).toBeLessThan(100_000)
  const report = JSON.parse(result.pieces.join(''))
  expect(Object.keys(report.byGuest)).toEqual(result.ids)
  expect(report.summary.datesWithSkipping).toEqual(Object.keys(report.byDate))
})

test.each([2, 40])('the pieces of a text become its bytes and its hash: %i pieces', (length) => {
  const pieces = Array.from({ length }, (_, n) => `${n} ă €`.repeat(5000))
  const text = pieces.join('')
  const { most, result } = mostAtOnce(bytesOfPieces(pieces), () => 0)
  expect(most).toBe(0)
  expect(result.bytes.toString()).toBe(text)
  expect(result.sha256).toBe(createHash('sha256').update(text).digest('base64url'))
})

test('between two slices everything that waits in the event loop runs', async () => {
  const order: string[] = []
  function* work(): Sliced<string> {
    for (let n = 0; n < 3; n += 1) {
      order.push(`slice ${n}`)
      setImmediate(() => order.push(`other ${n}`))
      yield
    }
    return 'done'
  }
  expect(await inSlices(work(), undefined, 0)).toBe('done')
  expect(order).toEqual(['slice 0', 'other 0', 'slice 1', 'other 1', 'slice 2', 'other 2'])
})

test('the rest after a slice knows how long that slice took, and the next one waits for it', async () => {
  const order: string[] = []
  const took: number[] = []
  function* work(): Sliced<string> {
    order.push('slice 0')
    yield
    order.push('slice 1')
    yield
    order.push('slice 2')
    return 'done'
  }
  const begun = performance.now()
  const rest = async (tookMs: number) => {
    took.push(tookMs)
    for (let round = 0; round < 3; round += 1) await new Promise(setImmediate)
    order.push('rest')
  }
  await inSlices(work(), rest, 0)
  const all = performance.now() - begun
  expect(order).toEqual(['slice 0', 'rest', 'slice 1', 'rest', 'slice 2'])
  for (const ms of took) expect(ms).toBeGreaterThanOrEqual(0)
  expect(took.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(all)
})

test('a break is taken only after a millisecond of work', async () => {
  const rests: number[] = []
  const busyMs = (ms: number) => {
    const since = performance.now()
    while (performance.now() - since < ms);
  }
  function* work(): Sliced<void> {
    yield
    yield
    busyMs(1)
    yield
    busyMs(2)
  }
  await inSlices(work(), async (tookMs) => {
    rests.push(tookMs)
  })
  // Nothing says how long the machine takes for the first two, so they may have had a break too.
  expect(rests.length).toBeGreaterThan(0)
  expect(Math.min(...rests)).toBeGreaterThanOrEqual(1)
})
