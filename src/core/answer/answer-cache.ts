/**
 * Finished answers, cached in memory. The cache is bounded by bytes, and each center has at most a share of it, so one
 * busy center cannot evict the answers of all others.
 *
 * Each answer records the newest revision at which it is known to be current, and what it was made from. It remains
 * current until a commit touches what it was made from: a booking in March does not invalidate the pages of November.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Dependency } from '../changes/change.ts'
import type { ChangeLog } from '../changes/change-log.ts'
import type { Snapshot } from '../request/operation.ts'
import type { Basis } from './cache-keys.ts'
import type { Encoding } from './encodings.ts'
import type { RecordsRead } from './read-event.ts'

/** An answer as bytes, in the encodings that clients have requested so far. */
export interface CachedAnswer {
  /** key of the answer (cache-keys.ts) */
  readonly cacheKey: string
  readonly etag: string
  /** revision of the center: the newest one at which the answer is known to be current */
  revision: number
  /** what the answer was made from; undefined: any commit of its center may change it */
  readonly dependencies: readonly Dependency[] | undefined
  /** epoch ms at which the answer expires */
  readonly until: number
  readonly center: string
  /** its media type */
  readonly type: string
  readonly page: { readonly start: number; readonly length: number; readonly total: number } | undefined
  readonly snapshot: Snapshot | undefined
  readonly records: RecordsRead
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
   * Returns the answer of this key if it is current at the revision of the basis. Counts a hit or a miss. It is a promise
   * only if commits have to be looked at.
   * @throws {DatabaseUnavailable} if the commits in between cannot be read
   */
  current(cacheKey: string, basis: Basis): CachedAnswer | undefined | Promise<CachedAnswer | undefined>
  /** Replaces an answer of the same key, unless that one is newer. */
  set(answer: CachedAnswer): void
  readonly numbers: CacheNumbers
}

/**
 * Copies bytes into memory of their own. Buffers from `Buffer.from` and zlib are parts of larger blocks (64 and 16 KB),
 * and a reference to the part retains the block: a cache bounded to 32 MB would hold twice that.
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

export interface Hashed {
  /** in memory of its own (`ownBytes`) */
  readonly bytes: Buffer
  readonly sha256: string
}

/** @returns the body's bytes in UTF-8, and their SHA-256 in base64url */
export function bytesOf(body: string | Buffer): Hashed {
  const bytes = typeof body === 'string' ? ownBytes(body) : body
  return { bytes, sha256: hash('sha256', bytes, 'base64url') }
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

  const centers = new Map<string, { bytes: number; keys: Set<string> }>()
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: bytesMax,
    maxEntrySize: Math.max(1, Math.floor(bytesMax * ENTRY_SHARE)),
    sizeCalculation: sizeOf,
    dispose(answer) {
      const of = centers.get(answer.center)
      if (of === undefined || !of.keys.delete(answer.cacheKey)) return
      of.bytes -= sizeOf(answer)
      if (of.keys.size === 0) centers.delete(answer.center)
    },
  })
  const centerBytesMax = bytesMax * CENTER_SHARE

  const afterCommits = async (
    answer: CachedAnswer,
    { center, generation, revision }: Basis,
  ): Promise<CachedAnswer | undefined> => {
    const { dependencies } = answer
    if (
      dependencies === undefined ||
      (await log.isTouched({ center, generation }, answer.revision, revision, dependencies))
    ) {
      counts.misses += 1
      return undefined
    }
    answer.revision = Math.max(answer.revision, revision)
    counts.hits += 1
    return answer
  }

  return {
    current(cacheKey, basis) {
      const answer = answers.get(cacheKey)
      if (answer === undefined || answer.until <= clock()) {
        counts.misses += 1
        return undefined
      }
      // As for most requests. An answer of another server has another key, so its revision is never compared.
      if (answer.revision >= basis.revision) {
        counts.hits += 1
        return answer
      }
      return afterCommits(answer, basis)
    },

    set(answer) {
      const before = answers.peek(answer.cacheKey)
      if (before !== undefined && before.revision > answer.revision) return
      answers.set(answer.cacheKey, answer)
      if (!answers.has(answer.cacheKey)) return
      let of = centers.get(answer.center)
      if (of === undefined) {
        of = { bytes: 0, keys: new Set() }
        centers.set(answer.center, of)
      }
      of.keys.add(answer.cacheKey)
      of.bytes += sizeOf(answer)
      // A set iterates in insertion order: the center's oldest answers are evicted first.
      for (const oldest of of.keys) {
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

function sizeOf(answer: CachedAnswer): number {
  return (
    Math.ceil(answer.identity.length * (1 + ENCODED_SHARE)) +
    (answer.records.list?.length ?? 0) +
    ENTRY_OVERHEAD_BYTES
  )
}
