import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { vacuumOneByOne } from '../../src/monitoring/vacuum.ts'

test('dead rows are looked for again and again, one time after the other, until the service closes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const ends: (() => void)[] = []
  let isFailing = false
  const vacuum = vi.fn(() =>
    isFailing ? Promise.reject(new Error('the disk is full')) : new Promise<void>((end) => ends.push(end)),
  )
  const app = Fastify()
  vacuumOneByOne(app, { vacuum } as unknown as Database, 1000)
  try {
    await vi.advanceTimersByTimeAsync(3500)
    expect(vacuum).toHaveBeenCalledTimes(1)
    ends[0]?.()
    isFailing = true
    await vi.advanceTimersByTimeAsync(2000)
    expect(vacuum).toHaveBeenCalledTimes(3)
    await app.close()
    await vi.advanceTimersByTimeAsync(5000)
    expect(vacuum).toHaveBeenCalledTimes(3)
  } finally {
    vi.useRealTimers()
  }
})
