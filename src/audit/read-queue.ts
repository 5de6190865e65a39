/**
 * Reads that are not in the trail yet. Adding one happens in every request, so it costs two look-ups and three
 * pushes; everything else waits until they are written.
 */
import type { ReadEvent, ToldRecords } from '../answer/read-event.ts'
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
  /** by what the answer told of its records, which is the same each time an answer is kept: the newest group first */
  #open = new Map<ToldRecords, OpenGroup>()

  /** @param shares weighed in reads: one is 100 bytes, an identifier that is named about as much */
  constructor(shares: MemoryShares) {
    this.#shares = shares
  }

  /** how many groups are held */
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
    // Most groups are of one read: a list that is made with its first value has no room for others.
    const group: ReadGroup = {
      event,
      query: normalQuery(event.query),
      at: now,
      offsetsMs: [0],
      statuses: [event.status],
      requestIds: [event.requestId],
      weight: GROUP_WEIGHT + (older === undefined ? namedIn(event.records) : 0),
    }
    this.#open.set(event.records, { group, older })
    this.#groups.push(group)
    this.#shares.add(event.key.center, group.weight)
  }

  /** Takes out the oldest groups, at most so many. What they weigh is held until their batch is written. */
  take(groupsMax: number): ReadGroup[] {
    // What was taken is never added to again.
    this.#open = new Map()
    return this.#groups.splice(0, groupsMax)
  }
}

/** A list is as long as the records that it names. */
const namedIn = ({ count, list }: ToldRecords) => (list === undefined ? 0 : count)

interface OpenGroup {
  readonly group: ReadGroup
  readonly older: OpenGroup | undefined
}

/** So many groups of one answer are looked at, as many as a center has keys that read the same at one moment. */
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
    // A public key says whose it is; but what is of two centers never stands in one entry, whatever it says.
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
