import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { Deadlines } from '../../src/core/database/queue/deadlines.ts'

const never = new Promise<never>(() => {})

test('what ends in time gives what it gave, its error too', async () => {
  const deadlines = new Deadlines(10_000, 'no answer')
  expect(await deadlines.within(Promise.resolve('rows'))).toBe('rows')
  await expect(deadlines.within(Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
})

test('each wait ends at its own deadline, whatever others do', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const deadlines = new Deadlines(1000, 'no answer')
    const late: string[] = []
    const watch = (name: string, work: Promise<unknown>) =>
      deadlines.within(work).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) late.push(`${name}: ${error.message}`)
      })
    const first = watch('first', never)
    await vi.advanceTimersByTimeAsync(500)
    const second = watch('second', never)
    await watch('in time', Promise.resolve())
    await vi.advanceTimersByTimeAsync(600)
    await first
    expect(late).toEqual(['first: no answer within 1000 ms'])
    await vi.advanceTimersByTimeAsync(500)
    await second
    expect(late).toHaveLength(2)
    // Nothing is waited for, so nothing ticks; and the next wait is watched all the same.
    await vi.advanceTimersByTimeAsync(200)
    expect(vi.getTimerCount()).toBe(0)
    const third = watch('third', never)
    await vi.advanceTimersByTimeAsync(1200)
    await third
    expect(late).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
})

test('what fails after its deadline fails for nobody', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const { promise, reject } = Promise.withResolvers()
    await expect(new Deadlines(1, 'no answer').within(promise)).rejects.toBeInstanceOf(DatabaseUnavailable)
    reject(new Error('too late'))
    await wait(10)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
