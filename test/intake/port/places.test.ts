import { expect, test } from 'vitest'
import { garbageCollector } from '../../../src/config/process-memory.ts'
import { createPlaces } from '../../../src/intake/port/places.ts'

/** Deliveries that begin when their turn comes. */
function start() {
  const places = createPlaces()
  const begun: string[] = []
  const deliver = (center: string) => {
    const free = places.take(center)
    return places.inTurn(center, async () => void begun.push(center)).finally(free)
  }
  const settle = () => new Promise(setImmediate)
  return { places, begun, deliver, settle }
}

test('a center that rests keeps its next delivery waiting, and no other one', async () => {
  const { places, begun, deliver, settle } = start()
  const rested = Promise.withResolvers<void>()
  await deliver('abuser')
  places.letRest('abuser', rested.promise)
  const next = deliver('abuser')
  for (let n = 0; n < 20; n += 1) await deliver(`other ${n}`)
  await settle()
  expect(begun.filter((center) => center === 'abuser')).toHaveLength(1)
  expect(begun).toHaveLength(21)
  // What waits is one delivery of the center: another one is refused as ever.
  expect(() => places.take('abuser')).toThrow(/only one at a time/)
  rested.resolve()
  await next
  await deliver('abuser')
  expect(begun.slice(-2)).toEqual(['abuser', 'abuser'])
})

test('nobody rests any longer when the service closes', async () => {
  const { places, begun, deliver } = start()
  places.letRest('abuser', new Promise(() => {}))
  const next = deliver('abuser')
  places.endRests()
  await next
  places.letRest('abuser', new Promise(() => {}))
  await deliver('abuser')
  expect(begun).toHaveLength(2)
})

test('nothing remains of a rest that is over', async () => {
  const collect = garbageCollector()
  const { places, deliver } = start()
  const heldAfter = async (rests: number) => {
    for (let n = 0; n < rests; n += 1) {
      places.letRest('abuser', Promise.resolve())
      await places.inTurn('abuser', async () => {})
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await heldAfter(1000)
  // 25 MB, if something were.
  expect((await heldAfter(100_000)) - before).toBeLessThan(10_000_000)
  await deliver('abuser')
})
