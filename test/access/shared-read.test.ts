/** One read for all who wait, and nobody gets one that was sent before it asked. */
import { describe, expect, it } from 'vitest'
import { SharedRead } from '../../src/core/access/shared-read.ts'

/** A read whose loads a test answers when it likes. */
function startRead() {
  const loads: {
    keys: readonly string[]
    answer: (version: number) => void
    fail: (error: Error) => void
  }[] = []
  let inFlight = 0
  let inFlightMax = 0
  const shared = new SharedRead<string, string>(async (keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
    inFlight += 1
    inFlightMax = Math.max(inFlightMax, inFlight)
    loads.push({
      keys,
      answer: (version) => resolve(new Map(keys.map((key) => [key, `${key}@${version}`]))),
      fail: reject,
    })
    try {
      return await promise
    } finally {
      inFlight -= 1
    }
  })
  return { shared, loads, inFlightMax: () => inFlightMax }
}

const iteration = async () => {
  for (let step = 0; step < 5; step++) await new Promise(setImmediate)
}

describe('a shared read', () => {
  it('is one for all that ask in the same iteration of the event loop, each key once', async () => {
    const { shared, loads } = startRead()
    const answers = Promise.all(['a', 'b', 'a', 'c', 'b'].map((key) => shared.read(key)))
    await iteration()
    expect(loads.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']])
    loads[0]?.answer(1)
    expect(await answers).toEqual(['a@1', 'b@1', 'a@1', 'c@1', 'b@1'])
  })

  it('is never given to who asks after it was sent', async () => {
    const { shared, loads } = startRead()
    const early = shared.read('a')
    await iteration()
    const late = shared.read('a')
    await iteration()
    // The late one waits: it is neither in the first load nor next to it.
    expect(loads).toHaveLength(1)
    loads[0]?.answer(1)
    expect(await early).toBe('a@1')
    await iteration()
    loads[1]?.answer(2)
    expect(await late).toBe('a@2')
  })

  it('has at most one in flight and one waiting, however many ask', async () => {
    const { shared, loads, inFlightMax } = startRead()
    const asked: Promise<string | undefined>[] = []
    for (let round = 0; round < 20; round++) {
      asked.push(shared.read(`k${round}`))
      await iteration()
    }
    expect(loads).toHaveLength(1)
    loads[0]?.answer(1)
    await iteration()
    expect(loads).toHaveLength(2)
    expect(loads[1]?.keys).toHaveLength(19)
    loads[1]?.answer(2)
    await Promise.all(asked)
    expect(inFlightMax()).toBe(1)
    expect(loads).toHaveLength(2)
  })

  it('that fails fails for all who waited for it, and for nobody after', async () => {
    const { shared, loads } = startRead()
    const first = Promise.allSettled([shared.read('a'), shared.read('b')])
    await iteration()
    const second = Promise.allSettled([shared.read('a'), shared.read('c')])
    loads[0]?.fail(new Error('away'))
    expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await iteration()
    expect(loads[1]?.keys).toEqual(['a', 'c'])
    loads[1]?.answer(2)
    expect(await second).toEqual([
      { status: 'fulfilled', value: 'a@2' },
      { status: 'fulfilled', value: 'c@2' },
    ])
    const third = shared.read('a')
    await iteration()
    loads[2]?.answer(3)
    expect(await third).toBe('a@3')
  })

  it('heals after a failure that came before anything was sent', async () => {
    let broken = true
    const shared = new SharedRead<string, string>((keys) => {
      if (broken) throw new Error('no connection')
      return Promise.resolve(new Map(keys.map((key) => [key, key])))
    })
    await expect(shared.read('a')).rejects.toThrow('no connection')
    broken = false
    expect(await shared.read('a')).toBe('a')
  })

  it('gives undefined for a key that is not there', async () => {
    const shared = new SharedRead<string, string>(async () => new Map())
    expect(await shared.read('a')).toBeUndefined()
  })

  it('never shows what was true before it was asked, under any order of asking and answering', async () => {
    // A version that moves all the time; each load shows it as of the moment it was sent.
    let version = 0
    const shared = new SharedRead<string, number>(async (keys) => {
      const seen = version
      await new Promise((resolve) => setTimeout(resolve, seen % 3))
      return new Map(keys.map((key) => [key, seen]))
    })
    const readers = Array.from({ length: 16 }, async (_, reader) => {
      for (let round = 0; round < 40; round++) {
        const before = version
        version += 1
        const atAsking = version
        expect(atAsking).toBeGreaterThan(before)
        expect(await shared.read(`k${reader % 4}`)).toBeGreaterThanOrEqual(atAsking)
        if ((reader + round) % 5 === 0) await new Promise(setImmediate)
      }
    })
    await Promise.all(readers)
  })
})
