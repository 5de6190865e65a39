import { describe, expect, it } from 'vitest'
import { createStreamSlots } from '../../src/answer/stream-slots.ts'
import { keyState } from '../access/key-state.ts'

describe('long lists at a time', () => {
  it('are two for an application; a third is a 429 with Retry-After', () => {
    const slots = createStreamSlots()
    slots.take(keyState())
    slots.take(keyState({ publicKey: 'rotated' }))
    expect(() => slots.take(keyState())).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', status: 429, headers: { 'retry-after': '5' } }),
    )
  })

  it('are free for another as soon as one ends, and one that ends twice frees one', () => {
    const slots = createStreamSlots()
    const end = slots.take(keyState())
    slots.take(keyState())
    end()
    end()
    slots.take(keyState())
    expect(() => slots.take(keyState())).toThrow('wait for one to end')
  })

  it('are no concern of another application or another center', () => {
    const slots = createStreamSlots(1)
    slots.take(keyState())
    slots.take(keyState({ appId: 'other' }))
    slots.take(keyState({ center: 'lodge' }))
  })
})
