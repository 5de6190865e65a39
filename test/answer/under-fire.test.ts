/**
 * Writers change data while readers read, with and without If-None-Match: no answer is older than the newest
 * commit that finished before its request began. `bench/` asks 100,000 times; this one 2,000 or, until there were
 * twenty commits, more.
 */
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { guest, order, session, spa } from '../support/world.ts'
import { startInstance } from './instances.ts'

const READERS = 16
const READS = 2000
const COMMITS = 20
const WRITERS = 3

/** Where each address shows the version that the writers count up. */
const READS_OF_VERSION: readonly (readonly [url: string, version: (body: Body) => number])[] = [
  [
    '/v1/guests?startDate=2025-01-01&endDate=2025-01-31&project=lastName',
    (body) => versionIn(body.data?.[0]?.lastName),
  ],
  ['/v1/guests?sessionId=s-1&project=createdBy,firstName', (body) => versionIn(body.data?.[0]?.createdBy)],
  ['/v1/guests?sessionId=s-1&project=programId', (body) => versionIn(body.data?.[0]?.programId)],
  ['/v1/guests?sessionId=s-1&project=centerName', (body) => versionIn(body.data?.[0]?.centerName)],
  ['/v1/sessions?startDate=2025-01-01&endDate=2025-01-31', (body) => versionIn(body.data?.[0]?.name)],
  ['/v1/orders/order_1', (body) => versionIn(body.notes)],
  ['/v1/guests/meal-skipping-report?sessionId=s-1', (body) => versionIn(body.byGuest?.b1?.name)],
]

interface Body {
  readonly data?: readonly Readonly<Record<string, string>>[]
  readonly notes?: string
  readonly byGuest?: Readonly<Record<string, { readonly name: string }>>
}

const versionIn = (value: string | undefined) => Number(/v(\d+)/.exec(value ?? '')?.[1] ?? Number.NaN)

const records = [
  spa({ name: 'v0' }),
  { kind: 'term', centerId: 'spa', set: 'program', id: 'p', name: 'v0' },
  session('s-1', '2025-01-10T14:00', '2025-01-15T10:00', { name: 'v0' }),
  order('order_1', { notes: 'v0' }),
  ...guest(
    'b1',
    {
      sessionIds: ['s-1'],
      programId: 'p',
      createdBy: 'v0',
      skippingMeals: { breakfast: ['2025-01-11'], lunch: [], dinner: [] },
    },
    { lastName: 'v0' },
  ),
]

/** Everything that is shown, in one commit: whichever is read must be at least this version. */
async function commit(api: TestApi, version: number): Promise<void> {
  const text = `v${version}`
  await api.database.transaction(async (tx) => {
    await tx.query(sql`update centers set name = ${text} where center_id = 'spa'`)
    await tx.query(sql`update terms set name = ${text} where center_id = 'spa'`)
    await tx.query(sql`update sessions set name = ${text} where center_id = 'spa'`)
    await tx.query(sql`update orders set notes = ${text} where center_id = 'spa'`)
    await tx.query(sql`update customers set last_name = ${text} where center_id = 'spa'`)
    await tx.query(sql`update bookings set created_by = ${text} where center_id = 'spa'`)
  })
}

describe('under fire', () => {
  it('no answer is older than the newest commit that finished before its request began', async () => {
    const api = await startTestApi({ records })
    const instances = [await startInstance(api, api.key), await startInstance(api, api.key)]
    // What is read before the first commit is a version too.
    for (const [url, versionOf] of READS_OF_VERSION) {
      expect(versionOf(JSON.parse((await api.get(url)).text)), url).toBe(0)
    }
    // The newest version whose commit has finished.
    let committed = 0
    let next = 0
    let reads = 0
    const isDone = () => reads >= READS && committed >= COMMITS
    const seen = { fresh: 0, unchanged: 0, old: [] as string[] }

    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isDone()) {
        next += 1
        const version = next
        // Writers alternate in the database: a later version is never overwritten by an earlier one.
        await round(() => commit(api, version))
        committed = Math.max(committed, version)
        // Bursts and pauses, so that answers are retained for a while and lost at once. They are counted in reads,
        // because the database may be quicker than this thread, or slower.
        const until = reads + (version % 7) * 20
        while (reads < until && !isDone()) await new Promise(setImmediate)
      }
    })
    const tags = new Map<string, { etag: string; version: number }>()
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      while (!isDone()) {
        reads += 1
        // A request without a socket takes no iteration of the event loop, which commits wait for.
        await new Promise(setImmediate)
        const [url, versionOf] = READS_OF_VERSION[(reads + reader) % READS_OF_VERSION.length]!
        const instance = instances[reader % instances.length]!
        const had = reads % 3 === 0 ? undefined : tags.get(url)
        const atLeast = committed
        const answer = await instance.get(url, had === undefined ? {} : { 'if-none-match': had.etag })
        const version = answer.status === 304 ? had?.version : versionOf(JSON.parse(answer.text))
        if (answer.status === 304) seen.unchanged += 1
        else seen.fresh += 1
        if (version === undefined || !(version >= atLeast)) {
          seen.old.push(`${url} showed ${version} after ${atLeast} (${answer.status})`)
        }
        if (answer.headers.etag !== undefined && version !== undefined) {
          tags.set(url, { etag: answer.headers.etag, version })
        }
      }
    })
    await Promise.all([...writers, ...readers])

    expect(seen.old).toEqual([])
    expect(seen.fresh).toBeGreaterThan(100)
    // A guard of the test: it has seen both kinds of answer.
    expect(seen.unchanged).toBeGreaterThan(10)
  })
})

let last: Promise<unknown> = Promise.resolve()

function round(work: () => Promise<void>): Promise<void> {
  const mine = last.then(work)
  last = mine
  return mine
}
