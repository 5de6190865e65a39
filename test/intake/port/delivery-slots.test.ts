import { expect, test } from 'vitest'
import { garbageCollector } from '../../../src/core/config/process-memory.ts'
import { createDeliverySlots } from '../../../src/core/intake/port/delivery-slots.ts'

/** Deliveries that begin when a slot is free. */
function start() {
  const slots = createDeliverySlots()
  const begun: string[] = []
  const deliver = (center: string) => {
    const free = slots.take(center)
    return slots.whenFree(center, async () => void begun.push(center)).finally(free)
  }
  const settle = () => new Promise(setImmediate)
  return { slots, begun, deliver, settle }
}

test('a center that rests keeps its next delivery waiting, and no other one', async () => {
  const { slots, begun, deliver, settle } = start()
  const rested = Promise.withResolvers<void>()
  await deliver('abuser')
  slots.letRest('abuser', rested.promise)
  const next = deliver('abuser')
  for (let n = 0; n < 20; n += 1) await deliver(`other ${n}`)
  await settle()
  expect(begun.filter((center) => center === 'abuser')).toHaveLength(1)
  expect(begun).toHaveLength(21)
  // What waits is one delivery of the center: another one is refused as ever.
  expect(() => slots.take('abuser')).toThrow(/only one at a time/)
  rested.resolve()
  await next
  await deliver('abuser')
  expect(begun.slice(-2)).toEqual(['abuser', 'abuser'])
})

test('nobody rests any longer when the service closes', async () => {
  const { slots, begun, deliver } = start()
  slots.letRest('abuser', new Promise(() => {}))
  const next = deliver('abuser')
  slots.endRests()
  await next
  slots.letRest('abuser', new Promise(() => {}))
  await deliver('abuser')
  expect(begun).toHaveLength(2)
})

test('nothing remains of a rest that is over', async () => {
  const collect = garbageCollector()
  const { slots, deliver } = start()
  const heldAfter = async (rests: number) => {
    for (let n = 0; n < rests; n += 1) {
      slots.letRest('abuser', Promise.resolve())
      await slots.whenFree('abuser', async () => {})
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await heldAfter(1000)
  // 25 MB, if something were.
  expect((await heldAfter(100_000)) - before).toBeLessThan(10_000_000)
  await deliver('abuser')
})
