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

/** So that asking for ever stays within a key's limits, also where an answer does not wait. */
const PAUSE_MS = 5000

/** Where nothing new came and the service did not wait for it, such as while it stops. @param askedAt epoch ms */
export async function pause(connection: Connection, askedAt: number, signal?: AbortSignal): Promise<void> {
  if (Date.now() - askedAt < PAUSE_MS) await connection.sleep(PAUSE_MS, signal)
}

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
      const askedAt = Date.now()
      const waits = isCaughtUp ? { wait } : {}
      const page = await this.list(
        { ...rest, ...waits, ...(after === undefined ? {} : { after }) },
        { signal },
      )
      const isNew = page.cursor !== after
      after = page.cursor
      if (isNew) yield page
      else if (isCaughtUp) await pause(this.#connection, askedAt, signal)
      isCaughtUp = !page.more
    }
  }
}
