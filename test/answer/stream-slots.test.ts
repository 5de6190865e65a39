import { describe, expect, it } from 'vitest'
import { createStreamSlots } from '../../src/core/answer/stream-slots.ts'
import { keyState } from '../access/key-state.ts'

describe('long lists at a time', () => {
  it('are two for an application; a third is a 429 with Retry-After', () => {
    const slots = createStreamSlots(10)
    slots.take(keyState())
    slots.take(keyState({ publicKey: 'rotated' }))
    expect(() => slots.take(keyState())).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', status: 429, headers: { 'retry-after': '5' } }),
    )
  })

  it('are free for another as soon as one ends, and one that ends twice frees one', () => {
    const slots = createStreamSlots(10)
    const end = slots.take(keyState())
    slots.take(keyState())
    end()
    end()
    slots.take(keyState())
    expect(() => slots.take(keyState())).toThrow('wait for one to end')
  })

  it('are half of all for a center; one more is a 429, and another center finds some free', () => {
    const slots = createStreamSlots(4)
    slots.take(keyState({ appId: 'first' }))
    const end = slots.take(keyState({ appId: 'second' }))
    expect(() => slots.take(keyState({ appId: 'third' }))).toThrow(
      expect.objectContaining({ status: 429, message: expect.stringContaining('This center') }),
    )
    slots.take(keyState({ center: 'lodge' }))
    end()
    slots.take(keyState({ appId: 'third' }))
  })

  it('are so many for all centers; one more is a 503 with Retry-After', () => {
    const slots = createStreamSlots(2)
    const end = slots.take(keyState())
    slots.take(keyState({ center: 'lodge' }))
    expect(() => slots.take(keyState({ center: 'inn' }))).toThrow(
      expect.objectContaining({
        code: 'UNAVAILABLE',
        status: 503,
        headers: { 'retry-after': '5' },
        message: expect.stringContaining('The service already has 2 '),
      }),
    )
    end()
    slots.take(keyState({ center: 'inn' }))
  })

  it('are one where there is one', () => {
    const slots = createStreamSlots(1)
    slots.take(keyState())
    expect(() => slots.take(keyState())).toThrow(expect.objectContaining({ status: 429 }))
  })
})

describe('streams that can be ended for another', () => {
  /** @returns who was ended, in order */
  const started = (inAllMax: number, perKeyMax = 100) => {
    const slots = createStreamSlots(inAllMax, { perKeyMax, does: 'has', advice: 'streams.' })
    const ended: string[] = []
    const take = (center: string, appId: string, name = `${center} ${appId}`) => {
      const free = slots.take(keyState({ center, appId }), () => {
        ended.push(name)
        free()
      })
      return free
    }
    return { slots, ended, take }
  }

  it('are shared evenly by centers, in any order of arrival: the newest of the center with the most ends', () => {
    const { slots, ended, take } = started(6)
    for (const at of [1, 2, 3]) for (const center of ['spa', 'lodge']) take(center, 'a', `${center} ${at}`)
    take('inn', 'a')
    take('inn', 'a')
    expect(ended).toEqual(['lodge 3', 'spa 3'])
    // Two each: nobody has two more than the one that asks.
    expect(() => take('inn', 'a')).toThrow(expect.objectContaining({ status: 503 }))
    expect([slots.taken, ended.length]).toEqual([6, 2])
  })

  it('are shared evenly by the applications of a center', () => {
    const { ended, take } = started(8)
    for (const at of [1, 2, 3, 4]) take('spa', 'greedy', `greedy ${at}`)
    take('spa', 'other')
    expect(ended).toEqual(['greedy 4'])
    expect(() => take('spa', 'greedy')).toThrow(expect.objectContaining({ status: 429 }))
  })

  it('are not ended for an application that has its own maximum', () => {
    const { ended, take } = started(10, 2)
    take('spa', 'a')
    take('spa', 'a')
    expect(() => take('spa', 'a')).toThrow('This application has 2 streams.')
    expect(ended).toEqual([])
  })
})
