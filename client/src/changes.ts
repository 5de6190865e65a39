/** `GET /changes`: what moved, in the order in which it happened. */
import type { CallOptions, Connection } from './connection.ts'
import type { ChangePage, Queries } from './openapi.ts'

type Query = Queries['listChanges']

export interface FollowOptions extends CallOptions, Pick<Query, 'kinds' | 'sessionId' | 'length'> {
  /** The cursor to go on from; without it, from now on. */
  readonly from?: string | undefined
  /** Seconds that one request waits for a change, 30 at most and unless given. */
  readonly wait?: number | undefined
}

/** An answer that came without waiting and holds nothing new is not asked for again at once. */
const PAUSE_MS = 1000

export class Changes {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What moved since the cursor `after`; without it, nothing but the newest cursor. */
  async list(query: Query = {}, options?: CallOptions): Promise<ChangePage> {
    const extraMs = (query.wait ?? 0) * 1000
    return (await this.#connection.get<ChangePage>('/changes', query, { ...options, extraMs })).body
  }

  /**
   * What moves, for as long as you go on asking: each time the entries and the cursor after them. Store the cursor
   * together with what you made of the entries; `from` goes on there. The first one may have no entries.
   * @throws {SojournError} GONE where the cursor is too old: start again without one, and read everything once
   */
  async *follow({
    from,
    wait = 30,
    signal,
    ...rest
  }: FollowOptions = {}): AsyncGenerator<ChangePage, never, undefined> {
    let after = from
    let isCaughtUp = false
    for (;;) {
      const waits = isCaughtUp ? { wait } : {}
      const page = await this.list(
        { ...rest, ...waits, ...(after === undefined ? {} : { after }) },
        { signal },
      )
      const isNew = page.cursor !== after
      after = page.cursor
      if (isNew) yield page
      else if (isCaughtUp && wait < 1) await this.#connection.sleep(PAUSE_MS, signal)
      isCaughtUp = !page.more
    }
  }
}
