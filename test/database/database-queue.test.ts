import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { createDatabaseQueue, type Slot } from '../../src/core/database/queue/database-queue.ts'
import type { QueuedRead } from '../../src/core/database/queue/fair-queue.ts'

const HEAVY = 500

/** A database that begins what it is given and ends it when the test says so. */
function start(atATime: number, clock = () => 0, togetherMax = 1) {
  const queue = createDatabaseQueue(atATime, clock, togetherMax)
  const begun: string[] = []
  const running = new Map<string, { end: () => void; fail: (error: Error) => void }>()
  const slots = new Map<string, Slot>()
  const ask = (name: string, read: Partial<QueuedRead> = {}): Promise<string> => {
    const asked = queue.run({ center: 'abuser', key: 'key', kind: 'report', cost: 1, ...read }, (slot) => {
      begun.push(name)
      slots.set(name, slot)
      return new Promise<string>((resolve, reject) => {
        running.set(name, { end: () => resolve(name), fail: reject })
      })
    })
    asked.catch(() => {})
    return asked
  }
  const settle = () => new Promise(setImmediate)
  const end = async (name: string) => {
    running.get(name)?.end()
    running.delete(name)
    await settle()
  }
  const endAll = async () => {
    for (const name of [...running.keys()]) await end(name)
  }
  const fail = async (name: string, error: Error) => {
    running.get(name)?.fail(error)
    running.delete(name)
    await settle()
  }
  /** Between two of its statements. */
  const pause = (name: string) => {
    const going = slots.get(name)!.pause()
    going.then(
      () => begun.push(`${name} again`),
      () => {},
    )
    return going
  }
  return { queue, begun, running, slots, ask, pause, end, endAll, fail, settle }
}

const heavies = (count: number) => Array.from({ length: count }, (_, n) => `heavy ${n}`)

describe('with one slot', () => {
  test('behind 90 heavy reads of one key another center is next', async () => {
    const { begun, ask, end, queue } = start(1)
    for (const name of heavies(90)) ask(name, { cost: HEAVY })
    for (let n = 0; n < 5; n += 1) {
      expect(begun.at(-1)).toBe(`heavy ${n}`)
      ask(`page ${n}`, { center: 'other', kind: 'guests' })
      await end(`heavy ${n}`)
      expect(begun.at(-1)).toBe(`page ${n}`)
      await end(`page ${n}`)
    }
    expect(queue.numbers.waiting).toBe(84)
  })

  test('so is another key of the same center, and a page of the same key', async () => {
    const { begun, ask, end } = start(1)
    for (const name of heavies(9)) ask(name, { cost: HEAVY })
    ask('own page', { kind: 'guests' })
    ask('page of the kitchen', { key: 'kitchen', kind: 'guests' })
    await end('heavy 0')
    await end('page of the kitchen')
    expect(begun).toEqual(['heavy 0', 'page of the kitchen', 'own page'])
  })

  test('who asks for much does not wait for ever: many little reads of another center do not add up before it', async () => {
    const { begun, ask, end, running, settle } = start(1)
    ask('first', { center: 'other' })
    ask('heavy', { cost: 20 })
    for (let n = 0; n < 100; n += 1) {
      ask(`page ${n}`, { center: 'other' })
      const [name] = running.keys()
      if (name === 'heavy') break
      await end(name ?? '')
      await settle()
    }
    expect(begun).toContain('heavy')
    expect(begun.length).toBeLessThan(30)
  })
})

test('who was away has saved nothing up', async () => {
  const { begun, ask, end } = start(1)
  ask('early', { center: 'away' })
  for (let n = 0; n < 60; n += 1) ask(`a ${n}`, { center: 'a' })
  for (let n = 0; n < 60; n += 1) ask(`b ${n}`, { center: 'b' })
  await end('early')
  for (let n = 0; n < 40; n += 1) await end(begun.at(-1) ?? '')
  const before = begun.length
  for (let n = 0; n < 40; n += 1) ask(`back ${n}`, { center: 'away' })
  for (let n = 0; n < 12; n += 1) await end(begun.at(-1) ?? '')
  const since = begun.slice(before).map((name) => name.split(' ')[0])
  // A third each, give or take who was just served.
  for (const name of ['a', 'b', 'back']) expect(since.filter((one) => one === name).length).toBeGreaterThan(2)
})

describe('with six connections', () => {
  test('one center has one heavy read at a time, all centers have two, and pages go by', async () => {
    const { begun, ask, end, settle } = start(6)
    for (const name of heavies(90)) ask(name, { cost: HEAVY })
    for (const center of ['second', 'third']) ask(`heavy of ${center}`, { center, cost: HEAVY })
    ask('page', { center: 'other', kind: 'guests' })
    await settle()
    expect(begun).toEqual(['heavy 0', 'heavy of second', 'page'])
    await end('heavy of second')
    expect(begun.at(-1)).toBe('heavy of third')
    await end('heavy of third')
    await end('heavy 0')
    expect(begun.at(-1)).toBe('heavy 1')
  })

  test('a center that asks for all of them leaves one to the others', async () => {
    const { begun, ask, settle } = start(6)
    for (let n = 0; n < 20; n += 1) ask(`${n}`, { kind: `kind ${n}` })
    expect(begun).toHaveLength(5)
    ask('page', { center: 'other' })
    await settle()
    expect(begun.at(-1)).toBe('page')
  })

  test('reads of one kind that hang leave room for other kinds, of the same center too', async () => {
    const { begun, ask, settle } = start(6)
    for (let n = 0; n < 20; n += 1) ask(`hangs ${n}`, { kind: 'guests' })
    ask('sessions', { kind: 'sessions' })
    await settle()
    expect(begun).toEqual(['hangs 0', 'hangs 1', 'hangs 2', 'hangs 3', 'sessions'])
  })

  test('a kind whose reads failed has one slot at a time until one succeeds', async () => {
    const { begun, ask, end, fail } = start(6)
    for (let n = 0; n < 20; n += 1) ask(`${n}`, { kind: 'guests' })
    for (let n = 0; n < 4; n += 1) await fail(`${n}`, new DatabaseUnavailable('locked'))
    expect(begun).toEqual(['0', '1', '2', '3', '4'])
    await end('4')
    expect(begun).toHaveLength(9)
  })

  test('what fails for one center limits no others', async () => {
    const { begun, ask, fail, settle } = start(6)
    ask('fails', { kind: 'guests' })
    await fail('fails', new DatabaseUnavailable('too long'))
    for (let n = 0; n < 9; n += 1) ask(`${n}`, { center: 'other', kind: 'guests' })
    expect(begun).toHaveLength(1 + 4)
    ask('mine', { kind: 'guests' })
    ask('mine too', { kind: 'guests' })
    await settle()
    expect(begun).not.toContain('mine too')
  })

  test('an error that is the statement’s own limits nothing', async () => {
    const { begun, ask, fail } = start(6)
    ask('wrong', { kind: 'guests' })
    await fail('wrong', new Error('no such column'))
    for (let n = 0; n < 9; n += 1) ask(`${n}`, { kind: 'guests' })
    expect(begun).toHaveLength(1 + 4)
  })
})

test('after a heavy read its center has pages and no other heavy read for three times as long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let now = 0
  const { begun, ask, end, endAll, settle } = start(1, () => now)
  for (const name of heavies(3)) ask(name, { cost: HEAVY })
  ask('heavy of other', { center: 'other', cost: HEAVY })
  now = 100
  await end('heavy 0')
  expect(begun.at(-1)).toBe('heavy of other')
  await endAll()
  ask('page', { kind: 'guests' })
  await settle()
  await endAll()
  expect(begun).toEqual(['heavy 0', 'heavy of other', 'page'])
  await vi.advanceTimersByTimeAsync(299)
  expect(begun).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(1)
  expect(begun.at(-1)).toBe('heavy 1')
})

describe('reads of one statement', () => {
  const page = { kind: 'guests', statement: 'page' }
  const names = (count: number) => Array.from({ length: count }, (_, n) => `page ${n}`)

  test('take two slots of their center, and go together where they have waited for one', async () => {
    const { begun, ask, end, endAll, settle } = start(6, () => 0, 8)
    for (const name of names(20)) ask(name, page)
    expect(begun).toEqual(names(2))
    await end('page 0')
    expect(begun).toEqual(names(10))
    await end('page 2')
    expect(begun).toEqual(names(10))
    ask('another page', { ...page, statement: 'another' })
    ask('page of other', { ...page, center: 'other' })
    await settle()
    expect(begun.slice(10)).toEqual(['another page', 'page of other'])
    // The slot is free when the last of them has left it.
    for (const name of names(10).slice(3)) await end(name)
    expect(begun).toHaveLength(20)
    await endAll()
    await endAll()
    expect(begun).toHaveLength(22)
  })

  test('go alone where the database takes none together', async () => {
    const { begun, ask, end } = start(6)
    for (const name of names(9)) ask(name, page)
    expect(begun).toEqual(names(4))
    await end('page 0')
    expect(begun).toEqual(names(5))
  })

  test('wait for no more than eight pages would, and for none of another center', async () => {
    const { begun, ask, end } = start(1, () => 0, 8)
    ask('first', page)
    for (const name of names(6)) ask(name, { ...page, cost: 3 })
    ask('heavy', { ...page, cost: HEAVY })
    ask('other', { ...page, center: 'other' })
    await end('first')
    expect(begun).toEqual(['first', 'other'])
    await end('other')
    expect(begun.slice(2)).toEqual(names(2))
  })

  test('are charged for a part of the time each', async () => {
    let now = 0
    const { begun, ask, end, endAll } = start(1, () => now, 8)
    ask('first', page)
    for (const name of names(8)) ask(name, page)
    await end('first')
    expect(begun).toEqual(['first', ...names(8)])
    for (const name of names(4)) ask(`late ${name}`, page)
    for (const name of names(4)) ask(`of other ${name}`, { ...page, center: 'other' })
    // Two milliseconds each, which is what they have cost.
    now = 16
    await endAll()
    // The other center has had nothing yet and comes first; what both have had is then the same.
    expect(begun.slice(9)).toEqual(names(4).map((name) => `of other ${name}`))
    await endAll()
    expect(begun.slice(13)).toEqual(names(4).map((name) => `late ${name}`))
  })

  test('go one at a time where one came to nothing', async () => {
    const { begun, ask, end, fail } = start(6, () => 0, 8)
    for (const name of names(9)) ask(name, page)
    await fail('page 0', new DatabaseUnavailable('locked'))
    await fail('page 1', new DatabaseUnavailable('locked'))
    expect(begun).toEqual(names(3))
    await end('page 2')
    expect(begun).toEqual(names(9))
  })

  test('that get no slot hold no slot', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { queue, begun, ask, end, endAll } = start(1, () => 0, 8)
    ask('endless', page)
    const waiting = names(3).map((name) => ask(name, page))
    await vi.advanceTimersByTimeAsync(5200)
    for (const one of waiting) await expect(one).rejects.toBeInstanceOf(DatabaseUnavailable)
    await end('endless')
    for (const name of names(3)) ask(`again ${name}`, page)
    await endAll()
    await endAll()
    expect(begun).toHaveLength(4)
    expect(queue.numbers.waiting).toBe(0)
  })
})

describe('a read that pauses', () => {
  test('gives its slot to a read that waits, and continues after that', async () => {
    const { begun, ask, pause, end, settle } = start(1)
    ask('heavy', { cost: HEAVY })
    ask('page', { center: 'other' })
    void pause('heavy')
    await settle()
    expect(begun).toEqual(['heavy', 'page'])
    await end('page')
    expect(begun).toEqual(['heavy', 'page', 'heavy again'])
    ask('late', { center: 'other' })
    await settle()
    expect(begun).not.toContain('late')
  })

  test('does not run together with another heavy one of its center', async () => {
    const { begun, ask, pause, slots, end, settle } = start(1)
    for (const name of heavies(2)) ask(name, { cost: HEAVY })
    await pause('heavy 0')
    slots.get('heavy 0')?.leave()
    await settle()
    expect(begun).toEqual(['heavy 0', 'heavy 0 again'])
    await end('heavy 0')
    expect(begun.at(-1)).toBe('heavy 1')
  })

  test('pauses for three times as long as it had its slot where another center reads too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let now = 0
    const { begun, ask, pause, end, settle } = start(1, () => now)
    ask('page', { center: 'other' })
    await end('page')
    ask('heavy', { cost: HEAVY })
    now = 10
    void pause('heavy')
    await vi.advanceTimersByTimeAsync(29)
    expect(begun.at(-1)).toBe('heavy')
    await vi.advanceTimersByTimeAsync(1)
    expect(begun.at(-1)).toBe('heavy again')
    // The other one has not asked for anything for a while.
    now = 2000
    void pause('heavy')
    await settle()
    expect(begun).toEqual(['page', 'heavy', 'heavy again', 'heavy again'])
  })

  test('has spent what it took so far, and not only in the end', async () => {
    let now = 0
    const { begun, ask, pause, end, settle } = start(1, () => now)
    ask('heavy', { cost: 20 })
    for (let n = 0; n < 45; n += 1) ask(`page ${n}`, { key: 'kitchen' })
    now = 10_000
    void pause('heavy')
    await settle()
    for (let n = 0; n < 40; n += 1) await end(`page ${n}`)
    expect(begun).toHaveLength(42)
    expect(begun).not.toContain('heavy again')
  })

  test('that gets a slot at the moment at which it is refused holds nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { begun, ask, slots, end, settle } = start(1)
    ask('page')
    const late = ask('late', { cost: HEAVY })
    await settle()
    vi.advanceTimersByTime(10_200)
    slots.get('page')?.leave()
    await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable)
    ask('next', { cost: HEAVY })
    await settle()
    expect(begun).toEqual(['page', 'next'])
    await end('next')
    ask('one more', { cost: HEAVY })
    expect(begun.at(-1)).toBe('one more')
  })

  test('that gets its next slot at the moment at which it is refused remains the only heavy one until it ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { begun, ask, pause, slots, fail, settle } = start(1)
    ask('heavy', { cost: HEAVY })
    ask('page', { center: 'other' })
    const going = pause('heavy')
    await settle()
    vi.advanceTimersByTime(10_200)
    slots.get('page')?.leave()
    await expect(going).rejects.toBeInstanceOf(DatabaseUnavailable)
    ask('next', { cost: HEAVY })
    await settle()
    expect(begun).toEqual(['heavy', 'page'])
    await fail('heavy', new DatabaseUnavailable('no slot'))
    expect(begun).toEqual(['heavy', 'page', 'next'])
  })

  test('is refused where it gets no slot again, and holds nothing then', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { queue, begun, running, ask, pause, end, fail, settle } = start(1)
    const heavy = ask('heavy', { cost: HEAVY })
    ask('endless', { center: 'other' })
    const going = pause('heavy')
    await settle()
    await vi.advanceTimersByTimeAsync(10_200)
    await expect(going).rejects.toBeInstanceOf(DatabaseUnavailable)
    await fail('heavy', new DatabaseUnavailable('no slot'))
    await expect(heavy).rejects.toBeInstanceOf(DatabaseUnavailable)
    await end('endless')
    ask('next')
    expect(begun.at(-1)).toBe('next')
    expect(running.size).toBe(1)
    expect(queue.numbers.waiting).toBe(0)
  })
})

describe('what uses no slots', () => {
  test('rests for three times as long as it took where another center reads too, and goes on at once where none does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let now = 0
    const { queue, ask, end } = start(1, () => now)
    let rested = 0
    const rest = () => queue.rest('abuser', 10).then(() => (rested += 1))
    await rest()
    expect(rested).toBe(1)
    ask('page', { center: 'other' })
    await end('page')
    void rest()
    await vi.advanceTimersByTimeAsync(29)
    expect(rested).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(rested).toBe(2)
    now = 2000
    await rest()
    expect(rested).toBe(3)
  })
})

describe('a slot that does not come free', () => {
  test('in time is a refusal, and the read is never begun', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { queue, begun, ask, end } = start(1)
    ask('first')
    const page = ask('page', { center: 'other' })
    const heavy = ask('heavy', { center: 'third', cost: HEAVY })
    await vi.advanceTimersByTimeAsync(5200)
    await expect(page).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(queue.numbers).toMatchObject({ waiting: 1, refused: 1 })
    await end('first')
    expect(begun).toEqual(['first', 'heavy'])
    await end('heavy')
    expect(await heavy).toBe('heavy')
    const next = ask('next')
    await end('next')
    expect(await next).toBe('next')
  })

  test('is refused at once where a key has a hundred waiting', async () => {
    const { queue, ask } = start(1)
    for (let n = 0; n <= 100; n += 1) ask(`${n}`)
    await expect(ask('one more')).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(queue.numbers).toMatchObject({ waiting: 100, refused: 1 })
    ask('of another key', { key: 'other' })
    expect(queue.numbers.waiting).toBe(101)
  })
})

test('what was asked for is given, whatever order it came in, and nothing is left behind', async () => {
  const { queue, begun, ask, endAll, running } = start(3)
  const asked = Array.from({ length: 300 }, (_, n) =>
    ask(`${n}`, {
      center: `center ${n % 7}`,
      key: `key ${n % 3}`,
      kind: `kind ${n % 4}`,
      cost: n % 10 === 0 ? HEAVY : 1,
    }),
  )
  while (running.size > 0) {
    expect(running.size).toBeLessThanOrEqual(3)
    await endAll()
  }
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 300 }, (_, n) => `${n}`))
  expect(begun).toHaveLength(300)
  expect(queue.numbers).toMatchObject({ waiting: 0, refused: 0 })
})
