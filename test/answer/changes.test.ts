/** What changes is seen by the next request, in all ways of changing it, on every instance. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { EVERY_OPERATION, plainQuery, SHARED_OPERATIONS, urlOf } from '../support/operation-requests.ts'
import { twinCenters, UUID } from '../support/twin-centers.ts'
import { guest, metaField, session, stay } from '../support/world.ts'
import { startInstance } from './instances.ts'

const JANUARY = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

let api: TestApi
const time = { now: Date.parse('2025-01-12T09:00:00Z') }

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters(), clock: () => time.now })
})

let changes = 0

/** A change of each table that an operation's answer shows, by SQL as the center's own systems write it. */
const CHANGES = {
  customers: (value: string) => sql`update customers set last_name = ${value} where center_id = 'spa'`,
  bookings: (value: string) => sql`
    update bookings set status = case status when 'paid' then 'confirmed' else 'paid' end, created_by = ${value}
    where center_id = 'spa'`,
  sessions: (value: string) => sql`update sessions set name = ${value} where center_id = 'spa'`,
  orders: (value: string) => sql`update orders set status = ${value} where center_id = 'spa'`,
  terms: (value: string) => sql`update terms set name = ${value}, names = '{}' where center_id = 'spa'`,
  centers: (value: string) => sql`
    update centers set locale = case locale when 'no' then 'ro' else 'no' end, name = ${value}
    where center_id = 'spa'`,
}

const change = (table: keyof typeof CHANGES) => {
  changes += 1
  return CHANGES[table](`Nova ${changes}`)
}

/** Which of them show in which operation's answer. */
const SHOWN: Readonly<Record<string, readonly (keyof typeof CHANGES)[]>> = {
  listGuests: ['customers', 'bookings', 'sessions', 'orders', 'terms', 'centers'],
  // Whom a change brings in and whom it takes out has a test of its own (routes/freshness.test.ts).
  matchGuests: [],
  // It is cached nowhere.
  search: [],
  mealSkippingReport: ['customers'],
  mealPortions: ['customers'],
  mealSheet: [],
  // They follow each commit, which has tests of its own (routes/contradictions).
  listContradictions: [],
  listOrders: ['customers', 'orders', 'centers'],
  getOrder: ['customers', 'orders'],
  orderControl: ['customers', 'orders', 'centers'],
  listSessions: ['sessions', 'terms'],
  sessionCalendar: ['sessions', 'terms', 'centers'],
  guestArrivals: ['customers', 'centers'],
  listChanges: ['customers', 'bookings', 'sessions', 'orders', 'terms', 'centers'],
  // They change with deliveries and with time.
  listSources: [],
  // They change with actions and with time.
  listKeys: [],
  listDevices: [],
  getSettings: [],
  listLinks: [],
  listCenterSources: [],
  listReports: [],
  listWebhooks: [],
  listReads: [],
  // Of the key and of what it asked for.
  getUsage: [],
  getMe: [],
  listFields: [],
}
const FIELDS = 'lastName,status,programId,orderStatus,sessionInterval,sessionsAttendedBefore,startDate'

function urlShowingAll(name: string): string {
  const [, operation] = EVERY_OPERATION.find(([candidate]) => candidate === name)!
  const query = { ...plainQuery(operation) }
  if ('project' in operation.parameters) query.project = FIELDS
  if ('includeGuests' in operation.parameters) query.includeGuests = 'true'
  if ('includeGuestNames' in operation.parameters) query.includeGuestNames = 'true'
  return urlOf(operation, query)
}

/** Bucharest is two hours before UTC: midnight there is 22:00. */
const MIDNIGHT = Date.parse('2025-01-14T22:00:00Z')

describe.each(EVERY_OPERATION.filter(([name]) => SHOWN[name]?.length !== 0))('an answer of %s', (name) => {
  it.each(SHOWN[name] ?? [])('shows a commit on %s to the next request', async (table) => {
    const url = urlShowingAll(name)
    const before = await api.get(url)
    expect((await api.get(url)).text).toBe(before.text)
    await api.database.query(change(table))
    const after = await api.get(url, { 'if-none-match': String(before.headers.etag) })
    expect(after.status).toBe(200)
    expect(after.text).not.toBe(before.text)
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  it('shows an import to the next request', async () => {
    const url = urlShowingAll(name)
    const before = await api.get(url)
    await api.load([
      ...guest(`b-new-${name}`, {
        sessionIds: ['s-1'],
        skippingMeals: { breakfast: ['2025-01-11'], lunch: [], dinner: [] },
      }),
      session(`s-new-${name}`, '2025-01-02T10:00', '2025-01-09T10:00'),
      { kind: 'order', centerId: 'spa', uuid: UUID, notes: name, totalAmount: 1000 + name.length },
    ])
    const after = await api.get(url, { 'if-none-match': String(before.headers.etag) })
    expect(after.status).toBe(200)
    expect(after.text).not.toBe(before.text)
  })

  it('never differs between two instances over one database', async () => {
    const url = urlShowingAll(name)
    const [one, other] = [await startInstance(api, api.key), await startInstance(api, api.key)]
    for (const table of SHOWN[name] ?? []) {
      await api.database.query(change(table))
      const [first, second] = [await one.get(url), await other.get(url)]
      expect(second.text).toBe(first.text)
      expect(second.headers.etag).toBe(first.headers.etag)
      expect((await other.get(url, { 'if-none-match': first.headers.etag ?? '' })).status).toBe(304)
    }
  })
})

// Sources are evaluated at each request, the trail grows with each, and what the administration manages changes without a
// commit.
const NOT_CACHED = [
  'listSources',
  'listCenterSources',
  'listReads',
  'listWebhooks',
  'listDevices',
  'getSettings',
  'listLinks',
  'listReports',
]

describe.each(SHARED_OPERATIONS.filter(([name]) => !NOT_CACHED.includes(name)))(
  'a cached answer of %s',
  (name, operation) => {
    it('is read again on another day or in another language only if it depends on it, and is always the fresh one', async () => {
      const url = urlShowingAll(name)
      const at = { now: MIDNIGHT - 1 }
      const clock = () => at.now
      const caching = await startInstance(api, api.key, { clock })
      const fresh = await startInstance(api, api.key, { clock, answerCacheMb: 0 })
      const reads = () => caching.metric('sojourn_answer_cache_misses_total')
      await caching.get(url, { 'x-locale': 'en' })
      const isReadAgain = async (headers: Record<string, string>) => {
        const before = await reads()
        const [answer, expected] = [await caching.get(url, headers), await fresh.get(url, headers)]
        expect(answer.text).toBe(expected.text)
        expect(answer.headers.etag).toBe(expected.headers.etag)
        return (await reads()) > before
      }
      expect(await isReadAgain({ 'x-locale': 'de' })).toBe(operation.dependsOn.includes('language'))
      at.now = MIDNIGHT
      expect(await isReadAgain({ 'x-locale': 'en' })).toBe(operation.dependsOn.includes('today'))
    })
  },
)

describe('a change that is rolled back', () => {
  it('changes nothing', async () => {
    const before = await api.get(JANUARY)
    await expect(
      api.database.transaction(async (tx) => {
        await tx.query(change('customers'))
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect((await api.get(JANUARY, { 'if-none-match': String(before.headers.etag) })).status).toBe(304)
  })
})

describe('an answer that depends on the day', () => {
  async function startAt(at: number) {
    time.now = at
    const spa = await api.newCenter(
      guest('b1', { startDate: '2025-01-10T14:00', endDate: '2025-01-20T10:00' }, { dob: '1980-01-15' }),
    )
    return { spa, ask: (headers = {}) => spa.get(`${JANUARY}&project=age`, headers) }
  }

  it('changes at the center’s midnight and not before: the age on the birthday', async () => {
    const { ask } = await startAt(MIDNIGHT - 1)
    const before = await ask()
    expect(before.body.data[0]?.age).toBe(44)
    const etag = String(before.headers.etag)
    expect((await ask({ 'if-none-match': etag })).status).toBe(304)
    time.now = MIDNIGHT
    const after = await ask({ 'if-none-match': etag })
    expect(after.status).toBe(200)
    expect(after.body.data[0]?.age).toBe(45)
    time.now = MIDNIGHT + 86_399_999
    expect((await ask({ 'if-none-match': String(after.headers.etag) })).status).toBe(304)
  })

  it('changes at another midnight where the center moves to another zone', async () => {
    const { spa, ask } = await startAt(MIDNIGHT)
    expect((await ask()).body.data[0]?.age).toBe(45)
    await api.database.query(
      sql`update centers set timezone = 'America/New_York' where center_id = ${spa.id}`,
    )
    expect((await ask()).body.data[0]?.age).toBe(44)
    time.now = Date.parse('2025-01-15T05:00:00Z')
    expect((await ask()).body.data[0]?.age).toBe(45)
  })

  it('is the same for a clock that is set back', async () => {
    const { ask } = await startAt(MIDNIGHT + 1000)
    expect((await ask()).body.data[0]?.age).toBe(45)
    time.now = MIDNIGHT - 1000
    expect((await ask()).body.data[0]?.age).toBe(44)
  })
})

describe('a change of the center’s own settings', () => {
  async function start() {
    const spa = await api.newCenter(stay('b1', '2025-01-10', '2025-01-15', { financial: { total: 100 } }))
    return {
      ...spa,
      set: (settings: ReturnType<typeof sql>) =>
        api.database.query(sql`update centers set ${settings} where center_id = ${spa.id}`),
    }
  }

  it('of maximumPageLength holds from the next request on', async () => {
    const { get, set } = await start()
    expect((await get(`${JANUARY}&length=60`)).status).toBe(200)
    await set(sql`maximum_page_length = 50`)
    const refused = await get(`${JANUARY}&length=60`)
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain('maximum of 50')
    await set(sql`maximum_page_length = 70`)
    expect((await get(`${JANUARY}&length=60`)).status).toBe(200)
  })

  it('of the time zone, currency and locale shows in the next answer', async () => {
    const { get, set } = await start()
    const url = `${JANUARY}&project=startDate,financial.total`
    const [before] = (await get(url)).body.data
    expect(before).toMatchObject({ startDate: '01/10/2025', financial: { total: '€100.00' } })
    await set(sql`timezone = 'Pacific/Kiritimati', currency = 'USD', locale = 'ro'`)
    const [after] = (await get(url)).body.data
    expect(after?.startDate).toBe('11.01.2025')
    expect(JSON.stringify(after?.financial)).toContain('USD')
  })

  it('of its name shows in the next answer', async () => {
    const { get, set } = await start()
    const url = `${JANUARY}&project=centerName`
    await get(url)
    await set(sql`name = 'Nova'`)
    expect((await get(url)).body.data[0]?.centerName).toBe('Nova')
  })

  it('to a new custom field opens it, and to none closes it', async () => {
    const { id, get } = await start()
    const url = `${JANUARY}&project=meta.diet`
    expect((await get(url)).status).toBe(400)
    await api.load([metaField('diet', { centerId: id })])
    expect((await get(url)).status).toBe(200)
    await api.database.query(sql`delete from meta_fields where center_id = ${id}`)
    expect((await get(url)).status).toBe(400)
  })

  it('to apiAccess off refuses the next request, cached answer or not, and on answers it again', async () => {
    const { get, set } = await start()
    const first = await get(JANUARY)
    const etag = String(first.headers.etag)
    await set(sql`api_access = false`)
    for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }]) {
      const refused = await get(JANUARY, headers)
      expect(refused.status).toBe(403)
      expect(refused.headers).not.toHaveProperty('etag')
    }
    await set(sql`api_access = true`)
    expect((await get(JANUARY)).text).toBe(first.text)
  })

  it('to which guests the report leaves out shows in the next report', async () => {
    const { get, set } = await start()
    const url = '/v1/guests/meal-skipping-report?startDate=2025-01-01&endDate=2025-01-31'
    expect((await get(url)).body.summary.totalGuests).toBe(1)
    await set(sql`meal_report_excluded_statuses = array['confirmed']`)
    expect((await get(url)).body.summary.totalGuests).toBe(0)
  })

  it('reaches every instance at once', async () => {
    const { key, set } = await start()
    const instances = [await startInstance(api, key), await startInstance(api, key)]
    const url = `${JANUARY}&project=centerName`
    for (const name of ['One', 'Two', 'Three']) {
      await set(sql`name = ${name}`)
      for (const instance of instances) expect((await instance.get(url)).text).toContain(`"${name}"`)
    }
  })
})

describe('the demo', () => {
  it('imported again with nothing changed leaves every answer as it is', async () => {
    const records = [...demoRecords({ today: '2026-05-14' })]
    const api = await startTestApi({ records, now: '2026-05-14T09:00:00Z' })
    const url = '/v1/guests?startDate=2026-05-01&endDate=2026-05-31'
    const before = await api.get(url)
    expect(before.status).toBe(200)
    await api.load(records)
    const after = await api.get(url)
    expect(after.text).toBe(before.text)
  })
})
