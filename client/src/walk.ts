/** Every page of a list, and every record once, whatever moves meanwhile. */
import type { CallOptions, Connection, Query } from './connection.ts'
import { SojournError } from './error.ts'

export interface WalkOptions extends CallOptions {
  /** How often a list is begun in all, if it moves while it is read; 5 unless given. */
  readonly begins?: number | undefined
}

export interface Page<Item> {
  readonly data: Item[]
  /** Of all pages. */
  readonly total: number
}

/** A list that comes in pages. */
export interface PagedList<Item> {
  readonly path: string
  readonly query: Query
  /** What tells its records apart. */
  readonly idOf: (record: Item) => string
}

/** What most centers allow: few requests. */
const USUAL_LENGTH_MAX = 100

const isAboutLength = (error: unknown) =>
  error instanceof SojournError &&
  error.code === 'INVALID_PARAMETER' &&
  error.details.every(({ parameter }) => parameter === 'length')

/** Begin again: what is on the pages has moved since the first one. */
const MOVED = Symbol('moved')

/**
 * Gives each record once. If the list moves while it is read, it is read again from its beginning, and what was given
 * already is passed over: such a record is given as it was then.
 * @throws {SojournError} MOVED where it has moved each time
 */
export async function* walk<Item>(
  connection: Connection,
  list: PagedList<Item>,
  { signal, begins = 5 }: WalkOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>()
  for (let begin = 1; begin <= begins; begin += 1) {
    let moved = false
    for await (const record of readOnce(connection, list, signal)) {
      if (record === MOVED) {
        moved = true
        break
      }
      const id = list.idOf(record)
      if (given.has(id)) continue
      given.add(id)
      yield record
    }
    if (!moved) return
  }
  throw new SojournError(
    'MOVED',
    `The list moved each of the ${begins} times that it was read: ask for a smaller part of it, or later.`,
  )
}

async function* readOnce<Item>(
  connection: Connection,
  { path, query, idOf }: PagedList<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item | typeof MOVED, void, undefined> {
  const seen = new Set<string>()
  let total: number | undefined
  const pageOf = (start: number, length: unknown) =>
    connection.get<Page<Item>>(path, { ...query, length, start }, { signal })
  let length: unknown = query.length ?? USUAL_LENGTH_MAX
  for (let start = 1; ; start += 1) {
    const { body: page } = await pageOf(start, length).catch((error) => {
      if (start > 1 || query.length !== undefined || !isAboutLength(error)) throw error
      // A center with shorter pages: its usual ones.
      length = undefined
      return pageOf(start, length)
    })
    total ??= page.total
    for (const record of page.data) seen.add(idOf(record))
    const isComplete = seen.size === total
    // A record that was added, taken away or seen twice shows in the numbers.
    if (page.total !== total || (page.data.length === 0 && !isComplete)) return yield MOVED
    yield* page.data
    if (isComplete) return
  }
}
