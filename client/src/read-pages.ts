/** Every page of a list, and every record once, whatever moves meanwhile. */
import type { Answer, CallOptions, Connection, Query } from './connection.ts'
import { SojournError } from './error.ts'

export interface ReadOptions extends CallOptions {
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

/** Which parameters of ours a service does not take: one without snapshots, or a center with shorter pages. */
function notTaken(error: unknown, query: Query): readonly string[] {
  if (!(error instanceof SojournError && error.code === 'INVALID_PARAMETER')) return []
  const names = error.details.map(({ parameter }) => parameter)
  const isOurs = (name: string) => name === 'snapshot' || (name === 'length' && query.length === undefined)
  return names.every(isOurs) ? names : []
}

/** The list has moved since its first page: where to begin it again. */
class Moved {
  readonly cursor: string | undefined
  constructor(cursor?: string) {
    this.cursor = cursor
  }
}

/**
 * Gives each record once. All pages show the list as it was when its first page was read. If it moves meanwhile, it is
 * read again from its beginning, and what was given already is passed over: such a record is given as it was then.
 * @throws {SojournError} MOVED where it has moved each time; BAD_ANSWER where records are missing in the end
 */
export async function* readPages<Item>(
  connection: Connection,
  list: PagedList<Item>,
  { signal, begins = 5 }: ReadOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>()
  let cursor: string | undefined
  for (let begin = 1; begin <= begins; begin += 1) {
    let moved: Moved | undefined
    for await (const record of readOnce(connection, list, cursor, signal)) {
      if (record instanceof Moved) {
        moved = record
        break
      }
      const id = list.idOf(record)
      if (given.has(id)) continue
      given.add(id)
      yield record
    }
    if (moved === undefined) return
    cursor = moved.cursor
  }
  throw new SojournError(
    'MOVED',
    `The list moved each of the ${begins} times that it was read: ask for a smaller part of it, or later.`,
  )
}

/** Ends with `Moved` where the pages do not fit together. */
async function* readOnce<Item>(
  connection: Connection,
  { path, query, idOf }: PagedList<Item>,
  from: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item | Moved, void, undefined> {
  const ids: string[] = []
  let cursor = from
  let total: number | undefined
  let without: readonly string[] = []
  const pageOf = (start: number) => {
    const asked = { length: USUAL_LENGTH_MAX, snapshot: cursor ?? true, ...query, start }
    const taken = Object.entries(asked).filter(([name]) => !without.includes(name))
    return connection.get<Page<Item>>(path, Object.fromEntries(taken), { signal })
  }
  for (let start = 1; ; start += 1) {
    let answer: Answer<Page<Item>>
    try {
      answer = await pageOf(start).catch((error) => {
        without = start > 1 ? [] : notTaken(error, query)
        if (without.length === 0) throw error
        return pageOf(start)
      })
    } catch (error) {
      const isMoved =
        error instanceof SojournError && (error.status === 409 || (error.status === 410 && start > 1))
      if (!isMoved) throw error
      return yield new Moved(error.cursor)
    }
    const { body: page, headers } = answer
    cursor ??= headers.get('snapshot-cursor') ?? undefined
    total ??= page.total
    ids.push(...page.data.map(idOf))
    const isComplete = ids.length >= total
    // What a service without snapshots leaves to be seen.
    if (page.total !== total || (page.data.length === 0 && !isComplete)) return yield new Moved()
    if (isComplete) await prove(ids, headers)
    yield* page.data
    if (isComplete) return
  }
}

/** @throws {SojournError} BAD_ANSWER where what was read is not what the service says it was */
async function prove(ids: readonly string[], headers: Headers): Promise<void> {
  const count = headers.get('snapshot-count')
  const digest = headers.get('snapshot-digest')
  // Pages of plain http have no WebCrypto in a browser.
  const canDigest = digest !== null && 'subtle' in crypto
  const isRight =
    (count === null || Number(count) === ids.length) && (!canDigest || (await digestOf(ids)) === digest)
  if (isRight) return
  throw new SojournError(
    'BAD_ANSWER',
    'The pages that were read are not the whole list, by the count and digest of the last one. Does something in between keep old pages?',
  )
}

async function digestOf(ids: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(ids.map((id) => `${id}\n`).join(''))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
