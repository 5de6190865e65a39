/**
 * Finished answers, kept in memory: bounded by bytes, and fair by center, so that one busy center cannot push
 * all others out. What an answer depends on is its key (freshness.ts), so nothing here is ever stale; old
 * revisions are simply never asked for again and fall out at the end.
 */
import { LRUCache } from 'lru-cache'
import type { Encoding } from './encodings.ts'

/** An answer as bytes, in the encodings it was asked for in so far. */
export interface KeptAnswer {
  readonly etag: string
  readonly center: string
  readonly page: { readonly start: number; readonly length: number; readonly total: number } | undefined
  readonly records: { readonly count: number; readonly ids: readonly string[] }
  readonly identity: Buffer
  /** compressed once, when the first client asks for it; until that is done, what the next ones wait for */
  readonly encoded: Map<Encoding, Buffer | Promise<Buffer>>
}

export interface CacheNumbers {
  hits: number
  misses: number
  readonly entries: number
  readonly bytes: number
}

export interface AnswerCache {
  get(etag: string): KeptAnswer | undefined
  set(answer: KeptAnswer): void
  readonly numbers: CacheNumbers
}

/**
 * The bytes in memory of their own. What `Buffer.from` and zlib return is a piece of a larger block (64 and
 * 16 KB), and who keeps the piece keeps the block: a cache bound to 32 MB then holds twice that.
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

/** Beside its bytes an entry costs this much: keys, objects, list links. */
const ENTRY_OVERHEAD_BYTES = 600
/** Compressed forms are a fraction of the text; they are counted when the answer is, before they exist. */
const ENCODED_SHARE = 0.5
/** No center takes more than this share of the whole. */
const CENTER_SHARE = 0.25
/** One large answer must not push a whole center's out. */
const ENTRY_SHARE = 0.0625

/** @param bytesMax the bound of everything kept; 0 keeps nothing. */
export function createAnswerCache(bytesMax: number): AnswerCache {
  const counts = { hits: 0, misses: 0 }
  if (bytesMax === 0) {
    return {
      get() {
        counts.misses += 1
        return undefined
      },
      set() {},
      numbers: Object.assign(counts, { entries: 0, bytes: 0 }),
    }
  }

  const centers = new Map<string, { bytes: number; etags: Set<string> }>()
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: bytesMax,
    maxEntrySize: Math.max(1, Math.floor(bytesMax * ENTRY_SHARE)),
    sizeCalculation: sizeOf,
    dispose(answer) {
      const of = centers.get(answer.center)
      if (of === undefined || !of.etags.delete(answer.etag)) return
      of.bytes -= sizeOf(answer)
      if (of.etags.size === 0) centers.delete(answer.center)
    },
  })
  const centerBytesMax = bytesMax * CENTER_SHARE

  return {
    get(etag) {
      const answer = answers.get(etag)
      if (answer === undefined) counts.misses += 1
      else counts.hits += 1
      return answer
    },

    set(answer) {
      if (answers.has(answer.etag)) return
      answers.set(answer.etag, answer)
      if (!answers.has(answer.etag)) return
      let of = centers.get(answer.center)
      if (of === undefined) {
        of = { bytes: 0, etags: new Set() }
        centers.set(answer.center, of)
      }
      of.etags.add(answer.etag)
      of.bytes += sizeOf(answer)
      // A set keeps the order of its insertions: the center's oldest answers go first.
      for (const oldest of of.etags) {
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
    answer.records.ids.length * 40 +
    ENTRY_OVERHEAD_BYTES
  )
}
