/**
 * Which statements are prepared under a name, and which of them must be closed for a new one. A named statement saves
 * parsing and planning when it repeats, but stays in its backend until it is closed: half a megabyte for a page of
 * guests with many fields. A client may request any projection, so only statements that repeat are named, and the
 * number of names is bounded in this process and in each backend.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Texts of a few kilobytes each, in this process. */
const NAMES_MAX = 500
/** Digests of statements that have occurred once. */
const SEEN_ONCE_MAX = 2000
/** Per backend: at most 25 MB, and more shapes than integrations use to poll a center. */
export const PREPARED_MAX = 32

/** The names of statements in this process, by their text. */
export class StatementNames {
  readonly #names = new LRUCache<string, string>({ max: NAMES_MAX })
  readonly #seenOnce = new LRUCache<string, true>({ max: SEEN_ONCE_MAX })

  /** @returns undefined for a statement that has not occurred before, or so long ago that it is forgotten */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const digest = hash('sha1', text, 'base64url')
    if (!this.#seenOnce.delete(digest)) {
      this.#seenOnce.set(digest, true)
      return undefined
    }
    // By content: if a pooler mixes up the connections of two processes, a name is never that of another statement.
    const name = `sojourn_${digest}`
    this.#names.set(text, name)
    return name
  }
}

/** The names held by one backend, least recently used first. */
export class PreparedNames {
  readonly #names = new Set<string>()
  readonly #max: number

  constructor(max = PREPARED_MAX) {
    this.#max = max
  }

  /** Notes a use. @returns the name that must be closed to make room, if any */
  use(name: string): string | undefined {
    const isHeld = this.#names.delete(name)
    this.#names.add(name)
    if (isHeld || this.#names.size <= this.#max) return undefined
    const [oldest] = this.#names
    if (oldest !== undefined) this.#names.delete(oldest)
    return oldest
  }
}
