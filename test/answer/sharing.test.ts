/** What the database is asked, and what comes of it when it fails or changes in the middle. */
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { EVERY_OPERATION, urlOf } from '../support/operation-requests.ts'
import { twinCenters } from '../support/twin-centers.ts'
import { type WatchedDatabase, watchDatabase } from '../support/watched-database.ts'
import { stay } from '../support/world.ts'
import { type Instance, rename, startInstance } from './instances.ts'

const JANUARY = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

let api: TestApi
let watched: WatchedDatabase

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
})

beforeEach(() => {
  watched = watchDatabase(api.database)
})

const start = (options = {}) => startInstance({ database: watched.database }, api.key, options)
/** The statements that read records, and not keys, profiles or the trail. */
const reads = () => watched.sent.filter(({ by }) => by === 'queryArrays').length

/** What differs with each request, or has no records. */
const NOT_SHARED = [
  'getMe',
  'getUsage',
  'mealSheet',
  'listContradictions',
  'listSources',
  'listKeys',
  'listDevices',
  'getSettings',
  'listLinks',
  'listCenterSources',
  'listReports',
  'listWebhooks',
  'listReads',
]
const NO_RECORDS = ['getMe', 'listFields']
/** Requests that come at once share one read, but the words of a person are in no cache. */
const NEVER_CACHED = ['search']
const OF_RECORDS = EVERY_OPERATION.filter(([name]) => ![...NOT_SHARED, ...NO_RECORDS].includes(name))

describe.each(OF_RECORDS)('reads of %s', (name, operation) => {
  const url = urlOf(operation)
  const isCached = !NEVER_CACHED.includes(name)

  it('that come at once ask the database once, all with the same answer', async () => {
    const instance = await start()
    const answers = await Promise.all(Array.from({ length: 40 }, () => instance.get(url)))
    expect(
      new Set(answers.map(({ status, text, headers }) => `${status} ${headers.etag} ${text}`)).size,
    ).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(reads()).toBe(1)
    // One for the keys of all forty, the center's profile once, and its sources and their deliveries once.
    expect(watched.sent.filter(({ by }) => by === 'queryReserved')).toHaveLength(1)
    expect(watched.sent.filter(({ by }) => by === 'query')).toHaveLength(3)
  })

  it('ask the database each time where the cache is off, and are counted truly', async () => {
    const instance = await start({ answerCacheMb: 0 })
    const answers = [await instance.get(url), await instance.get(url), await instance.get(url)]
    expect(new Set(answers.map(({ text, headers }) => headers.etag + text)).size).toBe(1)
    expect(reads()).toBe(3)
    expect(await instance.metric('sojourn_answer_cache_hits_total')).toBe(0)
    expect(await instance.metric('sojourn_answer_cache_misses_total')).toBe(3)
    const { etag = '' } = answers[0]?.headers ?? {}
    expect((await instance.get(url, { 'if-none-match': etag })).status).toBe(304)
  })

  it('that fail are not cached, fail for all who waited, and do not affect the next', async () => {
    const instance = await start()
    watched.before = ({ by }) => {
      if (by === 'queryArrays') throw new DatabaseUnavailable('away')
    }
    const failed = await Promise.all(Array.from({ length: 10 }, () => instance.get(url)))
    expect(failed.map(({ status }) => status)).toEqual(Array(10).fill(503))
    expect(failed[0]?.headers['retry-after']).toBe('2')
    expect(reads()).toBe(1)
    watched.before = ({ by }) => {
      if (by === 'queryArrays') throw new Error('a bug')
    }
    expect((await instance.get(url)).status).toBe(500)
    watched.before = () => {}
    const healed = await instance.get(url)
    expect(healed.status).toBe(200)
    expect((await instance.get(url)).text).toBe(healed.text)
    // The two that failed, the one that healed, and the last one unless it is answered from the cache.
    expect(reads()).toBe(isCached ? 3 : 4)
  })
})

describe.each(OF_RECORDS.filter(([name]) => !NEVER_CACHED.includes(name)))('reads of %s', (_, operation) => {
  it('that are repeated are not parsed again, ask for nothing but the revision, and are counted truly', async () => {
    const instance = await start()
    const parse = vi.spyOn(operation, 'parse')
    onTestFinished(() => parse.mockRestore())
    await instance.get(urlOf(operation))
    watched.sent.length = 0
    for (let round = 0; round < 5; round++) await instance.get(urlOf(operation))
    expect(parse).toHaveBeenCalledTimes(1)
    // The trail is written meanwhile, when its time has come.
    const asked = watched.sent.filter(({ by }) => by !== 'transaction')
    expect(asked.map(({ by }) => by)).toEqual(Array(5).fill('queryReserved'))
    expect(await instance.metric('sojourn_answer_cache_hits_total')).toBe(5)
    expect(await instance.metric('sojourn_answer_cache_misses_total')).toBe(1)
    expect(await instance.metric('sojourn_answer_cache_entries')).toBe(1)
    expect(await instance.metric('sojourn_answer_cache_bytes')).toBeGreaterThan(600)
  })
})

describe.each(OF_RECORDS.filter(([name]) => NEVER_CACHED.includes(name)))('reads of %s', (_, operation) => {
  it('that are repeated are parsed and read again each time, and leave nothing in the cache', async () => {
    const instance = await start()
    const parse = vi.spyOn(operation, 'parse')
    onTestFinished(() => parse.mockRestore())
    for (let round = 1; round <= 6; round++) {
      expect((await instance.get(urlOf(operation))).status).toBe(200)
      expect(parse).toHaveBeenCalledTimes(round)
      expect(reads()).toBe(round)
    }
    expect(await instance.metric('sojourn_answer_cache_hits_total')).toBe(0)
    expect(await instance.metric('sojourn_answer_cache_misses_total')).toBe(6)
    expect(await instance.metric('sojourn_answer_cache_entries')).toBe(0)
    expect(await instance.metric('sojourn_answer_cache_bytes')).toBe(0)
  })
})

describe.each(EVERY_OPERATION.filter(([name]) => NO_RECORDS.includes(name)))(
  'reads of %s',
  (_, operation) => {
    it('ask the database for the key and the center alone', async () => {
      const instance = await start()
      expect((await instance.get(urlOf(operation))).status).toBe(200)
      expect(reads()).toBe(0)
    })
  },
)

describe.each(EVERY_OPERATION.filter(([name]) => NOT_SHARED.includes(name)))(
  'reads of %s',
  (_, operation) => {
    it('are never answered from the cache', async () => {
      const instance = await start()
      for (let round = 0; round < 3; round++) await instance.get(urlOf(operation))
      expect(await instance.metric('sojourn_answer_cache_hits_total')).toBe(0)
      expect(await instance.metric('sojourn_answer_cache_entries')).toBe(0)
    })
  },
)

describe.each(EVERY_OPERATION)('reads of %s', (_, operation) => {
  const url = urlOf(operation)

  it('are 503 while the keys cannot be read, cached answer or not, and answered again at once afterwards', async () => {
    const instance = await start()
    const { etag = '' } = (await instance.get(url)).headers
    watched.before = ({ by }) => {
      if (by === 'queryReserved') throw new DatabaseUnavailable('away')
    }
    for (const headers of [{}, { 'if-none-match': etag }]) {
      expect((await instance.get(url, headers)).status).toBe(503)
    }
    watched.before = () => {}
    expect((await instance.get(url, { 'if-none-match': etag })).status).toBe(304)
  })

  it('heal after the center’s profile could not be read', async () => {
    const instance = await start()
    watched.before = ({ by }) => {
      if (by === 'query') throw new DatabaseUnavailable('away')
    }
    expect((await instance.get(url)).status).toBe(503)
    watched.before = () => {}
    expect((await instance.get(url)).status).toBe(200)
  })
})

describe('an empty answer', () => {
  it.each([
    '/v1/guests?startDate=1999-01-01&endDate=1999-01-02',
    '/v1/guests?sessionId=nobody',
    '/v1/guests/meal-skipping-report?sessionId=nobody',
    '/v1/orders?startDate=1999-01-01&endDate=1999-01-02',
    '/v1/sessions?startDate=1999-01-01&endDate=1999-01-02',
  ])('is cached like any other: %s', async (url) => {
    const instance = await start()
    const first = await instance.get(url)
    expect((await instance.get(url)).headers.etag).toBe(first.headers.etag)
    expect(reads()).toBe(1)
    await rename(api, `Nova ${Math.floor(performance.now())}`)
    const later = await instance.get(url)
    expect(later.headers.etag).toBe(first.headers.etag)
    expect(later.text).toBe(first.text)
    // What was renamed is nowhere near.
    expect(reads()).toBe(1)
  })
})

describe('a commit in the middle of a read', () => {
  /** Makes a change after the gate has read the revision and before the rows are read. */
  async function changeInBetween(instance: Instance, url: string, change: () => Promise<unknown>) {
    let changed = false
    watched.before = async ({ by }) => {
      if (by !== 'queryArrays' || changed) return
      changed = true
      await change()
    }
    const answer = await instance.get(url)
    expect(changed).toBe(true)
    return answer
  }

  it('of records shows in that answer, which then is the new revision’s', async () => {
    const center = await api.newCenter(stay('1', '2025-01-10', '2025-01-15'))
    const instance = await startInstance({ database: watched.database }, center.key)
    const answer = await changeInBetween(instance, JANUARY, () => rename(api, 'Between', center.id))
    expect(answer.text).toContain('Between')
    const next = await instance.get(JANUARY, { 'if-none-match': answer.headers.etag ?? '' })
    expect(next.status).toBe(304)
    expect(reads()).toBe(1)
    expect((await center.get(JANUARY)).headers.etag).toBe(next.headers.etag)
  })

  it('of the center’s profile is in the next answer, though that one shows the rows’ newer revision', async () => {
    const center = await api.newCenter(stay('1', '2025-01-10', '2025-01-15', { financial: { total: 5 } }))
    const instance = await startInstance({ database: watched.database }, center.key)
    const url = `${JANUARY}&project=centerName,financial.total`
    const first = await changeInBetween(instance, url, () =>
      api.database.query(sql`
        update centers set name = 'Renamed', currency = 'USD' where center_id = ${center.id}`),
    )
    // It began before the commit, so it may show the old name; nobody after it may.
    const next = await instance.get(url, { 'if-none-match': first.headers.etag ?? '' })
    expect(next.status).toBe(200)
    expect(next.text).toContain('Renamed')
    expect(next.text).toContain('$5.00')
    expect((await center.get(url)).headers.etag).toBe(next.headers.etag)
  })

  it('is never hidden from a request that comes while an older read is under way', async () => {
    const center = await api.newCenter(stay('1', '2025-01-10', '2025-01-15'))
    const instance = await startInstance({ database: { ...watched.database, readsMax: 4 } }, center.key)
    const held = Promise.withResolvers<void>()
    let first = true
    watched.before = async ({ by }) => {
      if (by !== 'queryArrays' || !first) return
      first = false
      await held.promise
    }
    const slow = instance.get(JANUARY)
    while (first) await new Promise(setImmediate)
    await rename(api, 'Later', center.id)
    const quick = await instance.get(JANUARY)
    expect(quick.text).toContain('Later')
    held.resolve()
    expect((await slow).status).toBe(200)
    expect((await instance.get(JANUARY)).text).toContain('Later')
  })
})

describe('answers of a busy center', () => {
  it('do not push out those of another', async () => {
    const quiet = await api.newCenter(stay('1', '2025-01-10', '2025-01-15'))
    // So small that a hundred answers are more than its share.
    const instance = await start({ answerCacheMb: 0.125 })
    const asQuiet = (url: string) => instance.get(url, quiet.key.headers)
    await asQuiet(JANUARY)
    for (let page = 1; page <= 100; page++) await instance.get(`${JANUARY}&start=${page}`)
    const before = reads()
    expect((await asQuiet(JANUARY)).status).toBe(200)
    expect(reads()).toBe(before)
    expect(await instance.metric('sojourn_answer_cache_bytes')).toBeLessThanOrEqual(32 * 1024 + 5000)
  })
})
