/** Answers that come in one message are passed on together, and none waits long for another. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnswerBatch, HELD_MS_MAX } from '../../src/core/database/answer-batch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function held(count: number) {
  const passed: number[] = []
  const answers = new AnswerBatch(count)
  return { passed, come: (n: number) => answers.hold(() => passed.push(n)) }
}

test('the first ones wait for the last one, and all are passed on in their order', () => {
  const { passed, come } = held(3)
  come(1)
  come(2)
  expect(passed).toEqual([])
  come(3)
  expect(passed).toEqual([1, 2, 3])
  expect(vi.getTimerCount()).toBe(0)
})

test('one that comes alone waits for nothing', () => {
  const { passed, come } = held(1)
  come(1)
  expect(passed).toEqual([1])
  expect(vi.getTimerCount()).toBe(0)
})

test('a slow one does not keep the others, and comes with what comes after them', () => {
  const { passed, come } = held(4)
  come(1)
  vi.advanceTimersByTime(HELD_MS_MAX - 1)
  come(2)
  vi.advanceTimersByTime(1)
  expect(passed).toEqual([1, 2])
  come(3)
  expect(passed).toEqual([1, 2])
  come(4)
  expect(passed).toEqual([1, 2, 3, 4])
  expect(vi.getTimerCount()).toBe(0)
})
