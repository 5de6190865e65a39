/** Answers retained in memory: bounded by bytes, fair by center, and counted truly. */
import { describe, expect, it } from 'vitest'
import {
  type AnswerCache,
  type CachedAnswer,
  createAnswerCache,
  ownBytes,
} from '../../src/core/answer/answer-cache.ts'
import { recordsRead } from '../../src/core/answer/read-event.ts'
import { centerId } from '../../src/core/records/centers/center.ts'
import { GENERATION } from '../access/key-state.ts'

const answer = (name: string, center: string, bytes: number, revision = 1): CachedAnswer => ({
  cacheKey: name,
  etag: `tag of ${name}`,
  revision,
  dependencies: undefined,
  center,
  type: 'application/json',
  page: undefined,
  snapshot: undefined,
  until: Number.POSITIVE_INFINITY,
  isQuiet: false,
  records: { count: 0, list: undefined },
  identity: Buffer.alloc(bytes),
  encoded: new Map(),
})

const MIB = 1024 * 1024

const cacheOf = (bytesMax: number) =>
  createAnswerCache({ bytesMax, log: { isTouched: async () => true }, clock: () => 0 })

/** The answer of this name; all are current at revision 0. */
const find = (cache: AnswerCache, name: string) =>
  cache.current(name, {
    center: centerId('spa'),
    generation: GENERATION,
    revision: 0,
    profileRevision: 1,
    operation: 'listGuests',
    facts: {},
  })

describe('the answer cache', () => {
  it('gives back what it was given, and nothing else', () => {
    const cache = cacheOf(MIB)
    const one = answer('one', 'spa', 100)
    cache.set(one)
    expect(find(cache, 'one')).toBe(one)
    expect(find(cache, 'two')).toBeUndefined()
  })

  it('is given bytes that hold no larger block in memory', () => {
    const piece = Buffer.from('Ștefan')
    expect(piece.buffer.byteLength).toBeGreaterThan(piece.length)
    for (const own of [ownBytes('Ștefan'), ownBytes(piece)]) {
      expect(own.equals(piece)).toBe(true)
      expect(own.buffer.byteLength).toBe(piece.length)
    }
  })

  it('keeps no more bytes than its bound, whatever comes', () => {
    const cache = cacheOf(MIB)
    for (let at = 0; at < 2000; at++) {
      cache.set(answer(`e${at}`, `center-${at % 40}`, (at * 7919) % 30_000))
      expect(cache.numbers.bytes).toBeLessThanOrEqual(MIB)
    }
    expect(cache.numbers.entries).toBeGreaterThan(10)
  })

  it('counts more than the text: its compressed forms, its identifiers and itself', () => {
    const cache = cacheOf(MIB)
    cache.set({
      ...answer('a', 'spa', 1000),
      records: recordsRead({ count: 50, ids: Array.from({ length: 50 }, (_, at) => `5f2b8c1e9d3a-${at}`) }),
    })
    expect(cache.numbers.bytes).toBeGreaterThan(1000 * 1.5 + 50 * 16)
  })

  it('keeps one busy center from pushing the others out', () => {
    const cache = cacheOf(MIB)
    for (let at = 0; at < 20; at++) cache.set(answer(`quiet-${at}`, `quiet-${at}`, 5000))
    for (let at = 0; at < 5000; at++) cache.set(answer(`busy-${at}`, 'busy', 5000))
    for (let at = 0; at < 20; at++) expect(find(cache, `quiet-${at}`), `quiet-${at}`).toBeDefined()
    const busy = Array.from({ length: 5000 }, (_, at) => find(cache, `busy-${at}`)).filter(Boolean)
    // A quarter of the whole, and what it holds is its newest.
    expect(busy.length).toBeGreaterThan(10)
    expect(busy.length * 5000).toBeLessThanOrEqual(MIB / 4)
    expect(find(cache, 'busy-4999')).toBeDefined()
    expect(find(cache, 'busy-0')).toBeUndefined()
  })

  it('gives a center its whole share again once its answers have fallen out', () => {
    const cache = cacheOf(MIB)
    for (let round = 0; round < 5; round++) {
      for (let at = 0; at < 30; at++) cache.set(answer(`a-${round}-${at}`, 'a', 5000))
      for (let center = 0; center < 8; center++) {
        for (let at = 0; at < 30; at++) cache.set(answer(`${center}-${round}-${at}`, `c${center}`, 5000))
      }
    }
    for (let at = 0; at < 20; at++) cache.set(answer(`last-${at}`, 'a', 5000))
    for (let at = 0; at < 20; at++) expect(find(cache, `last-${at}`)).toBeDefined()
  })

  it('keeps no answer that is large against the whole', () => {
    const cache = cacheOf(MIB)
    cache.set(answer('small', 'spa', 1000))
    cache.set(answer('large', 'spa', MIB / 8))
    expect(find(cache, 'large')).toBeUndefined()
    expect(find(cache, 'small')).toBeDefined()
    expect(cache.numbers.entries).toBe(1)
  })

  it('takes out first what was not asked for, among centers', () => {
    const cache = cacheOf(MIB)
    cache.set(answer('asked', 'a', 5000))
    cache.set(answer('forgotten', 'b', 5000))
    for (let at = 0; at < 1000; at++) {
      cache.set(answer(`other-${at}`, `c${at}`, 5000))
      find(cache, 'asked')
    }
    expect(find(cache, 'asked')).toBeDefined()
    expect(find(cache, 'forgotten')).toBeUndefined()
  })

  it('keeps the newer of two answers of one name, whichever comes first', () => {
    const cache = cacheOf(MIB)
    const newer = answer('a', 'spa', 100, 2)
    cache.set(answer('a', 'spa', 500, 1))
    cache.set(newer)
    const { bytes } = cache.numbers
    cache.set(answer('a', 'spa', 900, 1))
    expect(find(cache, 'a')).toBe(newer)
    expect(cache.numbers).toMatchObject({ entries: 1, bytes })
  })

  it('of size 0 keeps nothing', () => {
    const cache = cacheOf(0)
    cache.set(answer('a', 'spa', 1))
    expect(find(cache, 'a')).toBeUndefined()
    expect(cache.numbers).toEqual({ hits: 0, misses: 1, entries: 0, bytes: 0 })
  })
})
