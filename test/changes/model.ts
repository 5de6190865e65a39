/**
 * Random writers against a follower that knows nothing but the feed and the lists. After every pause the follower's
 * copy must be what the lists show when they are read anew.
 */
import { expect } from 'vitest'
import { DatabaseUnavailable } from '../../src/database/database.ts'
import { ImportConflict, importRecords } from '../../src/intake/import-records.ts'
import { entriesOf } from '../routes/changes/follower.ts'
import type { Asker, Fields, TestApi } from '../support/api.ts'
import { type Random, randomCenter, randomCommit, runCommit } from '../support/random-center.ts'

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
  'sessionInterval',
  'sessionsAttendedBefore',
  'sessionsRegisteredFuture',
  'meta.diet',
  'skippingMeals',
] as const

/** Each list: where it is read, and what names a record of it. */
const LISTS = {
  guests: { url: `/v1/guests?${RANGE}&length=25&project=${PROJECTED.join(',')}`, id: 'id' },
  sessions: { url: `/v1/sessions?${RANGE}&length=3`, id: '_id' },
  orders: { url: `/v1/orders?${RANGE}&includeGuestNames=true`, id: 'uuid' },
} as const
type Kind = keyof typeof LISTS
const KINDS = Object.keys(LISTS) as Kind[]

type Copy = Record<Kind, Map<string, Fields>>

async function readList(asker: Asker, kind: Kind, query = ''): Promise<Map<string, Fields>> {
  const { url, id } = LISTS[kind]
  const found = new Map<string, Fields>()
  for (let start = 1, last = false; !last; start += 1) {
    const answer = await asker.get(`${url}${query}${kind === 'orders' ? '' : `&start=${start}`}`)
    expect(answer.status, answer.text).toBe(200)
    const records: readonly Fields[] = kind === 'orders' ? answer.list : answer.body.data
    for (const record of records) found.set(String(record[id]), record)
    last = kind === 'orders' || records.length === 0
  }
  return found
}

export const readAll = async (asker: Asker): Promise<Copy> => ({
  guests: await readList(asker, 'guests'),
  sessions: await readList(asker, 'sessions'),
  orders: await readList(asker, 'orders'),
})

export interface CopyingFollower {
  readonly copy: Copy
  /** how many entries it was told */
  readonly entries: () => number
  catchUp(asker: Asker): Promise<void>
}

/** First the cursor, then the lists; from then on the feed, and of the lists only what moved. */
export async function startFollower(asker: Asker): Promise<CopyingFollower> {
  let cursor = String((await asker.get('/v1/changes')).body.cursor)
  const copy = await readAll(asker)
  let count = 0
  return {
    copy,
    entries: () => count,
    async catchUp(from) {
      const before = cursor
      const again = new Set<Kind>()
      for (let more = true; more; ) {
        const answer = await from.get(`/v1/changes?length=50&after=${cursor}`)
        for (const { kind, id, operation } of entriesOf(answer)) {
          count += 1
          if (operation === 'readAgain') again.add(kind as Kind)
          else if (operation === 'deleted' && id !== null) copy[kind as Kind].delete(id)
        }
        cursor = String(answer.body.cursor)
        more = answer.body.more === true
      }
      for (const kind of KINDS) {
        if (again.has(kind)) copy[kind] = await readList(from, kind)
        else {
          for (const [id, record] of await readList(from, kind, `&changedAfter=${before}`))
            copy[kind].set(id, record)
        }
      }
    },
  }
}

const OF_EVERYTHING = /update (?:terms|centers)/

class Aborted extends Error {}

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
