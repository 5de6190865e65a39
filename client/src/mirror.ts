/** A local copy of a center's guests, sessions and orders, updated through `GET /changes`. */
import { Changes, pause } from './changes.ts'
import type { CallOptions, Connection } from './connection.ts'
import { SojournError } from './error.ts'
import type { Change, ListedOrder, Me, Session } from './openapi.ts'
import { USUAL_FIELDS } from './projection.ts'
import { readPages } from './read-pages.ts'
import { KINDS, type Kind, type MirrorStore, type Place, type Write } from './store.ts'

export interface MirrorOptions<Names = readonly string[]> {
  /** What to copy: all that the key may read unless given. */
  readonly kinds?: readonly Kind[]
  /** The fields of guests; the usual ones unless given. `id` is always among them. */
  readonly project?: Names
  /** Only the guests of one session, and the session itself. */
  readonly sessionId?: string
}

/** The records of one kind in the copy. */
export interface Copy<Item> {
  get(id: string): Promise<Item | undefined>
  all(): AsyncIterable<Item>
}

/** Every stay, session and order: the service wants a range. */
const ALWAYS = { startDate: '0001-01-01', endDate: '9999-12-31' }
/** The most that one answer of the feed has. */
const ENTRIES_MAX = 1000

/** @typeParam Guest a guest of the copy */
export class Mirror<Guest> {
  readonly guests: Copy<Guest>
  readonly sessions: Copy<Session>
  readonly orders: Copy<ListedOrder>
  readonly #connection: Connection
  readonly #changes: Changes
  readonly #store: MirrorStore
  readonly #options: MirrorOptions
  #kinds: readonly Kind[] | undefined

  constructor(connection: Connection, store: MirrorStore, options: MirrorOptions) {
    this.#connection = connection
    this.#changes = new Changes(connection)
    this.#store = store
    this.#options = options
    this.#kinds = options.kinds
    this.guests = copyOf(store, 'guests')
    this.sessions = copyOf(store, 'sessions')
    this.orders = copyOf(store, 'orders')
  }

  /**
   * Brings the copy up to date. The first time, after a change of what is copied, and where the service does not know
   * any more what came since, it is made anew.
   * @returns what was written; undefined where nothing had moved
   */
  async update(options: CallOptions = {}): Promise<Write | undefined> {
    return this.#update(0, options)
  }

  /** Brings the copy up to date and keeps it so, for as long as you go on asking. Each time what was written. */
  async *follow(
    options: CallOptions & { readonly wait?: number } = {},
  ): AsyncGenerator<Write, never, undefined> {
    for (let wait = 0; ; wait = options.wait ?? 30) {
      const askedAt = Date.now()
      const write = await this.#update(wait, options)
      if (write !== undefined) yield write
      else await pause(this.#connection, askedAt, options.signal)
    }
  }

  async #update(wait: number, options: CallOptions): Promise<Write | undefined> {
    const kinds = this.#kinds ?? (await this.#readableKinds(options))
    this.#kinds = kinds
    const { project, sessionId } = this.#options
    const question = JSON.stringify([kinds, project, sessionId, this.#connection.locale])
    const place = await this.#store.place()
    const write = await this.#next(place?.question === question ? place : undefined, kinds, wait, options)
    if (write === undefined) return undefined
    const whole = { ...write, place: { cursor: write.cursor, question } }
    await this.#store.write(whole)
    return whole
  }

  async #next(place: Place | undefined, kinds: readonly Kind[], wait: number, options: CallOptions) {
    if (place === undefined) return this.#everything(kinds, options)
    try {
      return await this.#since(place.cursor, kinds, wait, options)
    } catch (error) {
      if (error instanceof SojournError && error.code === 'GONE') return this.#everything(kinds, options)
      throw error
    }
  }

  /** First the cursor, then the lists: what changes meanwhile comes after the cursor. */
  async #everything(kinds: readonly Kind[], options: CallOptions) {
    const { cursor } = await this.#changes.list(this.#feed(kinds), options)
    return { cursor, cleared: KINDS, deleted: [], put: await this.#read(kinds, undefined, options) }
  }

  async #since(after: string, kinds: readonly Kind[], wait: number, options: CallOptions) {
    const entries: Change[] = []
    let cursor = after
    for (let more = true; more; ) {
      const page = await this.#changes.list(
        {
          ...this.#feed(kinds),
          after: cursor,
          length: ENTRIES_MAX,
          ...(cursor === after && wait > 0 ? { wait } : {}),
        },
        options,
      )
      entries.push(...page.data)
      ;({ cursor, more } = page)
    }
    if (cursor === after) return undefined
    const withOperation = (...operations: Change['operation'][]) =>
      entries.filter(({ operation }) => operations.includes(operation))
    const kindsOf = (some: readonly Change[]) => kinds.filter((kind) => some.some((one) => one.kind === kind))
    const cleared = kindsOf(withOperation('readAgain'))
    const moved = kindsOf(withOperation('created', 'changed')).filter((kind) => !cleared.includes(kind))
    return {
      cursor,
      cleared,
      deleted: withOperation('deleted').flatMap(({ kind: named, id }) => {
        const kind = kinds.find((one) => one === named)
        return kind === undefined || id === null ? [] : [{ kind, id }]
      }),
      // Read after the entries, so they show each record as it was at the cursor or later.
      put: [...(await this.#read(cleared, undefined, options)), ...(await this.#read(moved, after, options))],
    }
  }

  async #readableKinds(options: CallOptions): Promise<readonly Kind[]> {
    const { scopes } = (await this.#connection.get<Me>('/me', {}, options)).body.key
    // An order is in no session.
    const isPart = this.#options.sessionId !== undefined
    return KINDS.filter((kind) => scopes.includes(kind) && !(isPart && kind === 'orders'))
  }

  #feed(kinds: readonly Kind[]) {
    const { sessionId } = this.#options
    return { kinds: [...kinds], ...(sessionId === undefined ? {} : { sessionId }) }
  }

  /** The records of some kinds; with a cursor, those that have moved since. */
  async #read(
    kinds: readonly Kind[],
    changedAfter: string | undefined,
    options: CallOptions,
  ): Promise<Write['put']> {
    const { sessionId, project = USUAL_FIELDS } = this.#options
    const since = changedAfter === undefined ? {} : { changedAfter }
    const range = { ...ALWAYS, ...since }
    const put: Write['put'][number][] = []
    if (kinds.includes('guests')) {
      const stays = sessionId === undefined ? range : { sessionId, ...since }
      const query = { ...stays, project: [...new Set([...project, 'id'])] }
      const list = { path: '/guests', query, idOf: ({ id }: { readonly id: string }) => id }
      for await (const record of readPages(this.#connection, list, options)) {
        put.push({ kind: 'guests', id: record.id, record })
      }
    }
    if (kinds.includes('sessions')) {
      const list = { path: '/sessions', query: range, idOf: ({ _id }: Session) => _id }
      for await (const record of readPages(this.#connection, list, options)) {
        if (sessionId !== undefined && record._id !== sessionId) continue
        put.push({ kind: 'sessions', id: record._id, record })
      }
    }
    if (kinds.includes('orders')) {
      const query = { ...range, includeGuestNames: true }
      const { body } = await this.#connection.get<ListedOrder[]>('/orders', query, options)
      put.push(...body.map((record) => ({ kind: 'orders' as const, id: record.uuid, record })))
    }
    return put
  }
}

const copyOf = <Item>(store: MirrorStore, kind: Kind): Copy<Item> => ({
  // A store gives what was put.
  get: (id) => store.get({ kind, id }) as Promise<Item | undefined>,
  all: () => store.all(kind) as AsyncIterable<Item>,
})
