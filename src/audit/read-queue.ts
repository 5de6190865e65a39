/**
 * Reads that are not in the trail yet. Adding one happens in every request, so it costs two look-ups and three
 * pushes; everything else waits until they are written.
 */
import type { ReadEvent } from '../answer/read-event.ts'
import type { MemoryShares } from './memory-shares.ts'

/** Reads that differ in nothing but their moment, request and status: one entry of the trail. */
export interface ReadGroup {
  readonly event: ReadEvent
  /** the parameters in normal form: one text for all ways to encode and to order them */
  readonly query: string
  /** epoch ms of its first read */
  readonly at: number
  readonly offsetsMs: number[]
  readonly statuses: number[]
  readonly requestIds: string[]
  /** of the group and of the list that it was the first to name; each of its reads weighs one more */
  readonly weight: number
}

/** So that an entry's moment says when its reads were; the list of reads (list-reads.ts) leans on it. */
export const GROUP_MS_MAX = 1000

/** So that no entry takes long to hash and to write: 500 reads are 25 kB. */
export const GROUP_READS_MAX = 500

/** Beside what it names, a group weighs so many reads. */
const GROUP_WEIGHT = 5

export class ReadQueue {
  readonly #shares: MemoryShares
  #groups: ReadGroup[] = []
  // A kept answer has the same list of records each time, and few requests lead to it.
  #open = new Map<ReadEvent['records'], Map<string, ReadGroup[]>>()

  /** @param shares weighed in reads: one is 100 bytes, an identifier that is named about as much */
  constructor(shares: MemoryShares) {
    this.#shares = shares
  }

  /** how many groups are held */
  get size(): number {
    return this.#groups.length
  }

  add(event: ReadEvent, now: number): void {
    const group = this.#groupOf(event, now)
    group.offsetsMs.push(now - group.at)
    group.statuses.push(event.status)
    group.requestIds.push(event.requestId)
    this.#shares.add(event.key.center, 1)
  }

  #groupOf(event: ReadEvent, now: number): ReadGroup {
    const { records, key } = event
    let ofRecords = this.#open.get(records)
    const listWeight = ofRecords === undefined ? records.ids.length : 0
    if (ofRecords === undefined) {
      ofRecords = new Map()
      this.#open.set(records, ofRecords)
    }
    let ofKey = ofRecords.get(key.publicKey)
    if (ofKey === undefined) {
      ofKey = []
      ofRecords.set(key.publicKey, ofKey)
    }
    let query: string | undefined
    for (const group of ofKey) {
      if (!isOpen(group, event, now)) continue
      if (group.event.query === event.query) return group
      query ??= normalQuery(event.query)
      if (group.query === query) return group
    }
    const weight = GROUP_WEIGHT + listWeight
    const group: ReadGroup = {
      event,
      query: query ?? normalQuery(event.query),
      at: now,
      offsetsMs: [],
      statuses: [],
      requestIds: [],
      weight,
    }
    // A group that is too old for another read is not looked at again.
    ofKey.unshift(group)
    if (ofKey.length > SAME_KEY_GROUPS_MAX) ofKey.pop()
    this.#groups.push(group)
    this.#shares.add(key.center, weight)
    return group
  }

  /** Takes out the oldest groups, at most so many. What they weigh is held until their batch is written. */
  take(groupsMax: number): ReadGroup[] {
    // What was taken is never added to again.
    this.#open = new Map()
    return this.#groups.splice(0, groupsMax)
  }
}

const SAME_KEY_GROUPS_MAX = 8

function isOpen(group: ReadGroup, event: ReadEvent, now: number): boolean {
  const of = group.event
  const age = now - group.at
  return (
    of.operation === event.operation &&
    of.revision === event.revision &&
    // A public key says whose it is; but what is of two centers never stands in one entry, whatever it says.
    of.key.center === event.key.center &&
    of.key.channel === event.key.channel &&
    age >= 0 &&
    age < GROUP_MS_MAX &&
    group.requestIds.length < GROUP_READS_MAX
  )
}

function normalQuery(query: string): string {
  if (query === '') return ''
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return parameters.toString()
}
