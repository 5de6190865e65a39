/**
 * Fresh and fast: a finished answer is kept under everything it depends on (center, revision, local day,
 * language, the request in normal form). Since the revision was read after the request came in, an answer
 * found under it is never older than the request; and its `ETag` is made of the same, so it is the same for
 * every key that may make the request, in every process.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Answer } from './operation.ts'

export interface StoredAnswer extends Answer {
  readonly body: string
  readonly etag: string
}

/** What an answer depends on besides the data. */
export interface AnswerKey {
  readonly center: string
  readonly today: string
  readonly language: string
  readonly operation: string
  readonly normalForm: string
}

export interface Freshness {
  etag(key: AnswerKey, revision: number): string
  get(etag: string): StoredAnswer | undefined
  store(answer: StoredAnswer): void
}

/** Besides its text an entry costs this much: keys, objects, list links. */
const ENTRY_OVERHEAD_BYTES = 500

/** @param cacheBytes the bound of the kept answers, in bytes; 0 keeps none. */
export function createFreshness(cacheBytes: number): Freshness {
  const answers =
    cacheBytes === 0
      ? undefined
      : new LRUCache<string, StoredAnswer>({
          maxSize: cacheBytes,
          // One large answer must not push all others out.
          maxEntrySize: Math.max(1, Math.floor(cacheBytes / 8)),
          sizeCalculation: (answer) =>
            Buffer.byteLength(answer.body) + answer.records.ids.length * 40 + ENTRY_OVERHEAD_BYTES,
        })
  return {
    // The etag is a digest of the whole key, so it serves as the cache's key too.
    etag: (key, revision) =>
      `"${hash(
        'sha256',
        `${key.center}\n${revision}\n${key.today}\n${key.language}\n${key.operation}\n${key.normalForm}`,
        'base64url',
      ).slice(0, 27)}"`,
    get: (etag) => answers?.get(etag),
    store: (answer) => void answers?.set(answer.etag, answer),
  }
}

/** Whether `If-None-Match` names this etag (RFC 9110: a list, `*`, weak comparison). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
