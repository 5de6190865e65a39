/** `GET /changes`: what moved, in the order in which it happened. */
import { type CallOptions, type Connection, reportedError } from './connection.ts'
import { SojournError } from './error.ts'
import { readEvents, type StreamedEvent } from './events.ts'
import type { Change, ChangePage, Queries } from './openapi.ts'

type Query = Queries['listChanges']

export interface StreamOptions extends CallOptions, Pick<Query, 'kinds' | 'sessionId'> {
  /** The cursor to go on from; without it, from now on. */
  readonly from?: string | undefined
}

export interface FollowOptions extends StreamOptions, Pick<Query, 'length'> {
  /** Seconds that one request waits for a change where there is no stream, 30 at most and unless given. */
  readonly wait?: number | undefined
  /** Whether to keep a stream open; `false` asks with requests that wait. Your application may have one stream. */
  readonly stream?: boolean | undefined
}

/** So that asking for ever stays within a key's limits, also where an answer does not wait. */
const PAUSE_MS = 5000
/** Three of the signs of life that the service sends. */
const SILENCE_MS = 45_000

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
   * What moves, as the service sends it (`GET /changes/stream`): entries that arrived together, and the cursor after them.
   * It ends when the service ends it, after an hour at the latest.
   * @throws {SojournError} why there is no stream, or why it may not go on; TIMEOUT where it was silent; CONNECTION where
   * it broke. Go on from the newest cursor.
   */
  async *stream({ from, signal, ...rest }: StreamOptions = {}): AsyncGenerator<ChangePage, void, undefined> {
    const ends = new AbortController()
    const abort = () => ends.abort()
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const query = { ...rest, ...(from === undefined ? {} : { after: from }) }
      const opening = setTimeout(abort, SILENCE_MS)
      const response = await this.#connection
        .open('/changes/stream', query, 'text/event-stream', ends.signal)
        .finally(() => clearTimeout(opening))
      const { body } = response
      if (body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
        throw new SojournError('BAD_ANSWER', 'The answer is no stream of events.', { status: 200 })
      }
      let cursor = from
      for await (const events of readEvents(body, SILENCE_MS, ends.signal)) {
        const last = events.filter(({ id }) => id !== undefined).at(-1)?.id ?? cursor
        if (last !== undefined && last !== cursor) {
          cursor = last
          yield { data: events.filter(isEntry).map(entryOf), cursor: last, more: false }
        }
        const end = events.find(({ type }) => type === 'end')
        if (end !== undefined) throw reportedError(end.data ?? '', {})
      }
      signal?.throwIfAborted()
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      ends.abort()
      signal?.removeEventListener('abort', abort)
    }
  }

  /**
   * What moves, for as long as you go on asking: each time the entries and the cursor after them. Store the cursor
   * together with what you made of the entries; `from` goes on there. The first one may have no entries.
   *
   * What came since `from` is asked for, then a stream is opened; where it breaks, the same again from the newest
   * cursor. Where there is no stream to have, such as behind a proxy that collects answers, or while another one of this
   * application takes over, requests that wait take its place.
   * @throws {SojournError} GONE where the cursor is too old: start again without one, and read everything once
   */
  async *follow({
    from,
    wait = 30,
    stream = true,
    length,
    ...rest
  }: FollowOptions = {}): AsyncGenerator<ChangePage, never, undefined> {
    const { signal, ...filter } = rest
    let after = from
    let streams = stream
    let isCaughtUp = false
    for (;;) {
      const askedAt = Date.now()
      if (isCaughtUp && streams) {
        streams = false
        try {
          for await (const page of this.stream({ ...rest, from: after })) {
            streams = true
            after = page.cursor
            yield page
          }
          // It was ended as it should be, also where nothing moved in its hour.
          streams = true
        } catch (error) {
          signal?.throwIfAborted()
          if (!(error instanceof SojournError)) throw error
          // One that lived has worked, also where nothing moved.
          streams ||= Date.now() - askedAt > 2 * SILENCE_MS
          // Opened again, it would end the other stream of this application, which would then come back.
          if (error.code === 'RATE_LIMITED') streams = false
        }
        isCaughtUp = false
        await pause(this.#connection, askedAt, signal)
        continue
      }
      const page = await this.list(
        {
          ...filter,
          ...(length === undefined ? {} : { length }),
          ...(isCaughtUp ? { wait } : {}),
          ...(after === undefined ? {} : { after }),
        },
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

const isEntry = ({ type, data }: StreamedEvent) => type === 'message' && data !== undefined

/** The service answers what its OpenAPI document says. */
function entryOf({ data = '' }: StreamedEvent): Change {
  const change: Change = JSON.parse(data)
  return change
}
