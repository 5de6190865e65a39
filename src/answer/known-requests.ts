/** What is known of a request's text once it was answered, so that asking again parses nothing. */
import { LRUCache } from 'lru-cache'
import type { Need } from '../request/operation.ts'
import { type Basis, requestName } from './names.ts'

export interface KnownRequest {
  /** of its answer (names.ts) */
  readonly name: string
  readonly needs: readonly Need[]
  /** the query as the audit trail is told it */
  readonly told: string
  /** The `Link` header of the answer that has this tag. */
  readonly link: { readonly etag: string; readonly text: string | undefined }
}

export interface KnownRequests {
  get(basis: Basis, url: string): KnownRequest | undefined
  set(basis: Basis, url: string, known: KnownRequest): void
}

/**
 * In characters, of 5000 usual requests. With a long list of fields one has 6000, most of them in its `Link` header, so
 * that 5000 of them held 30 MB; their number alone is no bound. One that falls out is parsed again, in ten microseconds.
 */
const CHARACTERS_MAX = 5_000_000
/** A longer text is parsed again each time rather than kept. */
const URL_LENGTH_MAX = 2000

export function createKnownRequests(): KnownRequests {
  const requests = new LRUCache<string, KnownRequest>({
    maxSize: CHARACTERS_MAX,
    sizeCalculation: ({ name, told, link }, key) =>
      key.length + name.length + told.length + (link.text?.length ?? 0),
  })
  return {
    get: (basis, url) => requests.get(requestName(basis, url)),
    set(basis, url, known) {
      if (url.length <= URL_LENGTH_MAX) requests.set(requestName(basis, url), known)
    },
  }
}
