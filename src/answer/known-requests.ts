/** What is known of a request's text once it was answered, so that asking again parses nothing. */
import { LRUCache } from 'lru-cache'
import type { Need } from '../request/operation.ts'
import { type Basis, requestName } from './names.ts'

export interface KnownRequest {
  /** of its answer */
  readonly tag: string
  readonly needs: readonly Need[]
  /** the `Link` header of its answer */
  readonly link: string | undefined
}

export interface KnownRequests {
  /** Nothing where the center has changed since: the answer then has another tag. */
  get(basis: Basis, url: string): KnownRequest | undefined
  set(basis: Basis, url: string, known: KnownRequest): void
}

/** A kilobyte each; one that falls out is parsed again, in ten microseconds. */
const KNOWN_REQUESTS_MAX = 5000
/** A longer text is parsed again each time rather than kept. */
const URL_LENGTH_MAX = 2000

export function createKnownRequests(): KnownRequests {
  const requests = new LRUCache<string, KnownRequest & { readonly of: Basis }>({ max: KNOWN_REQUESTS_MAX })
  return {
    get(basis, url) {
      const known = requests.get(requestName(basis, url))
      if (known === undefined) return undefined
      const { revision, profileRevision } = known.of
      return revision === basis.revision && profileRevision === basis.profileRevision ? known : undefined
    },
    set(basis, url, known) {
      if (url.length <= URL_LENGTH_MAX) requests.set(requestName(basis, url), { ...known, of: basis })
    },
  }
}
