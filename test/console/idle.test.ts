/** A console that nobody uses signs out; one that stays on a wall does not. */
import { expect, test } from 'vitest'
import { createIdle, type IdleOptions } from '../../console/src/base/idle.ts'
import { handClock } from './hand-clock.ts'

const MINUTE = 60_000

function start(options: Partial<IdleOptions> = {}) {
  const clock = handClock()
  const stored = new Map<string, string>()
  const happened: string[] = []
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  const idle = createIdle({
    minutes: 30,
    clock,
    isStaying: () => false,
    storage,
    tell: () => happened.push('reported'),
    end: () => happened.push('ended'),
    ...options,
  })
  const wait = async (minutes: number) => {
    for (let n = 0; n < minutes; n += 1) await clock.move(MINUTE)
  }
  return { idle, clock, happened, wait }
}

test('says two minutes before the end that it signs out, and signs out without use', async () => {
  const { idle, happened, wait } = start()
  idle.begin()
  await wait(27)
  expect([idle.endsAt.value, happened]).toEqual([undefined, []])
  await wait(1)
  expect(idle.endsAt.value).toBe(30 * MINUTE)
  await wait(2)
  expect([idle.endsAt.value, happened]).toEqual([undefined, ['ended']])
  await wait(60)
  expect(happened).toEqual(['ended'])
})

test('goes on while somebody uses this tab, or another one with the same key', async () => {
  const { idle, happened, wait } = start()
  idle.begin()
  await wait(29)
  idle.used('moved')
  expect(idle.endsAt.value).toBe(30 * MINUTE)
  idle.used()
  expect([idle.endsAt.value, happened]).toEqual([undefined, ['reported']])
  await wait(29)
  idle.usedElsewhere()
  expect([idle.endsAt.value, happened]).toEqual([undefined, ['reported']])
  await wait(29)
  expect(happened).toEqual(['reported'])
  await wait(1)
  expect(happened).toEqual(['reported', 'ended'])
})

test('a machine that slept through the time is signed out when it wakes, and not used on', () => {
  let now = 0
  const asleep = { now: () => now, after: () => () => {} }
  const { idle, happened } = start({ clock: asleep })
  idle.begin()
  now = 31 * MINUTE
  idle.used()
  expect(happened).toEqual(['ended'])
})

test('a tab that is restored after the time asks for the key again, one that stayed does not', () => {
  let now = 0
  let stays = false
  const clock = { now: () => now, after: () => () => {} }
  const { idle } = start({ clock, isStaying: () => stays })
  expect(idle.isOver()).toBe(false)
  idle.begin()
  now = 29 * MINUTE
  expect(idle.isOver()).toBe(false)
  now = 30 * MINUTE
  expect(idle.isOver()).toBe(true)
  stays = true
  idle.begin()
  now = 3000 * MINUTE
  expect(idle.isOver()).toBe(false)
})

test('a page that stays is not signed out, and has the whole time when it is left', async () => {
  let stays = true
  const { idle, happened, wait } = start({ isStaying: () => stays })
  idle.begin()
  await wait(600)
  expect([idle.endsAt.value, happened]).toEqual([undefined, []])
  stays = false
  await wait(29)
  expect(happened).toEqual([])
  await wait(2)
  expect(happened).toEqual(['ended'])
})

test('with 0 minutes nobody is signed out', async () => {
  const { idle, happened, wait } = start({ minutes: 0 })
  idle.begin()
  await wait(600)
  expect([idle.isOver(), happened]).toEqual([false, []])
})

test('a key of the administration has less time than the service has set, also in a tab that is restored', async () => {
  let isAdministration = true
  const minutesMax = () => (isAdministration ? 15 : undefined)
  const { idle, clock, happened, wait } = start({ minutesMax })
  idle.begin()
  await wait(14)
  expect(idle.endsAt.value).toBe(15 * MINUTE)
  await wait(1)
  expect(happened).toContain('ended')
  // Before somebody has signed in again, the key is not known.
  isAdministration = false
  await clock.move(MINUTE)
  expect(idle.isOver()).toBe(true)

  const never = start({ minutes: 0, minutesMax: () => 15 })
  never.idle.begin()
  await never.wait(15)
  expect(never.happened).toContain('ended')
})
