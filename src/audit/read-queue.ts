/**
 * Reads that are not in the trail yet. Adding one happens in every request, so it costs two look-ups and three
 * pushes; everything else waits until they are written.
 */
import type { ReadEvent } from '../answer/read-event.ts'

/** Reads that differ in nothing but their moment, request and status: one entry of the trail. */
export interface ReadGroup {
  readonly event: ReadEvent
  /** epoch ms of its first read */
  readonly at: number
  readonly offsetsMs: number[]
  readonly statuses: number[]
  readonly requestIds: string[]
}

/** So that an entry's moment says when its reads were; the list of reads (list-reads.ts) leans on it. */
export const GROUP_MS_MAX = 1000

/** Beside what it names, a group weighs so many reads. */
const GROUP_WEIGHT = 5

export class ReadQueue {
  #groups: ReadGroup[] = []
  // A kept answer has the same list of records each time, and few requests lead to it.
  #open = new Map<ReadEvent['records'], Map<string, ReadGroup[]>>()
  #weight = 0

  /** About what is held, in reads; a read is 100 bytes, an identifier it names about as much. */
  get weight(): number {
    return this.#weight
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
    this.#weight += 1
  }

  #groupOf(event: ReadEvent, now: number): ReadGroup {
    const { records, key } = event
    let ofRecords = this.#open.get(records)
    if (ofRecords === undefined) {
      ofRecords = new Map()
      this.#open.set(records, ofRecords)
    }
    let ofKey = ofRecords.get(key.publicKey)
    if (ofKey === undefined) {
      ofKey = []
      ofRecords.set(key.publicKey, ofKey)
    }
    for (const group of ofKey) {
      const age = now - group.at
      if (sameRead(group.event, event) && age >= 0 && age < GROUP_MS_MAX) return group
    }
    const group: ReadGroup = { event, at: now, offsetsMs: [], statuses: [], requestIds: [] }
    // A group that is too old for another read is not looked at again.
    ofKey.unshift(group)
    if (ofKey.length > SAME_KEY_GROUPS_MAX) ofKey.pop()
    this.#groups.push(group)
    this.#weight += GROUP_WEIGHT + records.ids.length
    return group
  }

  /** Takes out the oldest groups: at most so many, and all of them when there are fewer. */
  take(groupsMax: number): ReadGroup[] {
    if (this.#groups.length <= groupsMax) {
      const groups = this.#groups
      this.#groups = []
      this.#open = new Map()
      this.#weight = 0
      return groups
    }
    const groups = this.#groups.splice(0, groupsMax)
    for (const { event, requestIds } of groups) {
      this.#weight -= GROUP_WEIGHT + event.records.ids.length + requestIds.length
    }
    // What was taken is never added to again.
    this.#open = new Map()
    return groups
  }
}

const SAME_KEY_GROUPS_MAX = 8

function sameRead(a: ReadEvent, b: ReadEvent): boolean {
  return a.query === b.query && a.operation === b.operation && a.revision === b.revision
}
