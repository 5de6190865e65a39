import { describe, expect, it } from 'vitest'
import type { ReadEvent } from '../../src/core/answer/read-event.ts'
import { getOrder } from '../../src/core/api/orders/get-order.ts'
import { entryHash } from '../../src/core/audit/entry.ts'
import { batchOfEntries, batchOfGroups } from '../../src/core/audit/write/batch.ts'
import type { PreparedEntry } from '../../src/core/audit/write/prepare-entries.ts'
import { MemoryShares, ReadQueue } from '../../src/core/audit/write/read-queue.ts'
import { keyState } from '../access/key-state.ts'
import { read } from './reads.ts'

const entry = (reads: number, fields: Partial<PreparedEntry['content']> = {}): PreparedEntry => ({
  lastAt: 0,
  recordList: null,
  content: {
    center_id: 'spa',
    at: 0,
    batch: 'batch-1',
    public_key: 'key',
    app_id: 'app',
    key_name: 'Lab',
    operation: 'listGuests',
    query: '',
    scopes: 'guests',
    records: 0,
    record_list: null,
    revision: 1,
    reads,
    requests: '',
    channel: null,
    ...fields,
  },
})

/** How many reads the entries of each piece are of. */
const pieces = (...reads: readonly number[]) =>
  [...batchOfEntries(reads.map((count) => entry(count))).pieces()].map((piece) =>
    piece.map(({ content }) => content.reads),
  )

it('an entry is hashed with its channel, and one without any as entries were before there was one', () => {
  const hashOf = (channel: string | null) =>
    entryHash({ ...entry(1, { channel }).content, seq: 7 }, '').slice(0, 16)
  expect(hashOf(null)).toBe('e4b98492a053a4d0')
  expect(hashOf('assistant')).toBe('4f955efb0f61558a')
})

describe('a batch comes in pieces', () => {
  it('of 25 entries', () => {
    const sizes = (count: number) => pieces(...new Array<number>(count).fill(1)).map(({ length }) => length)
    expect(sizes(25)).toEqual([25])
    expect(sizes(26)).toEqual([25, 1])
    expect(sizes(60)).toEqual([25, 25, 10])
  })

  it('of 500 reads, or of one entry that has more', () => {
    expect(pieces(300, 200, 1)).toEqual([[300, 200], [1]])
    expect(pieces(300, 201)).toEqual([[300], [201]])
    expect(pieces(700, 1, 2)).toEqual([[700], [1, 2]])
    expect(pieces(400, 700)).toEqual([[400], [700]])
  })
})

describe('a batch that was stored', () => {
  it('is its entries, of several centers, and may have been written', () => {
    const entries = [entry(2), entry(3, { center_id: 'lodge' }), entry(4)]
    expect(batchOfEntries(entries)).toMatchObject({
      id: 'batch-1',
      centers: ['spa', 'lodge'],
      first: { center_id: 'spa', at: 0, batch: 'batch-1' },
      reads: 9,
      tried: true,
      stored: true,
    })
    expect(() => batchOfEntries([])).toThrow('a batch of nothing')
  })
})

describe('a batch of what was read', () => {
  const group = (center: string, requests: number, weight: number) => ({
    event: read({ key: { center } }),
    weight,
    at: 12_345,
    query: '',
    requestIds: Array.from({ length: requests }, (_, at) => `r${at}`),
    offsetsMs: Array.from({ length: requests }, (_, at) => at),
    statuses: new Array<number>(requests).fill(200),
  })

  it('weighs for each center what it holds, and was neither tried nor stored', () => {
    const batch = batchOfGroups('batch-2', [group('spa', 2, 100), group('lodge', 1, 50), group('spa', 3, 7)])
    expect(batch).toMatchObject({
      id: 'batch-2',
      centers: ['spa', 'lodge'],
      first: { center_id: 'spa', at: 12_345_000, batch: 'batch-2' },
      reads: 6,
      tried: false,
      stored: false,
    })
    expect([...batch.weights]).toEqual([
      ['spa', 112],
      ['lodge', 51],
    ])
    expect([...batch.pieces()].flat().map(({ content }) => [content.center_id, content.reads])).toEqual([
      ['spa', 2],
      ['lodge', 1],
      ['spa', 3],
    ])
    expect(() => batchOfGroups('batch-3', [])).toThrow('a batch of nothing')
  })
})

describe('an entry of the trail', () => {
  const first = read({ query: 'b=2&a=1' })
  const { records, key } = first
  const readsOf = (...others: readonly (readonly [ReadEvent, number])[]) => {
    const queue = new ReadQueue(new MemoryShares(10_000))
    queue.add(first, 5000)
    for (const [event, now] of others) queue.add(event, now)
    return queue.take(1000).map(({ requestIds }) => requestIds.length)
  }

  it.each<[string, Partial<ReadEvent>, number]>([
    ['the same in the same moment', {}, 5000],
    ['the same within a second', {}, 5999],
    ['its parameters in another order and encoding', { query: 'a=%31&b=2' }, 5000],
    ['another status', { status: 304 }, 5000],
  ])('is of reads with %s', (_, other, now) => {
    expect(readsOf([{ ...first, ...other }, now])).toEqual([2])
  })

  it.each<[string, Partial<ReadEvent>, number]>([
    ['a second later', {}, 6000],
    ['before it, by a clock that was set back', {}, 4999],
    ['other parameters', { query: 'a=1' }, 5000],
    ['no parameters', { query: '' }, 5000],
    ['another operation', { operation: getOrder }, 5000],
    ['another revision', { revision: 2 }, 5000],
    ['another key', { key: keyState({ publicKey: 'another' }) }, 5000],
    ['another center', { key: { ...key, center: 'lodge' as typeof key.center } }, 5000],
    ['another channel', { key: { ...key, channel: 'assistant' } }, 5000],
    ['another list of the same records', { records: { ...records } }, 5000],
  ])('is not of reads with %s', (_, other, now) => {
    expect(readsOf([{ ...first, ...other }, now])).toEqual([1, 1])
  })

  it('is of 500 reads at most', () => {
    expect(readsOf(...Array.from({ length: 500 }, () => [first, 5000] as const))).toEqual([500, 1])
  })

  it('is looked for among the newest hundred of its list', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => [{ ...first, query: `start=${at}` }, 5000] as const)
    expect(readsOf(...others(99), [first, 5000])[0]).toBe(2)
    expect(readsOf(...others(100), [first, 5000])[0]).toBe(1)
  })
})

it('a list of records weighs once, with the first group that names it', () => {
  const shares = new MemoryShares(1000)
  const queue = new ReadQueue(shares)
  const first = read({ ids: ['b1', 'b2', 'b3'] })
  queue.add(first, 0)
  queue.add({ ...first, key: keyState({ publicKey: 'another' }) }, 0)
  expect(queue.take(2).map(({ weight }) => weight)).toEqual([8, 5])
  expect(shares.total).toBe(15)
})
