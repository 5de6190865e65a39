import { beforeEach, describe, expect, it } from 'vitest'
import { type AnswerCache, type CachedAnswer, createAnswerCache } from '../../src/core/answer/answer-cache.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { GENERATION } from '../access/key-state.ts'

const NOW = 1000

let cache: AnswerCache
let touched: boolean | Promise<boolean>
let asked: [shown: number, current: number][]
beforeEach(() => {
  touched = false
  asked = []
  const isTouched = async (_: unknown, shown: number, current: number) => {
    asked.push([shown, current])
    return touched
  }
  cache = createAnswerCache({ bytesMax: 1_000_000, log: { isTouched }, clock: () => NOW })
})

const keep = (fields: Partial<CachedAnswer> = {}): CachedAnswer => {
  const answer: CachedAnswer = {
    cacheKey: 'page',
    etag: 'tag',
    revision: 5,
    dependencies: [{ kind: 'guest', ids: ['b1'] }],
    until: NOW + 1,
    center: 'spa',
    type: 'application/json',
    page: undefined,
    snapshot: undefined,
    records: { count: 0, list: undefined },
    isQuiet: false,
    identity: Buffer.from('[]'),
    encoded: new Map(),
    ...fields,
  }
  cache.set(answer)
  return answer
}

/** What is still the newest state at a revision; said at once where no commit has to be looked at. */
function stillNewest(revision: number) {
  const basis = {
    center: centerId('spa'),
    generation: GENERATION,
    revision,
    profileRevision: 1,
    operation: 'listGuests',
    facts: {},
  }
  return cache.current('page', basis)
}

const counted = () => [cache.numbers.hits, cache.numbers.misses]

describe('an answer that is cached', () => {
  it.each([5, 4])('at revision 5 is the newest at %i, without a look at the commits', (revision) => {
    const answer = keep()
    expect(stillNewest(revision)).toBe(answer)
    expect(asked).toEqual([])
    expect(counted()).toEqual([1, 0])
  })

  it('is of no use from its end on', () => {
    keep({ until: NOW })
    expect(stillNewest(5)).toBeUndefined()
    expect(counted()).toEqual([0, 1])
  })

  it('goes on at the newer revision where no commit in between touches it', async () => {
    const answer = keep()
    expect(await stillNewest(7)).toBe(answer)
    expect(answer.revision).toBe(7)
    expect(asked).toEqual([[5, 7]])
    expect(stillNewest(7)).toBe(answer)
    expect(counted()).toEqual([2, 0])
  })

  it('is not set back by a request that began before another one', async () => {
    const answer = keep()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    touched = promise
    const earlier = stillNewest(6)
    answer.revision = 9
    resolve(false)
    expect(await earlier).toBe(answer)
    expect(answer.revision).toBe(9)
  })

  it('that a commit touches is old, and stays at its revision', async () => {
    const answer = keep()
    touched = true
    expect(await stillNewest(7)).toBeUndefined()
    expect(answer.revision).toBe(5)
    expect(counted()).toEqual([0, 1])
  })

  it('that does not say what it was made from is old after any commit', async () => {
    keep({ dependencies: undefined })
    expect(await stillNewest(6)).toBeUndefined()
    expect(asked).toEqual([])
    expect(counted()).toEqual([0, 1])
  })
})

it('what is not cached is a miss', () => {
  expect(stillNewest(1)).toBeUndefined()
  expect(counted()).toEqual([0, 1])
})
