/** What a mirror keeps its copy in. */

export type Kind = 'guests' | 'sessions' | 'orders'
export const KINDS = ['guests', 'sessions', 'orders'] as const satisfies readonly Kind[]

export interface RecordKey {
  readonly kind: Kind
  readonly id: string
}

/** Up to where a copy goes, and of what it is one. */
export interface Place {
  readonly cursor: string
  /** What the mirror asks for: if that has changed, the copy is made anew. */
  readonly question: string
}

/** What brings a copy from one position to the next, in the order of its parts. */
export interface Write {
  readonly place: Place
  /** Kinds whose records all go. */
  readonly cleared: readonly Kind[]
  readonly deleted: readonly RecordKey[]
  readonly put: readonly (RecordKey & { readonly record: object })[]
}

/** One process at a time writes to a store. */
export interface MirrorStore {
  /** @returns undefined where nothing was written yet */
  place(): Promise<Place | undefined>
  /** All of it or nothing, also if the process ends meanwhile: the position belongs to the records. */
  write(write: Write): Promise<void>
  get(key: RecordKey): Promise<object | undefined>
  all(kind: Kind): AsyncIterable<object>
}

/** A copy for as long as the program runs. */
export function memoryStore(): MirrorStore {
  const stored = new StoredRecords()
  let place: Place | undefined
  return {
    place: async () => place,
    async write(write) {
      stored.apply(write)
      place = write.place
    },
    get: async (key) => stored.get(key),
    all: (kind) => stored.all(kind),
  }
}

/** Records by kind and identifier. */
export class StoredRecords {
  readonly #kinds = new Map<Kind, Map<string, object>>(KINDS.map((kind) => [kind, new Map()]))

  #of(kind: Kind): Map<string, object> {
    return this.#kinds.get(kind) ?? new Map()
  }

  apply({ cleared, deleted, put }: Omit<Write, 'place'>): void {
    for (const kind of cleared) this.#of(kind).clear()
    for (const { kind, id } of deleted) this.#of(kind).delete(id)
    for (const { kind, id, record } of put) this.#of(kind).set(id, record)
  }

  get({ kind, id }: RecordKey): object | undefined {
    return this.#of(kind).get(id)
  }

  async *all(kind: Kind): AsyncGenerator<object, void, undefined> {
    yield* [...this.#of(kind).values()]
  }

  /** Everything, to be put again. */
  entries(): Write['put'] {
    return [...this.#kinds].flatMap(([kind, records]) =>
      [...records].map(([id, record]) => ({ kind, id, record })),
    )
  }
}
