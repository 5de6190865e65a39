/** Parsed requests by their text, so that a repeated request is not parsed again. */
import { LRUCache } from 'lru-cache'
import type { RequiredScope } from '../request/operation.ts'
import { type Basis, requestKey } from './cache-keys.ts'

export interface KnownRequest {
  /** key of its answer (cache-keys.ts) */
  readonly cacheKey: string
  readonly requiredScopes: readonly RequiredScope[]
  /** the query as the audit trail records it */
  readonly recorded: string
  /** The `Link` header for the answer with this ETag. */
  readonly link: { readonly etag: string; readonly text: string | undefined }
}

export interface KnownRequests {
  get(basis: Basis, url: string): KnownRequest | undefined
  set(basis: Basis, url: string, known: KnownRequest): void
}

/**
 * In bytes: enough for 5000 usual requests. A request with a long list of fields has 6000, most of them in its `Link`
 * header, so bounding only the number of requests let 5000 of them hold 30 MB. An evicted request is parsed again, in
 * ten microseconds.
 */
const BYTES_MAX = 5_000_000
/** Of a request, in addition to its texts: objects, list links. Those of a short request are as much as its texts. */
const ENTRY_OVERHEAD_BYTES = 300
/** A longer URL is not cached, but parsed each time. */
const URL_LENGTH_MAX = 2000

/** Creates the cache, bounded by its size. */
export function createKnownRequests(): KnownRequests {
  const requests = new LRUCache<string, KnownRequest>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ cacheKey, recorded, link }, key) =>
      ENTRY_OVERHEAD_BYTES + key.length + cacheKey.length + recorded.length + (link.text?.length ?? 0),
  })
  return {
    get: (basis, url) => requests.get(requestKey(basis, url)),
    set(basis, url, known) {
      if (url.length <= URL_LENGTH_MAX) requests.set(requestKey(basis, url), known)
    },
  }
}
