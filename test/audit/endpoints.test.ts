import sql from 'sql-template-tag'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { TrailRead } from '../../src/core/audit/list-reads.ts'
import { type Database, DatabaseUnavailable } from '../../src/core/database/database.ts'
import { evaluatorOf } from '../routes/contradictions/center.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { booking, customer, metaField, order, session, spa } from '../support/world.ts'
import { problemsOf, readsInTrail } from './reads.ts'

const UUID = '7f9c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c11'

/** What must never be in the trail: it is of persons, not of requests. */
const PERSONAL = {
  firstName: 'Ecaterina-Maria',
  lastName: 'Vladimirescu',
  email: 'ecaterina@example.org',
  phone: '+40 721 555 123',
  pin: '2790304123456',
  diagnosis: 'Hypertensive heart disease',
  street: 'Strada Izvoarelor 17',
}

async function startWorld(): Promise<TestApi> {
  return startTestApi({
    now: '2025-01-12T09:00:00Z',
    records: [
      spa(),
      metaField('diet'),
      session('s1', '2025-01-10T08:00', '2025-01-20T08:00'),
      order(UUID, { orderDate: '2025-01-05T12:00' }),
      customer('ana', {
        firstName: PERSONAL.firstName,
        lastName: PERSONAL.lastName,
        email: PERSONAL.email,
        phone: PERSONAL.phone,
        pin: PERSONAL.pin,
        dob: '1979-03-04',
        address: { street: PERSONAL.street },
        meta: { diet: 'kosher' },
      }),
      booking('b1', {
        customerId: 'ana',
        sessionIds: ['s1'],
        orderUuid: UUID,
        skippingMeals: { breakfast: ['2025-01-11'] },
        formData: { medicalConditions: PERSONAL.diagnosis },
      }),
      customer('ion'),
      booking('b2', { customerId: 'ion', sessionIds: ['s1'] }),
    ],
  })
}

/** The trail once everything that was read is in it. */
async function trailOf(api: TestApi, reads: number): Promise<TrailRead[]> {
  return vi.waitFor(
    async () => {
      const found = await readsInTrail(api.database)
      expect(found).toHaveLength(reads)
      return found
    },
    { timeout: 60_000, interval: 50 },
  )
}

/** The same without the pause between writings: a service that ends writes all of it. */
async function trailAtTheEnd(api: TestApi, reads: number): Promise<TrailRead[]> {
  await api.app.close()
  return trailOf(api, reads)
}

it('contradictions are reads of the guests and orders in them, and of a guest who was asked for and has none', async () => {
  const api = await startTestApi({
    now: '2025-01-12T09:00:00Z',
    records: [
      spa(),
      order(UUID, { orderDate: '2025-01-05T12:00' }),
      customer('ana'),
      booking('b1', { customerId: 'ana', orderUuid: UUID }),
      booking('b2', {
        customerId: 'ana',
        startDate: '2025-01-12T14:00',
        endDate: '2025-01-20T10:00',
        orderUuid: UUID,
      }),
      customer('ion'),
      booking('b3', { customerId: 'ion' }),
    ],
  })
  await evaluatorOf(api).look()
  const key = api.as(await api.createKey({ scopes: ['contradictions', 'guests'] }))
  for (const query of ['', '?guestId=b3', '?format=csv&kind=overlappingStays', '?kind=departedInFuture'])
    expect((await key.get(`/v1/contradictions${query}`)).status, query).toBe(200)
  await trailAtTheEnd(api, 4)
  const asked = async (guest: string) =>
    (await readsInTrail(api.database, { guest: { booking: guest } })).map(({ filters }) => filters).reverse()
  expect(await asked('b1')).toEqual([{}, { format: 'csv', kind: 'overlappingStays' }])
  expect(await asked('b2')).toEqual(await asked('b1'))
  expect(await asked('b3')).toEqual([{ guestId: 'b3' }])
})

it('ruling 8: the trail says that somebody was looked for, not who', async () => {
  const api = await startWorld()
  const looked = new URLSearchParams({ phone: PERSONAL.phone, internalId: PERSONAL.pin }).toString()
  const email = encodeURIComponent(PERSONAL.email)
  // A name is read whatever part of it is escaped, and so it is hidden.
  for (const query of [
    `email=${email}&${looked}`,
    `%65mail=${email}&role=patient`,
    `role=patient&email=${email}`,
  ]) {
    expect((await api.get(`/v1/guests?sessionId=s1&${query}`)).status).toBe(200)
  }
  const reads = await trailOf(api, 3)
  const hidden = { sessionId: 's1', email: '(hidden)' }
  expect(reads.map(({ filters }) => filters).toReversed()).toEqual([
    { ...hidden, phone: '(hidden)', internalId: '(hidden)' },
    { ...hidden, role: 'patient' },
    { ...hidden, role: 'patient' },
  ])
  const [stored] = await api.database.query<{ text: string }>(sql`
    select json_agg(e)::text as text from audit_entries e where e.center_id = 'spa'`)
  for (const personal of Object.values(PERSONAL)) expect(stored?.text).not.toContain(personal)
  // Whole words of theirs: a hash of the chain may hold three digits by chance.
  expect(stored?.text).not.toMatch(/721\W*555|2790304|ecaterina/)
})

describe('the trail of each endpoint', () => {
  it.each([
    [
      'guests',
      '/v1/guests?sessionId=s1',
      { operation: 'listGuests', scopes: ['guests'], recordIds: ['b1', 'b2'], filters: { sessionId: 's1' } },
    ],
    [
      'guests with sensitive fields',
      '/guests?sessionId=s1&project=firstName,dob,formData.medicalConditions,financial.total,meta.diet',
      {
        operation: 'listGuests',
        scopes: ['guests', 'guests.personal', 'guests.medical', 'guests.financial'],
        recordIds: ['b1', 'b2'],
      },
    ],
    [
      'the report',
      '/v1/guests/meal-skipping?startDate=2025-01-01&endDate=2025-01-31',
      { operation: 'mealSkippingReport', scopes: ['meals'], recordIds: ['b1'] },
    ],
    [
      'portions of guests whose diets are shown',
      '/v1/meals/portions?startDate=2025-01-01&endDate=2025-01-31&includeGuests=true',
      { operation: 'mealPortions', scopes: ['meals'], recordIds: ['b1', 'b2'] },
    ],
    [
      'orders',
      '/v1/orders?startDate=2025-01-01&endDate=2025-01-31&includeGuestNames=true',
      { operation: 'listOrders', scopes: ['orders'], recordIds: [UUID] },
    ],
    [
      'a kitchen sheet',
      '/v1/meals/sheets/2025-01-11',
      { operation: 'mealSheet', scopes: ['meals'], recordIds: ['b1', 'b2'] },
    ],
    [
      'what is found',
      '/v1/search?q=vladimirescu',
      { operation: 'search', scopes: ['guests', 'orders'], recordIds: ['b1', UUID] },
    ],
    [
      'who might be meant',
      '/v1/guests/match?sessionId=s1&name=Vladimirescu',
      { operation: 'matchGuests', scopes: ['guests'], recordIds: ['b1'] },
    ],
    [
      'control of orders with payments',
      '/v1/orders/control?startDate=2025-01-01&endDate=2025-01-31&includePayments=true',
      { operation: 'orderControl', scopes: ['guests.financial', 'orders'], recordIds: [UUID] },
    ],
    ['one order', `/v1/orders/${UUID}`, { operation: 'getOrder', scopes: ['orders'], recordIds: [UUID] }],
    [
      'arrivals with names',
      '/v1/guests/arrivals.ics?startDate=2025-01-01&endDate=2025-01-31&includeGuestNames=true',
      { operation: 'guestArrivals', scopes: ['guests'], recordIds: ['b1', 'b2'] },
    ],
    [
      'sessions',
      '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31',
      { operation: 'listSessions', scopes: ['sessions'], recordIds: ['s1'] },
    ],
    [
      'sessions with their guests counted',
      '/v1/sessions?startDate=2025-01-01&endDate=2025-01-31&includeGuestCounts=true',
      { operation: 'listSessions', scopes: ['guests', 'sessions'], recordIds: ['s1'] },
    ],
  ])('%s: who, what, with which scopes, which records; and nothing personal', async (_, url, expected) => {
    const api = await startWorld()
    const answer = await api.get(url)
    expect(answer.status).toBe(200)
    // The second is answered from memory, the third is unchanged.
    await api.get(url)
    await api.get(url, { 'if-none-match': String(answer.headers.etag) })
    const reads = await trailAtTheEnd(api, 3)
    expect(reads.map(({ status }) => status)).toEqual([304, 200, 200])
    for (const one of reads) {
      expect(one).toMatchObject({
        ...expected,
        center: 'spa',
        key: { name: 'test', appId: api.key.appId, publicKey: api.key.publicKey },
        records: expected.recordIds.length,
        at: '2025-01-12T09:00:00.000Z',
      })
    }
    expect(reads.at(-1)?.requestId).toBe(answer.headers['x-request-id'])
    const isOfGuest = expected.recordIds.some((id) => id === 'b1' || id === UUID)
    const ofGuest = await readsInTrail(api.database, { guest: { booking: 'b1' } })
    expect(ofGuest.map(({ requestId }) => requestId)).toEqual(
      isOfGuest ? reads.map(({ requestId }) => requestId) : [],
    )

    const tables = await api.database.query(sql`
      select (select json_agg(e)::text from audit_entries e where e.center_id = 'spa') as entries,
        (select json_agg(l)::text from audit_record_lists l where l.center_id = 'spa') as lists`)
    const text = JSON.stringify(tables)
    for (const personal of [
      ...Object.values(PERSONAL),
      '1979-03',
      'kosher',
      api.key.secretKey,
      api.key.apiKey,
    ]) {
      expect(text).not.toContain(personal)
    }
    expect(await problemsOf(api.database)).toEqual([])
  })

  it('what changed: who, what, with which scopes, which records; and nothing personal', async () => {
    const api = await startWorld()
    const after = String((await api.get('/v1/changes')).body.cursor)
    await api.database.query(sql`update customers set pin = '1' where center_id = 'spa' and id = 'ana'`)
    const guests = api.as(await api.createKey({ scopes: ['guests', 'guests.personal'] }))
    expect((await guests.get(`/v1/changes?after=${after}`)).body.data).toHaveLength(1)
    // A key that may not read what moved has read nothing.
    const lesser = api.as(await api.createKey({ scopes: ['guests'] }))
    expect((await lesser.get(`/v1/changes?after=${after}&kinds=guests`)).body.data).toEqual([])
    const reads = (await trailAtTheEnd(api, 3)).filter(({ filters }) => 'after' in filters)
    expect(reads.sort((a, b) => a.records - b.records)).toMatchObject([
      { operation: 'listChanges', scopes: ['guests'], filters: { kinds: 'guests', after }, records: 0 },
      { operation: 'listChanges', scopes: ['guests'], filters: { after }, records: 1, recordIds: ['b1'] },
    ])
    expect(await problemsOf(api.database)).toEqual([])
  })

  it('is empty after requests that showed nothing', async () => {
    const api = await startWorld()
    const kitchen = await api.createKey({ scopes: ['meals'] })
    await api.get('/v1/guests?length=0')
    await api.get('/v1/orders')
    await api.get('/v1/orders/7f9c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c12')
    await api.as(kitchen).get('/v1/guests?sessionId=s1')
    await api.as(undefined).get('/v1/guests?sessionId=s1')
    await api.request('POST', '/v1/guests')
    await api.get('/v1/guests?sessionId=s1&start=2')
    expect(await trailAtTheEnd(api, 1)).toMatchObject([{ records: 0, recordIds: null }])
  })

  it('has the number of orders of a list that is streamed, and of no others', async () => {
    const api = await startWorld()
    // Some in the range, the others after it.
    await api.database.query(sql`
      insert into orders (center_id, uuid, order_date, total_amount, status)
      select 'spa', 'many-' || n, '2025-01-31T12:00Z'::timestamptz + n * interval '1 minute', n, 'confirmed'
      from generate_series(-1202, 4000) n`)
    const url = '/v1/orders?startDate=2025-01-01&endDate=2025-01-31'
    const { list } = await api.get(url)
    const shown = list.length
    expect(shown).toBeGreaterThan(1001)
    expect(shown).toBeLessThan(5000)
    expect((await api.request('HEAD', url)).status).toBe(200)
    expect(await trailAtTheEnd(api, 2)).toMatchObject([
      { operation: 'listOrders', records: shown, recordIds: null },
      { operation: 'listOrders', records: shown, recordIds: null },
    ])
  })

  it('notes when a key was last used', async () => {
    const api = await startWorld()
    await api.get('/v1/guests?sessionId=s1')
    await trailOf(api, 1)
    expect(await api.database.query(sql`select last_used_at as at from api_keys`)).toEqual([
      { at: Date.parse('2025-01-12T09:00:00Z') },
    ])
  })
})

describe('a service whose trail cannot be written', () => {
  const URL_S1 = '/v1/guests?sessionId=s1'

  /** Another instance, whose transactions fail on request. */
  async function startBroken(api: TestApi, required: boolean) {
    const state = { broken: false, now: Date.parse('2025-01-12T09:00:00Z') }
    const database: Database = {
      ...api.database,
      transaction: (work) =>
        state.broken
          ? Promise.reject(new DatabaseUnavailable('the disk is full'))
          : api.database.transaction(work),
    }
    const lines: string[] = []
    const app = await buildApp({
      database,
      clock: () => state.now,
      auditRequired: required,
      auditGraceSeconds: 10,
      logStream: { write: (line) => void lines.push(line) },
    })
    onTestFinished(() => app.close())
    const get = async () => (await app.inject({ url: URL_S1, headers: { ...api.key.headers } })).statusCode
    return { state, lines, get, app }
  }

  it('answers for the grace, then refuses with 503 rather than answer unrecorded, and recovers', async () => {
    const api = await startWorld()
    const { state, lines, get } = await startBroken(api, true)
    expect(await get()).toBe(200)
    await trailOf(api, 1)
    state.broken = true
    expect(await get()).toBe(200)
    await vi.waitFor(() => expect(lines.join()).toContain('the audit trail cannot be written'), {
      timeout: 60_000,
    })
    state.now += 10_000
    expect(await get()).toBe(200)
    state.now += 1
    // Also what is retained in memory.
    expect(await get()).toBe(503)
    state.broken = false
    await vi.waitFor(async () => expect(await get()).toBe(200), { timeout: 60_000, interval: 100 })
    expect(lines.join()).toContain('the audit trail can be written again')
    // Each answer is in the trail, and no refusal.
    await trailOf(api, 4)
    expect(await problemsOf(api.database)).toEqual([])
  })

  it('goes on answering where the trail is not required', async () => {
    const api = await startWorld()
    const { state, get } = await startBroken(api, false)
    state.broken = true
    expect(await get()).toBe(200)
    state.now += 3_600_000
    expect(await get()).toBe(200)
    state.broken = false
    await trailOf(api, 2)
  })

  it('has everything that was answered in the trail when it has ended', async () => {
    const api = await startWorld()
    const app = await buildApp({ database: api.database, logLevel: 'silent' })
    for (let request = 0; request < 20; request++) {
      await app.inject({ url: URL_S1, headers: { ...api.key.headers } })
    }
    await app.close()
    const rows = await api.database.query<{ reads: number }>(
      sql`select sum(reads) as reads from audit_entries where center_id = 'spa'`,
    )
    expect(rows).toEqual([{ reads: 20 }])
  })
})
