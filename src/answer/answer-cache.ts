/**
 * Finished answers, kept in memory: bounded by bytes, and fair by center, so that one busy center cannot push
 * all others out. Each says at which revision it was last the newest state and what it was made from; whether it
 * still is the newest is decided in still-newest.ts, and nothing leaves here that was not found to be.
 */
import { LRUCache } from 'lru-cache'
import type { Dependency } from '../changes/change.ts'
import type { Snapshot } from '../request/operation.ts'
import type { Encoding } from './encodings.ts'

/** An answer as bytes, in the encodings it was asked for in so far. */
export interface KeptAnswer {
  /** of what was asked for (names.ts) */
  readonly name: string
  readonly etag: string
  /** of its center; the newest one at which it is known to be the newest state */
  revision: number
  /** what it was made from; undefined: any commit of its center may change it */
  readonly madeFrom: readonly Dependency[] | undefined
  /** epoch ms; it is of no use from then on */
  readonly until: number
  readonly center: string
  /** its media type */
  readonly type: string
  readonly page: { readonly start: number; readonly length: number; readonly total: number } | undefined
  readonly snapshot: Snapshot | undefined
  readonly records: { readonly count: number; readonly ids: readonly string[] }
  /** whether nothing of what was asked for has come yet */
  readonly isQuiet: boolean
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
  /** Whatever its revision. It is not counted: only the caller knows whether it is of use. */
  get(name: string): KeptAnswer | undefined
  /** Keeps the answer in place of an older one of its name; a newer one stays. */
  set(answer: KeptAnswer): void
  count(what: 'hits' | 'misses'): void
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
      get: () => undefined,
      set() {},
      count(what) {
        counts[what] += 1
      },
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

  return {
    get: (name) => answers.get(name),

    count(what) {
      counts[what] += 1
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
      // A set keeps the order of its insertions: the center's oldest answers go first.
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
    answer.records.ids.length * 40 +
    ENTRY_OVERHEAD_BYTES
  )
}
