/**
 * Random writers against a follower that knows nothing but the feed and the lists. After every pause the follower's
 * copy must be what the lists show when they are read anew.
 */
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { ImportConflict, importRecords } from '../../src/core/intake/import-records.ts'
import type { Fields, TestAnswer, TestApi } from '../support/api.ts'
import { type Random, randomCenter, randomCommit, runCommit, seededRandom } from '../support/random-center.ts'

const RANGE = 'startDate=2024-01-01&endDate=2026-12-31'
export const PROJECTED = [
  'id',
  'name',
  'email',
  'status',
  'role',
  'startDate',
  'endDate',
  'programId',
  'acc.roomId',
  'financial.total',
  'height',
  'therapistName',
  'orderNumber',
  'orderStatus',
  'paid',
  'sessionInterval',
  'sessionsAttendedBefore',
  'sessionsRegisteredFuture',
  'meta.diet',
  'skippingMeals',
] as const

/** Each list: where it is read, and what names a record of it. In one page, which no writer can shift meanwhile. */
const LISTS = {
  guests: { url: `/v1/guests?${RANGE}&length=100&project=${PROJECTED.join(',')}`, id: 'id' },
  sessions: { url: `/v1/sessions?${RANGE}&length=100`, id: '_id' },
  orders: { url: `/v1/orders?${RANGE}&includeGuestNames=true`, id: 'uuid' },
} as const
type Kind = keyof typeof LISTS
const KINDS = Object.keys(LISTS) as Kind[]

/** By kind and identifier. */
export type Copy = Record<Kind, Record<string, Fields>>

/** Asks the service, and throws where it does not answer 200. */
export type Ask = (url: string) => Promise<Pick<TestAnswer, 'body' | 'list'>>

async function readList(ask: Ask, kind: Kind, query = ''): Promise<Record<string, Fields>> {
  const { url, id } = LISTS[kind]
  const { body, list } = await ask(`${url}${query}`)
  const records: readonly Fields[] = kind === 'orders' ? list : body.data
  if (kind !== 'orders' && body.total > records.length) throw new Error('the list does not fit on a page')
  return Object.fromEntries(records.map((record) => [String(record[id]), record]))
}

export const readAll = async (ask: Ask): Promise<Copy> => ({
  guests: await readList(ask, 'guests'),
  sessions: await readList(ask, 'sessions'),
  orders: await readList(ask, 'orders'),
})

/** All that somebody who follows has to keep. */
export interface Followed {
  readonly cursor: string
  readonly copy: Copy
  /** how many entries were reported so far */
  readonly entries: number
}

/** First the cursor, then the lists. */
export async function startFollowing(ask: Ask): Promise<Followed> {
  const { body } = await ask('/v1/changes')
  return { cursor: String(body.cursor), copy: await readAll(ask), entries: 0 }
}

/** From then on the feed, and of the lists only what moved. @returns what takes the position of what was retained */
export async function catchUp(ask: Ask, followed: Followed): Promise<Followed> {
  const copy = structuredClone(followed.copy)
  const again = new Set<Kind>()
  let { cursor, entries } = followed
  for (let more = true; more; ) {
    const { body } = await ask(`/v1/changes?length=50&after=${cursor}`)
    for (const { kind, id, operation } of body.data as unknown as readonly Entry[]) {
      entries += 1
      if (operation === 'readAgain') again.add(kind)
      else if (operation === 'deleted' && id !== null) delete copy[kind][id]
    }
    cursor = String(body.cursor)
    more = body.more === true
  }
  for (const kind of KINDS) {
    if (again.has(kind)) copy[kind] = await readList(ask, kind)
    else Object.assign(copy[kind], await readList(ask, kind, `&changedAfter=${followed.cursor}`))
  }
  return { cursor, copy, entries }
}

interface Entry {
  readonly kind: Kind
  readonly id: string | null
  readonly operation: string
}

const OF_EVERYTHING = /update (?:terms|centers)/

class Aborted extends Error {}

/** Writers at the same time, each with its own seed. */
export interface DeskOrder {
  readonly seed: number
  readonly writers: number
  readonly commits: number
}

export async function writeAll(
  database: TestApi['database'],
  { seed, writers, commits }: DeskOrder,
): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async (_, at) => {
      const own = seededRandom(seed + at)
      for (let commit = 0; commit < commits; commit += 1) await write({ database }, own)
    }),
  )
}

/** One commit of a writer's, one that is undone, or an import that merges records again. */
export async function write(api: Pick<TestApi, 'database'>, random: Random): Promise<void> {
  const dice = random.below(40)
  try {
    if (dice === 0) {
      const records = randomCenter(random).filter(({ kind }) => kind === 'booking' || kind === 'order')
      const some = records.slice(random.below(records.length))
      const lines = some.map((record, at) => ({ file: 'desk', line: at + 1, text: JSON.stringify(record) }))
      await importRecords(api.database, lines, { onProblem: () => {} })
      return
    }
    await api.database.transaction(async (tx) => {
      // A long one commits after shorter ones that began later.
      const length = dice < 4 ? 12 : 1
      for (let part = 0; part < length; part += 1) {
        // What moves everything makes followers read everything again, and hides what they missed before.
        const statements = randomCommit(random).filter(({ text }) => dice === 6 || !OF_EVERYTHING.test(text))
        await runCommit(tx, statements)
      }
      if (dice === 5) throw new Aborted()
    })
  } catch (error) {
    // Writers that wait for each other: the database undoes one, as it may.
    const isUndone = [Aborted, DatabaseUnavailable, ImportConflict].some((kind) => error instanceof kind)
    if (!isUndone) throw error
  }
}
