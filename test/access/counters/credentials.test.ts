import { describe, expect, it } from 'vitest'
import { createCredentialLimits } from '../../../src/core/access/limits-credentials.ts'

const START = Date.UTC(2025, 0, 1)

function credentials(perMinute: number) {
  const time = { now: START }
  return { time, limits: createCredentialLimits({ perMinute, clock: () => time.now }) }
}

describe('wrong credentials', () => {
  it('ruling 38: are answered so many times a minute, and then have to wait for the window to end', () => {
    const { limits, time } = credentials(30)
    for (let attempt = 0; attempt < 30; attempt++) expect(limits.failed('192.0.2.7')).toBe(0)
    expect(limits.failed('192.0.2.7')).toBe(60)
    time.now += 59_001
    expect(limits.failed('192.0.2.7')).toBe(1)
    time.now += 999
    expect(limits.failed('192.0.2.7')).toBe(0)
  })

  it('are counted by address, IPv6 by /64', () => {
    const { limits } = credentials(1)
    expect(limits.failed('192.0.2.7')).toBe(0)
    expect(limits.failed('192.0.2.8')).toBe(0)
    expect(limits.failed('::ffff:192.0.2.8')).toBe(60)
    expect(limits.failed('2001:db8:0:1::1')).toBe(0)
    expect(limits.failed('2001:db8:0:1:9:9:9:9')).toBe(60)
    expect(limits.failed('2001:db8:0:2::1')).toBe(0)
  })

  it('are counted in bounded memory, however many addresses they come from', () => {
    const { limits, time } = credentials(1)
    for (let network = 0; network < 60_000; network++)
      limits.failed(`10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`)
    expect(limits.size).toBe(50_000)
    // The latest are still known, and the first ones were let go.
    expect(limits.failed('10.0.234.95')).toBe(60)
    expect(limits.failed('10.0.0.0')).toBe(0)
    time.now += 60_000
    limits.failed('192.0.2.7')
    expect(limits.size).toBe(1)
  })

  it('are counted again from nothing when the clock was set back', () => {
    const { limits, time } = credentials(1)
    limits.failed('192.0.2.7')
    time.now -= 3_600_000
    expect(limits.failed('192.0.2.7')).toBe(0)
    expect(limits.failed('192.0.2.7')).toBe(60)
  })
})
