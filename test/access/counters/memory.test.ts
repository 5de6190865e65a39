import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_QUOTAS, type Quotas, quotasOf } from '../../../src/core/access/keys/quotas.ts'
import {
  createLimits,
  HOUR_MS,
  type LimitReading,
  type LimitStore,
  MINUTE_MS,
} from '../../../src/core/access/limits.ts'
import { createMemoryLimits } from '../../../src/core/access/limits-memory.ts'
import { keyState } from '../key-state.ts'

const START = Date.UTC(2025, 0, 1)

/** A store and the hands of its clock. */
function counters() {
  const time = { now: START }
  const store = createMemoryLimits(() => time.now)
  const takeAll = (count: number, quotas: Quotas = DEFAULT_QUOTAS) =>
    Array.from({ length: count }, () => store.take('app', quotas)).filter(({ allowed }) => allowed).length
  return { time, store, takeAll }
}

describe('the counters of one process', () => {
  it('ruling 38: let 100 requests a minute through, and not the 101st', () => {
    const { takeAll, store } = counters()
    expect(takeAll(100)).toBe(100)
    expect(store.take('app', DEFAULT_QUOTAS)).toMatchObject({ allowed: false, minuteUsed: 100 })
  })

  it('ruling 38: let 1000 requests an hour through, and not the 1001st', () => {
    const { takeAll, time } = counters()
    let allowed = 0
    for (let minute = 0; minute < 12; minute++) {
      allowed += takeAll(150)
      time.now += MINUTE_MS
    }
    expect(allowed).toBe(1000)
  })

  it('begin a window with the first request that is counted in it, and end it to the millisecond', () => {
    const { takeAll, time } = counters()
    takeAll(1)
    time.now += MINUTE_MS - 1
    expect(takeAll(200)).toBe(99)
    time.now += 1
    expect(takeAll(200)).toBe(100)
  })

  it('take nothing from one window for a request that the other one refuses', () => {
    const { takeAll, time, store } = counters()
    takeAll(500)
    expect(store.take('app', DEFAULT_QUOTAS)).toMatchObject({ minuteUsed: 100, hourUsed: 100 })
    time.now += MINUTE_MS
    const small = { perMinute: 100, perHour: 100 }
    expect(takeAll(50, small)).toBe(0)
    expect(takeAll(500)).toBe(100)
  })

  it('know no limit where the quota is 0', () => {
    expect(counters().takeAll(5000, { perMinute: 0, perHour: 0 })).toBe(5000)
    expect(counters().takeAll(5000, { perMinute: 0, perHour: 700 })).toBe(700)
    expect(counters().takeAll(5000, { perMinute: 30, perHour: 0 })).toBe(30)
  })

  it('hold a window to its width when the clock is set back', () => {
    const { takeAll, time, store } = counters()
    takeAll(100)
    time.now -= 12 * HOUR_MS
    const refused = store.take('app', DEFAULT_QUOTAS)
    expect(refused.allowed).toBe(false)
    expect(refused.minuteEndsInMs).toBe(MINUTE_MS)
    time.now += MINUTE_MS
    expect(takeAll(1)).toBe(1)
  })

  it('forget the applications whose windows have ended', () => {
    const { store, time } = counters()
    for (let app = 0; app < 1000; app++) store.take(`a${app}`, DEFAULT_QUOTAS)
    time.now += HOUR_MS
    for (let app = 0; app < 1000; app++) store.take(`b${app}`, DEFAULT_QUOTAS)
    expect(store.size).toBeLessThanOrEqual(1024)
    expect(store.take('b0', DEFAULT_QUOTAS).hourUsed).toBe(2)
  })

  it('ruling 38: never grant more than a quota in its window, and after the wait always grant', () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 90_000 }),
      requests: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const quotas = { perMinute: 20, perHour: 90 }
        const time = { now: START }
        const limits = createLimits(createMemoryLimits(() => time.now))
        const key = keyState({ quotas: { ...DEFAULT_QUOTAS, ...quotas } })
        const windows = [
          { ms: MINUTE_MS, quota: 20, start: -Infinity, used: 0 },
          { ms: HOUR_MS, quota: 90, start: -Infinity, used: 0 },
        ]
        for (const { wait, requests } of steps) {
          time.now += wait
          for (let request = 0; request < requests; request++) {
            const reading = taken(limits, key)
            const open = windows.every(
              (window) => time.now >= window.start + window.ms || window.used < window.quota,
            )
            expect(reading.allowed).toBe(open)
            if (!reading.allowed) {
              // Waiting as the answer says lets one in, and a second less does not.
              const reported = reading.retryAfterSeconds * 1000
              const ends = windows
                .filter((window) => time.now < window.start + window.ms && window.used >= window.quota)
                .map((window) => window.start + window.ms)
              expect(time.now + reported).toBeGreaterThanOrEqual(Math.max(...ends))
              expect(time.now + reported - 1000).toBeLessThan(Math.max(...ends))
              continue
            }
            for (const window of windows) {
              if (time.now >= window.start + window.ms) {
                window.start = time.now
                window.used = 0
              }
              window.used += 1
            }
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('what a request learns', () => {
  const read = (quotas: Partial<Quotas>, requests: number) => {
    const { store } = counters()
    const limits = createLimits(store)
    const key = keyState({ quotas: { ...DEFAULT_QUOTAS, ...quotas } })
    let reading = taken(limits, key)
    for (let request = 1; request < requests; request++) reading = taken(limits, key)
    return reading
  }

  it('ruling 38: is both windows, in the form of the IETF draft', () => {
    expect(read({}, 1)).toEqual({
      allowed: true,
      policy: '"burst";q=100;w=60, "hourly";q=1000;w=3600',
      rateLimit: '"burst";r=99;t=60, "hourly";r=999;t=3600',
      retryAfterSeconds: 0,
      limitUse: {
        allowed: true,
        minuteUsed: 1,
        minuteEndsInMs: 60_000,
        hourUsed: 1,
        hourEndsInMs: 3_600_000,
      },
    })
  })

  it('is a wait of whole seconds when a window is used up', () => {
    expect(read({}, 101)).toMatchObject({
      allowed: false,
      rateLimit: '"burst";r=0;t=60, "hourly";r=900;t=3600',
      retryAfterSeconds: 60,
    })
    expect(read({ perMinute: 5, perHour: 5 }, 6).retryAfterSeconds).toBe(3600)
  })

  it('leaves out a window without a limit, and says nothing where there is none', () => {
    expect(read({ perMinute: 0, perHour: 7 }, 1)).toMatchObject({
      policy: '"hourly";q=7;w=3600',
      rateLimit: '"hourly";r=6;t=3600',
    })
    expect(read({ perMinute: 7, perHour: 0 }, 1)).toMatchObject({
      policy: '"burst";q=7;w=60',
      rateLimit: '"burst";r=6;t=60',
    })
    expect(read({ perMinute: 0, perHour: 0 }, 1)).toMatchObject({ policy: undefined, rateLimit: undefined })
  })

  it('never has a remainder below zero when a quota was lowered meanwhile', () => {
    const limits = createLimits(counters().store)
    for (let request = 0; request < 50; request++) taken(limits, keyState({}))
    expect(taken(limits, keyState({ quotas: { ...DEFAULT_QUOTAS, perMinute: 10 } }))).toMatchObject({
      allowed: false,
      rateLimit: '"burst";r=0;t=60, "hourly";r=950;t=3600',
    })
  })

  it('is the default for each limit a key does not set itself', () => {
    expect(quotasOf({ perMinute: null, perHour: null })).toEqual({ perMinute: 100, perHour: 1000 })
    expect(quotasOf({ perMinute: 5, perHour: null })).toEqual({ perMinute: 5, perHour: 1000 })
    expect(quotasOf({ perMinute: null, perHour: 0 })).toEqual({ perMinute: 100, perHour: 0 })
  })

  it('is counted by application: two keys of one share it, another application and another center do not', () => {
    const limits = createLimits(counters().store)
    const remaining = (state: ReturnType<typeof keyState>) => taken(limits, state).rateLimit?.split(';')[1]
    expect(remaining(keyState({ publicKey: 'old' }))).toBe('r=99')
    expect(remaining(keyState({ publicKey: 'new' }))).toBe('r=98')
    expect(remaining(keyState({ appId: 'other' }))).toBe('r=99')
    expect(remaining(keyState({ center: 'lodge' }))).toBe('r=99')
  })

  it('comes back from a store of another process as a promise', async () => {
    const store: LimitStore = {
      take: async () => ({
        allowed: true,
        minuteUsed: 3,
        minuteEndsInMs: 1,
        hourUsed: 4,
        hourEndsInMs: 1001,
      }),
      outages: undefined,
      close: async () => {},
    }
    const reading = await createLimits(store).take(keyState({}))
    expect(reading.rateLimit).toBe('"burst";r=97;t=1, "hourly";r=996;t=2')
  })
})

/** The memory store answers at once. */
function taken(limits: ReturnType<typeof createLimits>, key: ReturnType<typeof keyState>): LimitReading {
  const reading = limits.take(key)
  if (reading instanceof Promise) throw new Error('the memory store must not make a request wait')
  return reading
}
