/**
 * Finished answers, cached in memory. The cache is bounded by bytes, and each center has at most a share of it, so one
 * busy center cannot evict the answers of all others.
 *
 * Each answer records the newest revision at which it is known to be current, and what it was made from. It remains
 * current until a commit touches what it was made from: a booking in March does not invalidate the pages of November.
 */
import { LRUCache } from 'lru-cache'
import type { Dependency } from '../changes/change.ts'
import type { ChangeLog } from '../changes/change-log.ts'
import type { Snapshot } from '../request/operation.ts'
import type { Encoding } from './encodings.ts'
import type { Basis } from './names.ts'
import type { ToldRecords } from './read-event.ts'

/** An answer as bytes, in the encodings that clients have requested so far. */
export interface KeptAnswer {
  /** name of the request (names.ts) */
  readonly name: string
  readonly etag: string
  /** revision of the center: the newest one at which the answer is known to be current */
  revision: number
  /** what the answer was made from; undefined: any commit of its center may change it */
  readonly madeFrom: readonly Dependency[] | undefined
  /** epoch ms at which the answer expires */
  readonly until: number
  readonly center: string
  /** its media type */
  readonly type: string
  readonly page: { readonly start: number; readonly length: number; readonly total: number } | undefined
  readonly snapshot: Snapshot | undefined
  readonly records: ToldRecords
  /** whether the answer holds nothing new yet, so a request that may wait goes on waiting */
  readonly isQuiet: boolean
  readonly identity: Buffer
  /**
   * each encoding is compressed once, when the first client requests it; the promise is what later requests wait for
   * until then
   */
  readonly encoded: Map<Encoding, Buffer | Promise<Buffer>>
}

export interface CacheNumbers {
  hits: number
  misses: number
  readonly entries: number
  readonly bytes: number
}

export interface AnswerCache {
  /**
   * Returns the answer of this name if it is current at the revision of the basis. Counts a hit or a miss. It is a promise
   * only if commits have to be looked at.
   * @throws {DatabaseUnavailable} if the commits in between cannot be read
   */
  current(name: string, basis: Basis): KeptAnswer | undefined | Promise<KeptAnswer | undefined>
  /** Replaces an answer of the same name, unless that one is newer. */
  set(answer: KeptAnswer): void
  readonly numbers: CacheNumbers
}

/**
 * Copies bytes into memory of their own. Buffers from `Buffer.from` and zlib are parts of larger blocks (64 and 16 KB),
 * and keeping the part keeps the block: a cache bounded to 32 MB would hold twice that.
 */
export function ownBytes(content: string | Buffer): Buffer {
  if (typeof content !== 'string') {
    const bytes = Buffer.allocUnsafeSlow(content.length)
    content.copy(bytes)
    return bytes
  }
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content))
  bytes.write(content)
  return bytes
}

/** Memory per entry in addition to its bytes: keys, objects, list links. */
const ENTRY_OVERHEAD_BYTES = 600
/** Compressed forms, as a share of the text. They are counted with the answer, before they exist. */
const ENCODED_SHARE = 0.5
/** The largest share of the cache for one center. */
const CENTER_SHARE = 0.25
/** The largest share for one answer: a large one must not evict all others of its center. */
const ENTRY_SHARE = 0.0625

export interface AnswerCacheOptions {
  /** bound for the whole cache; 0 caches nothing */
  readonly bytesMax: number
  readonly log: ChangeLog
  /** epoch ms */
  readonly clock: () => number
}

export function createAnswerCache({ bytesMax, log, clock }: AnswerCacheOptions): AnswerCache {
  const counts = { hits: 0, misses: 0 }
  if (bytesMax === 0) {
    return {
      current() {
        counts.misses += 1
        return undefined
      },
      set() {},
      numbers: Object.assign(counts, { entries: 0, bytes: 0 }),
    }
  }

  const centers = new Map<string, { bytes: number; names: Set<string> }>()
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: bytesMax,
    maxEntrySize: Math.max(1, Math.floor(bytesMax * ENTRY_SHARE)),
    sizeCalculation: sizeOf,
    dispose(answer) {
      const of = centers.get(answer.center)
      if (of === undefined || !of.names.delete(answer.name)) return
      of.bytes -= sizeOf(answer)
      if (of.names.size === 0) centers.delete(answer.center)
    },
  })
  const centerBytesMax = bytesMax * CENTER_SHARE

  const afterCommits = async (
    answer: KeptAnswer,
    { center, generation, revision }: Basis,
  ): Promise<KeptAnswer | undefined> => {
    const { madeFrom } = answer
    if (
      madeFrom === undefined ||
      (await log.isTouched({ center, generation }, answer.revision, revision, madeFrom))
    ) {
      counts.misses += 1
      return undefined
    }
    answer.revision = Math.max(answer.revision, revision)
    counts.hits += 1
    return answer
  }

  return {
    current(name, basis) {
      const answer = answers.get(name)
      if (answer === undefined || answer.until <= clock()) {
        counts.misses += 1
        return undefined
      }
      // As for most requests. An answer of another server has another name, so its revision is never compared.
      if (answer.revision >= basis.revision) {
        counts.hits += 1
        return answer
      }
      return afterCommits(answer, basis)
    },

    set(answer) {
      const before = answers.peek(answer.name)
      if (before !== undefined && before.revision > answer.revision) return
      answers.set(answer.name, answer)
      if (!answers.has(answer.name)) return
      let of = centers.get(answer.center)
      if (of === undefined) {
        of = { bytes: 0, names: new Set() }
        centers.set(answer.center, of)
      }
      of.names.add(answer.name)
      of.bytes += sizeOf(answer)
      // A set iterates in insertion order: the center's oldest answers are evicted first.
      for (const oldest of of.names) {
        if (of.bytes <= centerBytesMax) break
        answers.delete(oldest)
      }
    },

    get numbers() {
      return {
        ...counts,
        entries: answers.size,
        bytes: answers.calculatedSize,
      }
    },
  }
}

function sizeOf(answer: KeptAnswer): number {
  return (
    Math.ceil(answer.identity.length * (1 + ENCODED_SHARE)) +
    (answer.records.list?.length ?? 0) +
    ENTRY_OVERHEAD_BYTES
  )
}
