/**
 * Reads that are not in the trail yet, and the memory that they take. Every request adds one, so adding costs only a few
 * look-ups and three pushes. All other work waits until they are written.
 */
import type { ReadEvent, RecordsRead } from '../../answer/read-event.ts'

/**
 * Divides the memory for waiting reads among centers. While half of it is free, every center has room. After that, a
 * center has room up to an equal share of the other half, so no center's reads are refused because of another center.
 */
export class MemoryShares {
  readonly #half: number
  #total = 0
  readonly #ofCenter = new Map<string, number>()

  constructor(weightMax: number) {
    this.#half = weightMax / 2
  }

  get total(): number {
    return this.#total
  }

  hasRoom(center: string): boolean {
    if (this.#total < this.#half) return true
    // Shares shrink as centers are added, so earlier centers may exceed theirs. This is the absolute limit.
    if (this.#total > 3 * this.#half) return false
    const held = this.#ofCenter.get(center)
    return held === undefined || held < this.#half / this.#ofCenter.size
  }

  add(center: string, weight: number): void {
    this.#total += weight
    this.#ofCenter.set(center, (this.#ofCenter.get(center) ?? 0) + weight)
  }

  remove(center: string, weight: number): void {
    this.#total -= weight
    const left = (this.#ofCenter.get(center) ?? 0) - weight
    if (left > 0) this.#ofCenter.set(center, left)
    else this.#ofCenter.delete(center)
  }
}

/** Reads that differ only in time, request and status: one entry of the trail. */
export interface ReadGroup {
  readonly event: ReadEvent
  /** the parameters in normal form, independent of their encoding and order */
  readonly query: string
  /** epoch ms of the first read */
  readonly at: number
  readonly offsetsMs: number[]
  readonly statuses: number[]
  readonly requestIds: string[]
  /** weight of the group, and of the identifiers that it is the first to name; each read adds one */
  readonly weight: number
}

/** Bounds the time between an entry's first and last read; the list of reads (list-reads.ts) depends on it. */
export const GROUP_MS_MAX = 1000

/** Bounds the time to hash and write an entry: 500 reads are 25 kB. */
export const GROUP_READS_MAX = 500

/** Weight of a group without the records that it names, in reads. */
const GROUP_WEIGHT = 5

/** Groups reads, and takes out the oldest groups for writing. */
export class ReadQueue {
  readonly #shares: MemoryShares
  #groups: ReadGroup[] = []
  /** the newest group first, by the records object of the answer, which is the same for all reads of a cached answer */
  #open = new Map<RecordsRead, OpenGroup>()

  /** @param shares weighed in reads: a read takes 100 bytes, and an identifier about as much */
  constructor(shares: MemoryShares) {
    this.#shares = shares
  }

  /** number of groups */
  get size(): number {
    return this.#groups.length
  }

  add(event: ReadEvent, now: number): void {
    this.#shares.add(event.key.center, 1)
    const newest = this.#open.get(event.records)
    const group = newest && groupOf(newest, event, now)
    if (group === undefined) {
      this.#begin(event, now, newest)
      return
    }
    group.offsetsMs.push(now - group.at)
    group.statuses.push(event.status)
    group.requestIds.push(event.requestId)
  }

  #begin(event: ReadEvent, now: number, older: OpenGroup | undefined): void {
    // Most groups have one read. An array literal with the first value reserves no room for more.
    const group: ReadGroup = {
      event,
      query: normalQuery(event.query),
      at: now,
      offsetsMs: [0],
      statuses: [event.status],
      requestIds: [event.requestId],
      weight:
        GROUP_WEIGHT + (older === undefined && event.records.list !== undefined ? event.records.count : 0),
    }
    this.#open.set(event.records, { group, older })
    this.#groups.push(group)
    this.#shares.add(event.key.center, group.weight)
  }

  /** Removes and returns the oldest groups, at most `groupsMax`. Their weight counts until their batch is written. */
  take(groupsMax: number): ReadGroup[] {
    // Groups that were taken must not get further reads.
    this.#open = new Map()
    return this.#groups.splice(0, groupsMax)
  }
}

interface OpenGroup {
  readonly group: ReadGroup
  readonly older: OpenGroup | undefined
}

/**
 * The maximum number of groups examined for one answer: enough for the keys of a center that read the same at one
 * moment.
 */
const LOOKED_AT_MAX = 100

function groupOf(newest: OpenGroup, event: ReadEvent, now: number): ReadGroup | undefined {
  let query: string | undefined
  let looked = 0
  for (
    let open: OpenGroup | undefined = newest;
    open !== undefined && looked < LOOKED_AT_MAX;
    open = open.older
  ) {
    const { group } = open
    looked += 1
    if (!isOpen(group, event, now)) continue
    if (group.event.query === event.query) return group
    query ??= normalQuery(event.query)
    if (group.query === query) return group
  }
  return undefined
}

function isOpen(group: ReadGroup, event: ReadEvent, now: number): boolean {
  const of = group.event
  const age = now - group.at
  return (
    of.operation === event.operation &&
    of.revision === event.revision &&
    // A public key determines its center. This check ensures that an entry never mixes two centers all the same.
    of.key.center === event.key.center &&
    of.key.publicKey === event.key.publicKey &&
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
