/** Reads that are written together, all or none. */
import { randomBytes } from 'node:crypto'
import type { EntryContent } from '../entry.ts'
import { type PreparedEntry, prepareEntries } from './prepare-entries.ts'
import type { ReadGroup } from './read-queue.ts'

export interface Batch {
  /** unique among all instances */
  readonly id: string
  readonly centers: readonly string[]
  /** the first entry; if it is in the trail, the whole batch is */
  readonly first: Pick<EntryContent, 'center_id' | 'at' | 'batch'>
  readonly reads: number
  /** weight in memory, by center */
  readonly weights: ReadonlyMap<string, number>
  /** the entries in pieces, each of which blocks the event loop only briefly */
  pieces(): Generator<PreparedEntry[]>
  /** set when the batch may have been written without confirmation */
  tried: boolean
  /** whether the batch is in the file of waiting reads, or being written there */
  stored: boolean
}

/** Preparing, hashing and sending a piece takes about a millisecond. */
const PIECE_GROUPS_MAX = 25
const PIECE_READS_MAX = 500

/** 96 random bits in 16 characters: every entry has it. */
export const newBatchId = (): string => randomBytes(12).toString('base64url')

/** @param groups at least one */
export function batchOfGroups(id: string, groups: readonly ReadGroup[]): Batch {
  const weights = new Map<string, number>()
  let reads = 0
  for (const { event, weight, requestIds } of groups) {
    reads += requestIds.length
    const { center } = event.key
    weights.set(center, (weights.get(center) ?? 0) + weight + requestIds.length)
  }
  const [first] = groups
  if (first === undefined) throw new Error('a batch of nothing')
  return {
    id,
    centers: [...weights.keys()],
    first: { center_id: first.event.key.center, at: first.at * 1000, batch: id },
    reads,
    weights,
    *pieces() {
      for (const piece of inPieces(groups, (group) => group.requestIds.length)) {
        yield prepareEntries(piece, id)
      }
    },
    tried: false,
    stored: false,
  }
}

/**
 * A batch that an earlier run left in the file. It may already have been written.
 * @param entries at least one, all of one batch
 */
export function batchOfEntries(entries: readonly PreparedEntry[]): Batch {
  const [first] = entries
  if (first === undefined) throw new Error('a batch of nothing')
  return {
    id: first.content.batch,
    centers: [...new Set(entries.map(({ content }) => content.center_id))],
    first: first.content,
    reads: entries.reduce((sum, { content }) => sum + content.reads, 0),
    weights: new Map(),
    *pieces() {
      yield* inPieces(entries, ({ content }) => content.reads)
    },
    tried: true,
    stored: true,
  }
}

function* inPieces<T>(all: readonly T[], readsOf: (one: T) => number): Generator<T[]> {
  let piece: T[] = []
  let reads = 0
  for (const one of all) {
    const more = readsOf(one)
    if (piece.length > 0 && (piece.length === PIECE_GROUPS_MAX || reads + more > PIECE_READS_MAX)) {
      yield piece
      piece = []
      reads = 0
    }
    piece.push(one)
    reads += more
  }
  if (piece.length > 0) yield piece
}
