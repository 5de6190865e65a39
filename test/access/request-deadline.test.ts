import { expect, test, vi } from 'vitest'
import { createRequestDeadline } from '../../src/core/database/queue/deadlines.ts'

const never = new Promise<never>(() => {})

test('all waits of a request together have one end, those of a heavy read a later one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const { within } = createRequestDeadline()
    const ended: string[] = []
    const watch = (name: string, elapsedMs: number, isHeavy?: boolean) =>
      void within(never, elapsedMs, isHeavy).catch(() => ended.push(name))
    watch('just come', 0)
    watch('for the third time', 5000)
    watch('heavy', 5000, true)
    await vi.advanceTimersByTimeAsync(900)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(300)
    expect(ended).toEqual(['for the third time'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(ended).toEqual(['for the third time', 'just come'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(ended).toEqual(['for the third time', 'just come', 'heavy'])
    expect(await within(Promise.resolve(1), 100_000)).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
