import { expect, test } from 'vitest'
import { SessionSlots } from '../../src/database/embedded/session-slots.ts'

/** Work that says when it begins and ends on request. */
function workers() {
  const slots = new SessionSlots()
  const log: string[] = []
  const start = (name: string, way: 'together' | 'alone') => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = slots[way](async () => {
      log.push(name)
      await promise
      if (name.startsWith('failing')) throw new Error(name)
    })
    done.catch(() => {})
    const end = async () => {
      resolve()
      await done.catch(() => {})
      // The next one begins in the slots that follow.
      await new Promise(setImmediate)
    }
    return { end, done }
  }
  return { slots, log, start }
}

test('those who come together do not wait for each other', () => {
  const { log, start } = workers()
  start('a', 'together')
  start('b', 'together')
  expect(log).toEqual(['a', 'b'])
})

test('who wants to be alone waits for all before, and all after wait for him', async () => {
  const { slots, log, start } = workers()
  const a = start('a', 'together')
  const b = start('b', 'together')
  const alone = start('alone', 'alone')
  const c = start('c', 'together')
  const second = start('second', 'alone')
  await a.end()
  expect([log, slots.isTaken]).toEqual([['a', 'b'], false])
  await b.end()
  expect([log, slots.isTaken]).toEqual([['a', 'b', 'alone'], true])
  await alone.end()
  expect(log).toEqual(['a', 'b', 'alone', 'c'])
  await c.end()
  expect(log).toEqual(['a', 'b', 'alone', 'c', 'second'])
  await second.end()
  expect(slots.isTaken).toBe(false)
})

test.each(['together', 'alone'] as const)('work that fails %s lets the next one run', async (way) => {
  const { log, start } = workers()
  const failing = start('failing', way)
  const next = start('next', 'alone')
  await failing.end()
  await expect(failing.done).rejects.toThrow('failing')
  expect(log).toEqual(['failing', 'next'])
  await next.end()
})
